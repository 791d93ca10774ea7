// Package disk reads a repository's folder: through os.Root, so that nothing
// outside of it can be read, whatever its symlinks and its clients' paths say.
// The .git folder is never served.
package disk

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A Folder is one repository's folder, open for reading. Its methods may be
// called concurrently.
type Folder struct {
	root string
	dir  *os.Root

	asking sync.Mutex
	asked  bool
	git    bool // once asked: every method that goes by it asks first

	straight straight
	identity func() (fs.FileInfo, error)
	others   atomic.Int32 // who retained it
}

// Open opens the folder root. A missing folder is PathNotFound, anything else
// that is not a readable folder InvalidRequest.
func Open(ctx context.Context, root string) (*Folder, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root, err := Real(root)
	if err != nil {
		return nil, err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, folderFault(root, err)
	}
	identity := sync.OnceValues(func() (fs.FileInfo, error) { return dir.Stat(".") })
	return &Folder{root: root, dir: dir, identity: identity}, nil
}

// OpenRegistered is Open for a folder whose path had no symlinks when it was
// registered. Where it leads through one now, what is behind that is not what was
// registered: the folder is gone, which is PathNotFound.
func OpenRegistered(ctx context.Context, root string) (*Folder, error) {
	t, err := Open(ctx, root)
	if err != nil {
		return nil, err
	}
	if t.root != filepath.Clean(root) || !t.Same() {
		_ = t.Close()
		return nil, fault.New(fault.PathNotFound,
			"the path %s leads through a symlink to %s now, which is not what was registered", root, t.root)
	}
	return t, nil
}

// Root is the absolute path of the folder, without symlinks.
func (t *Folder) Root() string { return t.root }

// IsGit reports whether the folder is in a git work tree that does not ignore
// it. It is not where git is not installed, or says so; a git that can't tell is
// an error. It is asked once, and not before somebody wants to know: to read a
// file needs no git.
func (t *Folder) IsGit(ctx context.Context) (bool, error) {
	t.asking.Lock()
	defer t.asking.Unlock()
	if t.asked {
		return t.git, nil
	}
	in, err := git.InWorkTree(ctx, t.root)
	if err == nil {
		t.asked, t.git = true, in
	}
	return in, err
}

// FoundGit tells that the folder is in a git work tree that does not ignore it, as
// IsGit would find out by asking git.
func (t *Folder) FoundGit() {
	t.asking.Lock()
	defer t.asking.Unlock()
	t.asked, t.git = true, true
}

// Git is what IsGit has found; false before it was asked.
func (t *Folder) Git() bool {
	t.asking.Lock()
	defer t.asking.Unlock()
	return t.git
}

// Retain holds the folder open until it is closed once more.
func (t *Folder) Retain() *Folder {
	t.others.Add(1)
	return t
}

// Close releases the folder.
func (t *Folder) Close() error {
	if t.others.Add(-1) >= 0 {
		return nil
	}
	t.straight.close()
	return t.dir.Close()
}

// Head is the commit that is checked out; "" without git or without a commit.
func (t *Folder) Head(ctx context.Context) (string, error) {
	if in, err := t.IsGit(ctx); err != nil || !in {
		return "", err
	}
	out, err := git.Run(ctx, t.root, "rev-parse", "--verify", "--quiet", "HEAD")
	if git.SaidNo(err) {
		return "", nil
	}
	return strings.TrimSpace(out), git.Fault(err)
}

// OpenFolder opens a folder of the tree itself, to look at what is in it, or a
// file, without waiting for the other end of a FIFO: "" is the root. Symlinks are followed inside the root only.
func (t *Folder) OpenFolder(p string) (*os.File, error) {
	return t.dir.OpenFile(relpath.OrDot(p), os.O_RDONLY|nonBlocking, 0)
}

// Inner opens a folder of the tree as a root of its own: nothing outside of it
// can be reached. It is the caller's to close.
func (t *Folder) Inner(p string) (*os.Root, error) { return t.dir.OpenRoot(relpath.OrDot(p)) }

// Identity is the open folder, for os.SameFile: it stays the same whatever happens to
// its name. Its times are of the first call.
func (t *Folder) Identity() (fs.FileInfo, error) { return t.identity() }

// Same reports whether the folder at the tree's path is still the one that was
// opened.
func (t *Folder) Same() bool {
	opened, err := t.identity()
	if err != nil {
		return false
	}
	here, err := os.Stat(t.root)
	return err == nil && os.SameFile(opened, here)
}

// Lstat looks at a file or folder of the tree itself, without following a
// symlink that it is; "" is the root.
func (t *Folder) Lstat(p string) (fs.FileInfo, error) {
	if info, ok, err := t.straight.lstat(t.dir, p); ok {
		return info, err
	}
	return t.dir.Lstat(relpath.OrDot(p))
}

// Resolve follows the symlinks of a clean path as far as they stay inside the
// root, and returns the path that they lead to. Absolute links leave. A path
// that leads into .git is refused.
//
// It goes down one folder at a time: from the root each would cost as many steps
// as it is deep.
func (t *Folder) Resolve(p string) (string, error) { return resolve(t.dir, p) }
