//go:build linux && (amd64 || arm64)

package fresh

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// differing is the inner loop of every check: nothing is copied or allocated
// for a file that is as it was, and its name is handed over as it is kept.
//
// The scheduler is told of each system call. Not to tell it would spare 5% of
// the time, and let a slow file system stop other goroutines.
func (p fdPlace) differing(files []file, report func(i int, seen stat)) error {
	var st unix.Stat_t
	for i := range files {
		f := &files[i]
		if f.unlisted {
			continue
		}
		errno := unix.EINTR
		for errno == unix.EINTR {
			_, _, errno = unix.Syscall6(unix.SYS_NEWFSTATAT, uintptr(p.fd), uintptr(unsafe.Pointer(f.cname)), //nolint:gosec // terminated by a NUL
				uintptr(unsafe.Pointer(&st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		}
		switch {
		case errno == 0 && !f.mark.racy && f.mark.isOf(&st):
		case errno == 0:
			report(i, statOfUnix(&st))
		case !absent(errno):
			return os.NewSyscallError("fstatat", errno)
		case f.mark.racy || f.mark.kind != nothing:
			report(i, stat{})
		}
	}
	return nil
}

// isOf is s == statOfUnix(st).
func (s *stat) isOf(st *unix.Stat_t) bool {
	return s.ctime == st.Ctim.Nano() && s.mtime == st.Mtim.Nano() && s.size == st.Size && s.inode == st.Ino &&
		s.kind == kindOfMode(st.Mode) &&
		s.linked == linked(st)
}
