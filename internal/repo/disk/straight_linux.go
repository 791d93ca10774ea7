package disk

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// A straight opens files and folders straight on, by their path from the root in
// one call of the system, where going down takes two to four a folder.
//
// The system refuses a path that has a symlink in it, or leads outside. Then, as
// where it is too old, it is not ok: who goes down finds out why.
type straight struct {
	mu  sync.Mutex
	top *os.File // the folder, once something was opened
}

// read reads a regular file of a clean path. It is not ok for anything else.
func (s *straight) read(dir *os.Root, p string, memory []byte, limit int64) (data []byte, stat Stat, ok bool) {
	if slices.ContainsFunc(relpath.Segments(p), relpath.IsGitFolder) {
		return nil, Stat{}, false
	}
	fd, err := s.openAt(dir, p, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY)
	if err != nil {
		return nil, Stat{}, false
	}
	return readAt(fd, p, memory, limit)
}

func readAt(fd int, p string, memory []byte, limit int64) ([]byte, Stat, bool) {
	f := descriptor(fd)
	defer func() { _ = unix.Close(fd) }()
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil || info.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, Stat{}, false
	}
	data, err := readUpTo(f, memory, info.Size, limit)
	if err != nil {
		return nil, Stat{}, false
	}
	stat := Stat{Path: p, Size: info.Size, ModTime: info.Mtim.Nano(), Changed: info.Ctim.Nano(), Look: lookOf(&info)}
	return data, stat, true
}

func lookOf(info *unix.Stat_t) Look {
	return Look{
		device: info.Dev, inode: info.Ino, size: info.Size, modified: info.Mtim.Nano(), changed: info.Ctim.Nano(),
	}
}

// looks looks at a clean path.
func (s *straight) looks(dir *os.Root, p string) (l Look, ok bool) {
	top, err := s.open(dir)
	if err != nil {
		return Look{}, false
	}
	var info unix.Stat_t
	failed := top.Control(func(at uintptr) {
		err = unix.Fstatat(int(at), p, &info, unix.AT_SYMLINK_NOFOLLOW) //nolint:gosec // a descriptor
	})
	return lookOf(&info), cmp.Or(failed, err) == nil
}

// lstat looks at a clean path. That nothing is there is ok, and an error.
func (s *straight) lstat(dir *os.Root, p string) (info fs.FileInfo, ok bool, err error) {
	fd, err := s.openAt(dir, p, unix.O_PATH|unix.O_NOFOLLOW)
	if errors.Is(err, unix.ENOENT) {
		return nil, true, &fs.PathError{Op: "lstat", Path: p, Err: err}
	}
	if err != nil {
		return nil, false, nil
	}
	f := os.NewFile(uintptr(fd), p)
	defer func() { _ = f.Close() }()
	info, err = f.Stat()
	return info, err == nil, nil
}

// folder opens a folder of a clean path to be listed.
func (s *straight) folder(dir *os.Root, p string) (*os.File, bool) {
	fd, err := s.openAt(dir, p, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err != nil {
		return nil, false
	}
	return os.NewFile(uintptr(fd), p), true
}

func (s *straight) openAt(dir *os.Root, p string, flags uint64) (fd int, err error) {
	top, err := s.open(dir)
	if err != nil {
		return -1, err
	}
	failed := top.Control(func(at uintptr) {
		fd, err = unix.Openat2(int(at), relpath.OrDot(p), &unix.OpenHow{ //nolint:gosec // a descriptor
			Flags: flags | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
		})
	})
	return fd, cmp.Or(failed, err)
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
