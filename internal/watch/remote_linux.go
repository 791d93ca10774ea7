package watch

import "syscall"

// remote are the magic numbers, see statfs(2), of file systems on which others
// may change files without this system's notice.
var remote = map[uint32]string{
	0x6969: "NFS", 0x517B: "SMB", 0xFF534D42: "CIFS", 0xFE534D42: "SMB", 0x65735546: "FUSE",
	0x01021997: "9P", 0x5346414F: "AFS", 0x00C36400: "Ceph", 0x564C: "NCP", 0x786F4256: "VirtualBox",
}

// remoteKind is the kind of the file system that a folder is on, "" for one
// that tells of all changes.
func remoteKind(folder string) string {
	var st syscall.Statfs_t
	if err := syscall.Statfs(folder, &st); err != nil {
		return ""
	}
	return remote[uint32(st.Type)] //nolint:gosec // the number has 32 bits
}
