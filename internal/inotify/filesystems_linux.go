package inotify

import (
	"errors"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// remote are the magic numbers, see statfs(2), of file systems on which others
// may change files without this system's notice.
var remote = map[uint32]string{
	0x6969: "NFS", 0x517B: "SMB", 0xFF534D42: "CIFS", 0xFE534D42: "SMB", 0x65735546: "FUSE",
	0x01021997: "9P", 0x5346414F: "AFS", 0x00C36400: "Ceph", 0x564C: "NCP", 0x786F4256: "VirtualBox",
}

// local are those of file systems that this system alone changes, and by their
// own names only. Overlays are not among them: of changes to the folders that
// lie below they don't tell.
var local = map[uint32]string{
	unix.EXT4_SUPER_MAGIC: "ext", unix.XFS_SUPER_MAGIC: "XFS", unix.BTRFS_SUPER_MAGIC: "Btrfs",
	unix.F2FS_SUPER_MAGIC: "F2FS",
	unix.TMPFS_MAGIC:      "tmpfs", unix.RAMFS_MAGIC: "ramfs", 0x2FC12FC1: "ZFS", 0xCA451A4E: "bcachefs",
	unix.SQUASHFS_MAGIC:       "SquashFS",
	unix.EROFS_SUPER_MAGIC_V1: "EROFS", 0x3153464A: "JFS",
}

// Remote is the kind of the file system that a folder is on, "" where others
// than this system are not known to change it.
func Remote(folder string) string {
	var st unix.Statfs_t
	if err := unix.Statfs(folder, &st); err != nil {
		return ""
	}
	return remote[uint32(st.Type)] //nolint:gosec // the number has 32 bits
}

// Local reports whether an open folder is on a file system that is known to tell
// of all changes.
func Local(folder int) bool {
	var st unix.Statfs_t
	if err := unix.Fstatfs(folder, &st); err != nil {
		return false
	}
	return local[uint32(st.Type)] != "" //nolint:gosec // the number has 32 bits
}

// LocalPaths reports whether what is at absolute paths, or the next thing above
// them, is on such file systems.
func LocalPaths(paths []string) bool {
	var st unix.Statfs_t
	for _, p := range paths {
		err := unix.Statfs(p, &st)
		for (errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR)) && p != filepath.Dir(p) {
			p = filepath.Dir(p)
			err = unix.Statfs(p, &st)
		}
		if err != nil || local[uint32(st.Type)] == "" { //nolint:gosec // the number has 32 bits
			return false
		}
	}
	return true
}
