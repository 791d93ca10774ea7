package worktrees

import (
	"context"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/git"
)

// Enclosing is the root of the repository that a folder is in: the nearest
// folder, from it upwards, that has the file marker (a path with slashes), or
// is the top of the git work tree that the folder is in and does not ignore. In
// neither, and for what git keeps for itself, it is the folder itself. The path is
// absolute, without symlinks.
func Enclosing(ctx context.Context, folder, marker string) (string, error) {
	folder, err := disk.Real(folder)
	if err != nil {
		return "", err
	}
	if isGits := NoWorkTree(folder) != nil; isGits {
		return folder, err
	}
	top, err := git.TopLevel(ctx, folder)
	if err != nil {
		return "", err
	}
	isGit, err := git.InWorkTree(ctx, folder)
	if err != nil {
		return "", err
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(marker)))
		switch {
		case err == nil && info.Mode().IsRegular(), isGit && git.SameFolder(dir, top):
			return dir, nil
		case dir == filepath.Dir(dir):
			return folder, nil
		}
	}
}
