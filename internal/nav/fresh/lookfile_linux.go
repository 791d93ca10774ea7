//go:build linux && (amd64 || arm64)

package fresh

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// lookFile is look without copying the name: a tenth less time for a whole tree.
func (p fdPlace) lookFile(f *file) (sight, error) {
	var st unix.Stat_t
	for {
		_, _, errno := unix.Syscall6(sysFstatat, uintptr(p.fd), uintptr(unsafe.Pointer(f.cname)), //nolint:gosec // terminated by a NUL
			uintptr(unsafe.Pointer(&st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		switch {
		case errno == 0:
			return sightOfStat(&st), nil
		case errno == unix.EINTR:
		case absent(errno):
			return sight{}, nil
		default:
			return sight{}, os.NewSyscallError("fstatat", errno)
		}
	}
}
