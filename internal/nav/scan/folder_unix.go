//go:build unix

package scan

import (
	"context"
	"errors"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ragnav/ragnav/internal/fault"
)

// A folderReader keeps the folders open that lead to the last file it read, so
// that the next file in one of them takes four system calls. Each step is
// opened by its name alone, in the folder before it, and without following
// symlinks: as in os.Root, nobody who moves things about can lead it outside.
type folderReader struct {
	root  int
	dir   string // the folder that is open, ends in "/" unless it is the root
	steps []step
}

// A step is an open folder.
type step struct {
	fd   int
	size int // of the reader's dir up to this folder
}

// Reader implements Opener.
func (f *Folder) Reader() (Reader, error) {
	fd, err := openAt(unix.AT_FDCWD, f.root, unix.O_DIRECTORY)
	if err != nil {
		return nil, fault.Wrap(fault.PathNotFound, err,
			"the folder %s is gone or can't be read; remove the repository, or index it from where it is now", f.root)
	}
	return &folderReader{root: fd}, nil
}

// Close implements Reader.
func (r *folderReader) Close() error {
	r.leave(0)
	return unix.Close(r.root)
}

// Read implements Reader.
func (r *folderReader) Read(ctx context.Context, path string, buffer []byte, limit int64) ([]byte, error) {
	if outside(path) {
		return nil, errUnreadable
	}
	slash := strings.LastIndexByte(path, '/') + 1
	if err := r.enter(path[:slash]); err != nil {
		return nil, reasonFor(err)
	}
	fd, err := openAt(r.current(), path[slash:], unix.O_NONBLOCK)
	if err != nil {
		return nil, reasonFor(err)
	}
	defer func() { _ = unix.Close(fd) }()
	return readAll(ctx, fd, buffer, limit)
}

func (r *folderReader) current() int {
	if len(r.steps) == 0 {
		return r.root
	}
	return r.steps[len(r.steps)-1].fd
}

// enter opens the folder dir, from the nearest one above it that is open.
func (r *folderReader) enter(dir string) error {
	if dir == r.dir {
		return nil
	}
	keep := 0
	for keep < len(r.steps) && strings.HasPrefix(dir, r.dir[:r.steps[keep].size]) {
		keep++
	}
	r.leave(keep)
	for len(r.dir) < len(dir) {
		name, _, _ := strings.Cut(dir[len(r.dir):], "/")
		fd, err := openAt(r.current(), name, unix.O_DIRECTORY)
		if err != nil {
			return err
		}
		r.dir = dir[:len(r.dir)+len(name)+1]
		r.steps = append(r.steps, step{fd: fd, size: len(r.dir)})
	}
	return nil
}

// leave closes all but the first folders.
func (r *folderReader) leave(keep int) {
	for _, s := range r.steps[keep:] {
		_ = unix.Close(s.fd)
	}
	r.steps = r.steps[:keep]
	if keep == 0 {
		r.dir = ""
		return
	}
	r.dir = r.dir[:r.steps[keep-1].size]
}

func openAt(dir int, name string, flags int) (fd int, err error) {
	for {
		fd, err = unix.Openat(dir, name, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|flags, 0)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}

const (
	readFirst  = 64 << 10 // bytes of a file that are read before it is looked at
	readAtOnce = 4 << 20  // between two looks at the context
)

// readAll reads a regular file, which may grow and shrink meanwhile.
func readAll(ctx context.Context, fd int, buffer []byte, limit int64) ([]byte, error) {
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return nil, reasonFor(err)
	}
	switch {
	case info.Mode&unix.S_IFMT == unix.S_IFDIR:
		return nil, submodule(fd, buffer)
	case info.Mode&unix.S_IFMT != unix.S_IFREG:
		return nil, errUnreadable
	case info.Size > limit:
		return nil, errTooLarge
	}
	data, step := buffer[:0], readFirst
	if want := int(info.Size) + 1; cap(data) < want { // one more, to see the end
		data = make([]byte, 0, max(want, min(4*cap(data), int(limit)+1, readAtOnce))) // for larger files that follow, too
	}
	for {
		n, err := unix.Read(fd, data[len(data):min(cap(data), len(data)+step)])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return nil, reasonFor(err)
		}
		start := len(data) == 0
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, errTooLarge
		case n == 0 || len(data) < cap(data) && int64(len(data)) == info.Size:
			return data, nil
		case start && hasNUL(data):
			return nil, errBinary
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case len(data) == cap(data):
			data = append(data, 0)[:len(data)]
		}
		step = readAtOnce
	}
}

// submodule says what a folder is that is listed as a file: nothing, until it is
// checked out.
func submodule(fd int, buffer []byte) error {
	buffer = append(buffer[:0], make([]byte, 4096)...)
	n, err := unix.ReadDirent(fd, buffer)
	if err != nil {
		return reasonFor(err)
	}
	if _, entries, _ := unix.ParseDirent(buffer[:n], 1, nil); entries == 0 {
		return errGone
	}
	return errSubmodule
}

// reasonFor classifies an error about one file. A symlink in its path is one
// of these too.
func reasonFor(err error) error {
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		return errGone
	}
	return errUnreadable
}
