package history

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
)

// Tags are the names of the tags of a commit.
func Tags(ctx context.Context, t *disk.Folder, at Revision) ([]string, error) {
	out, err := git.Run(ctx, t.Root(), "tag", "--points-at", string(at))
	return strings.Fields(out), git.Fault(err)
}

// TagBefore is the name of the nearest tag of a commit that another one comes from, of
// those that match a glob; "" without any.
func TagBefore(ctx context.Context, t *disk.Folder, at Revision, glob string) (string, error) {
	out, err := git.Run(ctx, t.Root(), "describe", "--tags", "--abbrev=0", "--match", glob, string(at))
	if failed, ok := errors.AsType[*git.Error](err); ok && strings.Contains(failed.Stderr, "fatal: No ") {
		return "", nil
	}
	return strings.TrimSpace(out), git.Fault(err)
}

// TagState changes whenever a tag is made, moved or removed. It is read from git's folder;
// "" is that of a tree without one.
func TagState(t *disk.Folder) string {
	store := tagStore(t.Root())
	if store == "" {
		return ""
	}
	var state strings.Builder
	note := func(p string) {
		if info, err := os.Stat(p); err == nil {
			state.WriteString(p + "\x00" + info.ModTime().String() + "\x00")
		}
	}
	note(filepath.Join(store, "packed-refs"))
	note(filepath.Join(store, "reftable", "tables.list"))
	_ = filepath.WalkDir(filepath.Join(store, "refs", "tags"), func(p string, _ fs.DirEntry, err error) error {
		if err == nil {
			note(p)
		}
		return nil
	})
	return state.String()
}

// tagStore is git's folder with the tags of the work tree that a folder is in.
func tagStore(dir string) string {
	for {
		dot := filepath.Join(dir, ".git")
		if info, err := os.Stat(dot); err == nil && info.IsDir() {
			return dot
		} else if err == nil {
			return linkedStore(dot)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// linkedStore is the folder that the ".git" of a linked work tree leads to.
func linkedStore(dot string) string {
	content, err := os.ReadFile(dot)
	to, ok := strings.CutPrefix(strings.TrimSpace(string(content)), "gitdir: ")
	if err != nil || !ok {
		return ""
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(dot), to)
	}
	common, err := os.ReadFile(filepath.Join(to, "commondir"))
	if err != nil {
		return to
	}
	if at := strings.TrimSpace(string(common)); filepath.IsAbs(at) {
		return at
	}
	return filepath.Join(to, strings.TrimSpace(string(common)))
}
