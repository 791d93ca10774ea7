// Package ondisk keeps a graph in two files in the folder .llmc of a repository.
// rag_graph.json is for everybody (see encode.go), rag_graph.bin is what this
// package loads (see sidecar.go). They are bound to each other by hashes, and a
// pair that does not belong together is refused. The same tree gives the same
// bytes, whatever the number of workers and whether the build was clean or went on
// from an older graph.
//
// The commit point of a build is the renaming of rag_graph.json. Before that
// the new sidecar is at rag_graph.bin.next; a process that dies in between
// leaves a pair that Load finds all the same (see save.go).
package ondisk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/ragnav/ragnav/internal/fault"
)

// Names in a repository.
const (
	Folder      = ".llmc"
	JSONName    = "rag_graph.json"
	SidecarName = "rag_graph.bin"

	nextName = "rag_graph.bin.next"
	lockName = "rag_graph.lock"
	tmp      = ".tmp"
)

// errSymlink refuses what would lead out of the repository.
func errSymlink(name string) error {
	return fault.New(fault.InvalidRequest,
		"%s is not a plain folder or file; remove it and build again with: ragnav nav build-graph", name)
}

// openFolder opens the folder .llmc of a repository, which must not be a
// symlink. It wraps fs.ErrNotExist when there is none.
func openFolder(root string) (*os.Root, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	info, err := r.Lstat(Folder)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, errSymlink(Folder)
	}
	return r.OpenRoot(Folder)
}

// makeFolder opens the folder, and makes it if there is none. It ignores itself
// in git.
func makeFolder(root string) (*os.Root, error) {
	dir, err := openFolder(root)
	if errors.Is(err, fs.ErrNotExist) {
		if dir, err = newFolder(root); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	if err := ignoreItself(dir); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return dir, nil
}

func newFolder(root string) (*os.Root, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.Mkdir(Folder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return openFolder(root)
}

func ignoreItself(dir *os.Root) error {
	f, err := dir.OpenFile(".gitignore", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}

// A Lock is the right to build the graph of a repository.
type Lock struct {
	dir  *os.Root
	lock *flock.Flock
}

// A lock counts as taken when it was refused so often, with a pause between: a
// process that ends gives it back a moment later. Time alone would not do: on a
// busy machine it may be over before the lock was tried.
const (
	lockTries = 10
	lockPause = 10 * time.Millisecond
)

// TakeLock makes the folder .llmc if need be and locks it. While another process
// or another build in this one has the lock it fails with fault.Conflict. The
// system gives it back when the process dies.
func TakeLock(ctx context.Context, root string) (*Lock, error) {
	dir, err := makeFolder(root)
	if err != nil {
		return nil, unwritable(err)
	}
	if info, err := dir.Lstat(lockName); err == nil && !info.Mode().IsRegular() {
		return nil, errors.Join(errSymlink(Folder+"/"+lockName), dir.Close())
	}
	l := &Lock{dir: dir, lock: flock.New(filepath.Join(root, Folder, lockName))}
	if err := l.take(ctx); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return l, nil
}

func (l *Lock) take(ctx context.Context) error {
	for range lockTries {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if ok, err := l.lock.TryLock(); err != nil {
			return unwritable(err)
		} else if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPause):
		}
	}
	return fault.New(fault.Conflict, "the graph of this repository is being built; wait until that has ended")
}

// Release gives the lock back.
func (l *Lock) Release() error { return errors.Join(l.lock.Close(), l.dir.Close()) }

// unwritable classifies what goes wrong with the folder, unless it is already.
func unwritable(err error) error {
	if _, known := errors.AsType[*fault.Error](err); known {
		return err
	}
	if of, ok := fault.As(err); ok {
		return fault.Wrap(of.Code, err, "the graph can't be written: %s", of.Message)
	}
	return fault.Wrap(fault.InvalidRequest, err, "the folder %s of the repository cannot be written: %s", Folder,
		reason(err))
}

// reason is an error without the path, which may tell where things are on the
// server.
func reason(err error) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Sprint(at.Err)
	}
	return "see the log"
}
