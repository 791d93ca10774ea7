// Package artifact keeps what was built of a repository in the folder Dir of it,
// which git ignores by a file of its own. A file is replaced in one step: a
// reader sees the old one or the new one, whatever happens to the writer. Beside
// it are the status file and the route of spec 002: by both and by HEAD, whether
// what was built is to be used.
package artifact

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// Dir is the folder of a repository that holds what is built from it.
const Dir = ".llmc"

// The files in Dir.
const (
	StatusFile = "rag_index_status.json"
	ExportFile = "index.scip" // for other tools; may be written while a graph is built
)

const (
	tempPrefix = ".writing-"
	abandoned  = time.Hour // after which a temporary file belongs to nobody
)

// Prepare makes the folder Dir, with a file that makes git ignore it, and
// removes what writers left there that died: nobody else may be writing, but an
// ExportFile. A tree that can't be written to, or where Dir is not a folder, is InvalidRequest.
func Prepare(tree *disk.Folder) error {
	dir, err := openDir(tree, true)
	if err == nil {
		sweep(dir, 0)
		_ = dir.Close()
	}
	return err
}

// WriteArtifact replaces a file in Dir: what write wrote is on disk under that
// name as a whole, or, if anything fails or the process ends, the old file
// still is. Of several writers at once one wins. Nothing outside of the tree is
// written to, whatever symlinks are there.
func WriteArtifact(tree *disk.Folder, name string, write func(io.Writer) error) error {
	dir, err := openDir(tree, true)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	sweep(dir, abandoned)
	if err := replace(dir, name, write); err != nil {
		code := fault.InvalidRequest
		if of, ok := fault.As(err); ok {
			code = of.Code
		}
		return fault.Wrap(code, err,
			"%s/%s can't be written in %s; check its permissions and the space on disk", Dir, name, tree.Root())
	}
	return nil
}

// ReadArtifact is the content of a file in Dir, at most limit bytes of it. A
// missing one is fs.ErrNotExist.
func ReadArtifact(tree *disk.Folder, name string, limit int64) ([]byte, error) {
	f, err := openArtifact(tree, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, limit))
}

// openArtifact opens a file in Dir to be read. A missing one is fs.ErrNotExist;
// one that is no regular file is InvalidRequest.
func openArtifact(tree *disk.Folder, name string) (*os.File, error) {
	dir, err := openDir(tree, false)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fault.New(fault.InvalidRequest, "%s/%s in %s is not a regular file; remove it", Dir, name, tree.Root())
	}
	return dir.Open(name)
}

// openDir opens Dir, which is made if that is wanted. A symlink in its place is
// refused, even one that stays inside: others could replace it at any time.
func openDir(tree *disk.Folder, create bool) (*os.Root, error) {
	root, err := tree.Inner("")
	if err != nil {
		return nil, fault.Wrap(fault.PathNotFound, err, "the folder %s is gone", tree.Root())
	}
	defer func() { _ = root.Close() }()
	info, err := root.Lstat(Dir)
	if errors.Is(err, fs.ErrNotExist) && create {
		if err = root.Mkdir(Dir, 0o755); errors.Is(err, fs.ErrExist) {
			err = nil
		}
		if err == nil {
			info, err = root.Lstat(Dir)
		}
	}
	if errors.Is(err, fs.ErrNotExist) && !create {
		return nil, err
	}
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "%s can't be made in %s; check its permissions", Dir, tree.Root())
	}
	if !info.IsDir() {
		return nil, notOurs(tree)
	}
	dir, err := root.OpenRoot(Dir)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "%s in %s can't be opened; check its permissions", Dir, tree.Root())
	}
	if opened, err := dir.Stat("."); err != nil || !os.SameFile(info, opened) {
		_ = dir.Close()
		return nil, notOurs(tree)
	}
	if create {
		ignoreItself(dir)
	}
	return dir, nil
}

func notOurs(tree *disk.Folder) error {
	return fault.New(fault.InvalidRequest, "%s in %s is not a folder (a symlink, perhaps); remove it", Dir, tree.Root())
}

// ignoreItself makes git ignore the folder, unless there is a rule of the user's.
// Where it can't be written, what follows can't either, and tells.
func ignoreItself(dir *os.Root) {
	f, err := dir.OpenFile(".gitignore", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return
	}
	_, err = f.WriteString("*\n")
	if err = errors.Join(err, f.Close()); err != nil {
		_ = dir.Remove(".gitignore") // an empty one would be taken for the user's
	}
}

func replace(dir *os.Root, name string, write func(io.Writer) error) (err error) {
	temp := tempPrefix + name + "-" + rand.Text()
	f, err := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = dir.Remove(temp)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = dir.Rename(temp, name); err != nil {
		return err
	}
	return syncFolder(dir)
}

// syncFolder makes a rename survive a power cut where folders can be synced.
func syncFolder(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	_ = f.Sync()
	return nil
}

// sweep removes what writers left behind that were killed, if it is so old, or
// abandoned where writers need no lock.
func sweep(dir *os.Root, age time.Duration) {
	f, err := dir.Open(".")
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	entries, _ := f.Readdirnames(-1)
	for _, name := range entries {
		if !strings.HasPrefix(name, tempPrefix) {
			continue
		}
		least := age
		if strings.HasPrefix(name, tempPrefix+ExportFile) {
			least = abandoned
		}
		if info, err := dir.Lstat(name); err == nil && time.Since(info.ModTime()) >= least {
			_ = dir.Remove(name)
		}
	}
}

// writeBytes is a write of WriteArtifact.
func writeBytes(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
			return fmt.Errorf("writing %d bytes: %w", len(data), err)
		}
		return nil
	}
}
