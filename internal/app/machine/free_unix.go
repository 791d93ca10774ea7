//go:build unix

package machine

import "golang.org/x/sys/unix"

// writable reports whether this user may make files in dir.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }

// freeBytes is the room that this user has left on the disk of dir.
func freeBytes(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return uint64(st.Bavail) * uint64(st.Bsize), nil //nolint:unconvert // the fields' types differ between systems
}
