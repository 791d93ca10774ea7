package listing

import (
	"io"

	"github.com/ragnav/ragnav/internal/repo/disk"
)

const maxIgnoreFile = 1 << 20

// readIgnoreFile is the content of an ignore file, "" when it is missing or
// can't be read. Like git it does not follow symlinks.
func readIgnoreFile(t *disk.Folder, p string) string {
	info, err := t.Lstat(p)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := t.OpenFolder(p)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile))
	if err != nil {
		return ""
	}
	return string(data)
}
