package disk

import (
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A straight reads files from a folder straight on.
type straight struct {
	mu  sync.Mutex
	top *os.File // the folder, once a file was read
}

// read reads a regular file whose clean path has no symlink in it, which
// the system says in one call, where going down takes two to four a folder. It is
// not ok where that is not so, nothing is there, or the system is too old: then
// who goes down finds out why.
func (s *straight) read(dir *os.Root, p string, limit int64) (data []byte, stat Stat, ok bool) {
	top, err := s.open(dir)
	if err != nil || slices.ContainsFunc(relpath.Segments(p), relpath.IsGitFolder) {
		return nil, Stat{}, false
	}
	err = top.Control(func(fd uintptr) {
		data, stat, ok = readBelow(int(fd), p, limit) //nolint:gosec // a descriptor
	})
	return data, stat, ok && err == nil
}

func readBelow(dir int, p string, limit int64) ([]byte, Stat, bool) {
	fd, err := unix.Openat2(dir, p, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	if err != nil {
		return nil, Stat{}, false
	}
	f := descriptor(fd)
	defer func() { _ = unix.Close(fd) }()
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil || info.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, Stat{}, false
	}
	data, err := readUpTo(f, info.Size, limit)
	if err != nil {
		return nil, Stat{}, false
	}
	return data, Stat{Path: p, Size: info.Size, ModTime: info.Mtim.Nano(), Changed: info.Ctim.Nano()}, true
}

// open opens the folder itself when it is needed first.
func (s *straight) open(dir *os.Root) (syscall.RawConn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.top == nil {
		top, err := dir.OpenFile(".", os.O_RDONLY, 0)
		if err != nil {
			return nil, err
		}
		s.top = top
	}
	return s.top.SyscallConn()
}

func (s *straight) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.top != nil {
		_ = s.top.Close() // was read only
	}
}

// A descriptor is a regular file that is read from its beginning on.
type descriptor int

func (d descriptor) Read(b []byte) (int, error) {
	for {
		n, err := unix.Read(int(d), b)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return 0, err
		case n == 0 && len(b) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}
