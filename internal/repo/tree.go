package repo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
)

// A Tree is one repository's folder, open for reading. Its methods may be
// called concurrently.
type Tree struct {
	root string
	dir  *os.Root

	asking sync.Mutex
	asked  bool
	git    bool // once asked: every method that goes by it asks first
}

// Open opens the folder root. A missing folder is PathNotFound, anything else
// that is not a readable folder InvalidRequest.
func Open(ctx context.Context, root string) (*Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root, err := realFolder(root)
	if err != nil {
		return nil, err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, folderFault(root, err)
	}
	return &Tree{root: root, dir: dir}, nil
}

// Root is the absolute path of the folder, without symlinks.
func (t *Tree) Root() string { return t.root }

// IsGit reports whether the folder is in a git work tree that does not ignore
// it. It is not where git is not installed, or says so; a git that can't tell is
// an error. It is asked once, and not before somebody wants to know: to read a
// file needs no git.
func (t *Tree) IsGit(ctx context.Context) (bool, error) {
	t.asking.Lock()
	defer t.asking.Unlock()
	if t.asked {
		return t.git, nil
	}
	in, err := inWorkTree(ctx, t.root)
	if err == nil {
		t.asked, t.git = true, in
	}
	return in, err
}

// Close releases the folder.
func (t *Tree) Close() error { return t.dir.Close() }

// Head is the commit that is checked out; "" without git or without a commit.
func (t *Tree) Head(ctx context.Context) (string, error) {
	if in, err := t.IsGit(ctx); err != nil || !in {
		return "", err
	}
	out, err := git(ctx, t.root, "rev-parse", "--verify", "--quiet", "HEAD")
	if saidNo(err) {
		return "", nil
	}
	return strings.TrimSpace(out), gitFault(err)
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
		return "", folderFault(abs, err)
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return "", folderFault(abs, err)
	}
	if !info.IsDir() {
		return "", fault.New(fault.InvalidRequest, "%s is a file; give the folder that holds it", abs)
	}
	return resolved, nil
}

// folderFault classifies an error about a folder that is there.
func folderFault(folder string, err error) error {
	if f := momentary("the folder "+folder, err); f != nil {
		return f
	}
	return fault.Wrap(fault.InvalidRequest, err, "the folder %s can't be read; check its permissions", folder)
}

// momentary is the fault of what can't be read for reasons that lie in the
// machine, nil for others: nothing follows from it for what is there.
func momentary(what string, err error) error {
	switch {
	case exhausted(err):
		busy := fault.Wrap(fault.Overloaded, err, "%s can't be read now (%v); let this process open more files (`ulimit -n 1024`) if that goes on", what, cause(err))
		busy.RetryAfter = time.Second
		return busy
	case errors.Is(err, syscall.EIO):
		return fault.Wrap(fault.RAGUnavailable, err, "%s can't be read (%v); look at its disk", what, cause(err))
	}
	return nil
}

func inWorkTree(ctx context.Context, root string) (bool, error) {
	top, err := topLevel(ctx, root)
	if err != nil || top == "" || sameFolder(top, root) {
		return top != "", err
	}
	_, err = git(ctx, root, "check-ignore", "-q", "--", root)
	if saidNo(err) {
		return true, nil
	}
	return false, gitFault(err)
}

// topLevel is the top folder of the git work tree that root is in; "" where git
// is not installed, or says that there is none.
func topLevel(ctx context.Context, root string) (string, error) {
	out, err := git(ctx, root, "rev-parse", "--is-inside-work-tree", "--show-toplevel")
	inside, top, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	switch {
	case errors.Is(err, errNoGit), saysNoWorkTree(root, err):
		return "", nil
	case err != nil:
		return "", gitFault(err)
	case inside != "true" || !filepath.IsAbs(filepath.FromSlash(top)):
		return "", fault.New(fault.RAGUnavailable, "git does not tell where the work tree of %s begins; see whether \"git rev-parse --show-toplevel\" does", root)
	}
	return filepath.FromSlash(top), nil
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
