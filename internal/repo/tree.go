package repo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
)

// A Tree is one repository's folder, open for reading. Its methods may be
// called concurrently.
type Tree struct {
	root string
	dir  *os.Root
	git  bool
}

// Open opens the folder root. A missing folder is PathNotFound, anything else
// that is not a readable folder InvalidRequest.
//
// A folder inside a git work tree is a git tree too, unless that work tree
// ignores it.
func Open(ctx context.Context, root string) (*Tree, error) {
	root, err := realFolder(root)
	if err != nil {
		return nil, err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "the folder %s can't be read; check its permissions", root)
	}
	return &Tree{root: root, dir: dir, git: inWorkTree(ctx, root)}, nil
}

// Root is the absolute path of the folder, without symlinks.
func (t *Tree) Root() string { return t.root }

// IsGit reports whether the folder is in a git work tree and git can tell.
func (t *Tree) IsGit() bool { return t.git }

// Close releases the folder.
func (t *Tree) Close() error { return t.dir.Close() }

// Head is the commit that is checked out; "" without git or without a commit.
func (t *Tree) Head(ctx context.Context) (string, error) {
	if !t.git {
		return "", nil
	}
	out, err := git(ctx, gitTimeout, t.root, "rev-parse", "--verify", "--quiet", "HEAD")
	if failed, ok := errors.AsType[*gitError](err); ok && failed.exit == 1 {
		return "", nil
	}
	return strings.TrimSpace(out), err
}

// realFolder is the absolute path of a folder, symlinks resolved.
func realFolder(root string) (string, error) {
	if root == "" || strings.ContainsRune(root, 0) {
		return "", fault.New(fault.InvalidRequest, "%q is not a folder; give the path of one", root)
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return "", fault.Wrap(fault.InvalidRequest, err, "%s can't be made an absolute path; give one", root)
	}
	resolved, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fault.Wrap(fault.PathNotFound, err, "there is no folder %s on this machine", abs)
	}
	if err != nil {
		return "", fault.Wrap(fault.InvalidRequest, err, "the folder %s can't be read; check its permissions", abs)
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return "", fault.Wrap(fault.InvalidRequest, err, "the folder %s can't be read; check its permissions", abs)
	}
	if !info.IsDir() {
		return "", fault.New(fault.InvalidRequest, "%s is a file; give the folder that holds it", abs)
	}
	return resolved, nil
}

func inWorkTree(ctx context.Context, root string) bool {
	top, ok := topLevel(ctx, root)
	if !ok || sameFolder(top, root) {
		return ok
	}
	_, err := git(ctx, gitTimeout, root, "check-ignore", "-q", "--", root)
	return err != nil
}

// topLevel is the top folder of the git work tree that root is in.
func topLevel(ctx context.Context, root string) (string, bool) {
	out, err := git(ctx, gitTimeout, root, "rev-parse", "--is-inside-work-tree", "--show-toplevel")
	inside, top, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	if err != nil || inside != "true" || top == "" {
		return "", false
	}
	return filepath.FromSlash(top), true
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
