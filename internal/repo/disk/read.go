package disk

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/filetime"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A Stat is what a file looked like when it was read.
type Stat struct {
	Path    string // that its path leads to when symlinks are followed
	Size    int64
	ModTime int64 // nanoseconds since 1970
	Changed int64 // as Entry.Changed
	Look    Look  // zero where Folder.Looks is never ok

	// What Read of a StoredTree finds: how many credentials show as asterisks,
	// and the numbers of the lines that they are in.
	Masked      int
	MaskedLines []int
}

// Stat looks at a regular file without opening it. Errors are those of Read.
func (t *Folder) Stat(ctx context.Context, name string) (Stat, error) {
	if err := ctx.Err(); err != nil {
		return Stat{}, err
	}
	p, info, err := t.regular(name)
	if err != nil {
		return Stat{}, err
	}
	return statOf(p, info), nil
}

// Looks tells what the file of a clean path looks like, where the system does in one call;
// else it is not ok. A path that did not lead through symlinks when the file was read may by now.
func (t *Folder) Looks(p string) (Look, bool) { return t.straight.looks(t.dir, p) }

func statOf(p string, info fs.FileInfo) Stat {
	return Stat{Path: p, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Changed: filetime.Changed(info)}
}

// Read reads a regular file of a path as clients give it. When the file holds
// more than limit bytes, the first limit+1 are returned: more than limit bytes
// means cut. Symlinks are followed inside the repository; one that leaves it
// is InvalidPath, like folders, special files and .git.
func (t *Folder) Read(ctx context.Context, name string, limit int64) ([]byte, Stat, error) {
	return t.ReadInto(ctx, nil, name, limit)
}

// ReadInto is Read into memory of the caller's, in place of which there is other
// where it has too little room.
func (t *Folder) ReadInto(ctx context.Context, memory []byte, name string, limit int64) ([]byte, Stat, error) {
	if err := ctx.Err(); err != nil {
		return nil, Stat{}, err
	}
	if p, err := relpath.Clean(name); err == nil && p != "" {
		if data, stat, ok := t.straight.read(t.dir, p, memory, limit); ok {
			return data, stat, nil
		}
	}
	f, p, info, err := t.open(name)
	if err != nil {
		return nil, Stat{}, err
	}
	defer func() { _ = f.Close() }()
	data, err := readUpTo(f, memory, info.Size(), limit)
	if err != nil {
		return nil, Stat{}, Fault(name, err)
	}
	return data, statOf(p, info), nil
}

// regular is the path, relative to the root, of a regular file that a path as
// clients give it leads to.
func (t *Folder) regular(name string) (string, fs.FileInfo, error) {
	p, err := relpath.Clean(name)
	if err != nil {
		return "", nil, err
	}
	if p == "" {
		return "", nil, NotAFile(name, fs.ModeDir)
	}
	if p, err = t.Resolve(p); err != nil {
		return "", nil, Fault(name, err)
	}
	info, err := t.dir.Lstat(relpath.OrDot(p))
	if err != nil {
		return "", nil, Fault(name, err)
	}
	if !info.Mode().IsRegular() {
		return "", nil, NotAFile(name, info.Mode())
	}
	return p, info, nil
}

// open opens a regular file without ever waiting for the other end of a FIFO.
func (t *Folder) open(name string) (f *os.File, p string, info fs.FileInfo, err error) {
	p, _, err = t.regular(name)
	if err != nil {
		return nil, "", nil, err
	}
	f, err = t.dir.OpenFile(p, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, "", nil, Fault(name, err)
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = NotAFile(name, info.Mode())
	}
	if err != nil {
		_ = f.Close()
		return nil, "", nil, Fault(name, err)
	}
	return f, p, info, nil
}

// readUpTo reads a regular file of about that size.
func readUpTo(f io.Reader, memory []byte, size, limit int64) ([]byte, error) {
	buf := slices.Grow(memory[:0], int(min(size, limit))+1)
	r := io.LimitReader(f, limit+1)
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) || int64(n) == size && len(buf) < cap(buf) && err == nil {
			return buf, nil // less than there was room for, and all that there was
		}
		if err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

// NotAFile is the error of what is no regular file.
func NotAFile(name string, mode fs.FileMode) error {
	if clean, err := relpath.Clean(name); err == nil && clean == "" {
		name = "."
	}
	if mode.IsDir() {
		return fault.New(fault.InvalidPath, "%q is a folder; explore_structure lists it", name)
	}
	return fault.New(fault.InvalidPath, "%q is not a regular file", name)
}

// Fault classifies an error about a path that a client gave.
func Fault(name string, err error) error {
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	if f := momentary(strconv.Quote(name), err); f != nil {
		return f
	}
	switch {
	case errors.Is(err, ErrLeaves):
		return fault.Wrap(fault.InvalidPath, err, "the path %q leaves the repository through a symlink", name)
	case errors.Is(err, errGitDir):
		return fault.Wrap(fault.InvalidPath, err, "the path %q leads into .git, which is not served", name)
	case errors.Is(err, ErrLoop):
		return fault.Wrap(fault.InvalidPath, err, "the path %q is a loop of symlinks", name)
	case errors.Is(err, fs.ErrPermission):
		return fault.Wrap(fault.PathNotFound, err, "%q can't be read by this program; check its permissions", name)
	case errors.Is(err, fs.ErrNotExist), isNotADirectory(err):
		return fault.Wrap(fault.PathNotFound, err,
			"there is no %q in this repository now; explore_structure lists what there is", name)
	}
	return fault.Wrap(fault.PathNotFound, err, "%q can't be read", name)
}
