package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
)

const (
	notARepository = "fatal: not a git repository (or any "
	noWorkTreeHere = "fatal: this operation must be run in a work tree"
)

// saysNoWorkTree reports that git answered, of a folder, that it is in no work
// tree, and that the disk agrees: of a repository that is damaged, or that it may
// not read, git says the same.
func saysNoWorkTree(root string, err error) bool {
	failed, ok := errors.AsType[*Error](err)
	if !ok || failed.exit != 128 {
		return false
	}
	for line := range strings.SplitSeq(failed.Stderr, "\n") {
		if strings.HasPrefix(line, noWorkTreeHere) {
			return true
		}
		if rest, ok := strings.CutPrefix(line, notARepository); ok {
			_, mount, _ := strings.Cut(strings.TrimSuffix(rest, ")"), "parent up to mount point ")
			return !gitAbove(root, mount)
		}
	}
	return false
}

// gitAbove reports whether a folder or one above it, up to top, has what git
// keeps a repository in.
func gitAbove(dir, top string) bool {
	for {
		dot := filepath.Join(dir, ".git")
		info, err := os.Lstat(dot)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return true
		case err == nil && !info.IsDir():
			return true
		case err == nil && keepsRepository(dot):
			return true
		}
		parent := filepath.Dir(dir)
		if dir == top || dir == parent {
			return false
		}
		dir = parent
	}
}

// mayBeInGit reports whether git has to be asked of a folder: it or one above it has what
// git keeps a repository in, or is that itself.
func mayBeInGit(root string) bool {
	dir, err := filepath.EvalSymlinks(root)
	if err != nil || !filepath.IsAbs(dir) {
		return true
	}
	if gitAbove(dir, "") {
		return true
	}
	for up := ""; up != dir; up, dir = dir, filepath.Dir(dir) {
		if keepsRepository(dir) {
			return true
		}
	}
	return false
}

// keepsRepository reports whether a folder has, or may have, a part of a
// repository.
func keepsRepository(dot string) bool {
	for _, part := range []string{"HEAD", "objects", "refs", "packed-refs"} {
		if _, err := os.Lstat(filepath.Join(dot, part)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// InWorkTree reports whether a folder is in a git work tree that does not ignore it.
func InWorkTree(ctx context.Context, root string) (bool, error) {
	top, err := TopLevel(ctx, root)
	if err != nil || top == "" || SameFolder(top, root) {
		return top != "", err
	}
	_, err = Run(ctx, root, "check-ignore", "-q", "--", root)
	if SaidNo(err) {
		return true, nil
	}
	return false, Fault(err)
}

// TopLevel is the top folder of the git work tree that root is in; "" where git
// is not installed, or says that there is none.
func TopLevel(ctx context.Context, root string) (string, error) {
	if !mayBeInGit(root) { // as git says, after milliseconds
		return "", nil
	}
	out, err := Run(ctx, root, "rev-parse", "--is-inside-work-tree", "--show-toplevel")
	inside, top, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	switch {
	case errors.Is(err, ErrMissing), saysNoWorkTree(root, err):
		return "", nil
	case err != nil:
		return "", Fault(err)
	case inside != "true" || !filepath.IsAbs(filepath.FromSlash(top)):
		return "", fault.New(fault.RAGUnavailable,
			"git does not tell where the work tree of %s begins; see whether \"git rev-parse --show-toplevel\" does", root)
	}
	return filepath.FromSlash(top), nil
}

// SameFolder reports whether two paths lead to one folder.
func SameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
