package git

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// IsBare reports whether a folder is a repository without a work tree.
func IsBare(entries []fs.DirEntry) bool {
	found := 0
	for _, e := range entries {
		switch e.Name() {
		case "HEAD":
			found++
		case "objects", "refs":
			if e.IsDir() {
				found++
			}
		}
	}
	return found == 3
}

// maxStoreFile is more bytes than a file .git has that names a folder.
const maxStoreFile = 1 << 20

// LinkedStore is the folder that the file .git in a work tree names, without
// symlinks; "" when it names none.
func LinkedStore(dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, ".git"))
	to, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if err != nil || !ok || len(data) > maxStoreFile {
		return ""
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	if resolved, err := filepath.EvalSymlinks(to); err == nil {
		return resolved
	}
	return ""
}
