package fresh

import "golang.org/x/sys/unix"

// lookOnly opens a folder to look at what is in it, without the right to list it.
const lookOnly = unix.O_PATH

// straight opens a folder below a place in one call, symlinks not followed. It is
// not ok where there is none, or the system can't: who goes down finds out why.
func straight(p place, dir string) (place, bool) {
	here, ok := descriptor(p)
	if !ok || dir == "" {
		return nil, false
	}
	fd, err := unix.Openat2(here, dir, &unix.OpenHow{
		Flags:   lookOnly | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	return fdPlace{fd}, err == nil
}
