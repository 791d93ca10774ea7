package worktrees

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/git"
)

// NoWorkTree is an InvalidRequest when a folder is what git keeps for itself: a
// bare repository, or a folder .git or below one. What is in there is no
// source, and may hold credentials.
func NoWorkTree(root string) error {
	inside := slices.Contains(strings.Split(filepath.ToSlash(root), "/"), ".git")
	if !inside {
		if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil {
			return nil
		}
		entries, err := os.ReadDir(root)
		inside = err == nil && git.IsBare(entries)
	}
	if inside {
		return fault.New(fault.InvalidRequest,
			"%q is what git keeps for itself and has no files of the repository; give a work tree, or index a bare repository "+
				"by its URL", root)
	}
	return nil
}
