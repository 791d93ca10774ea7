package machine

import "golang.org/x/sys/windows"

// freeBytes is the room that this user has left on the disk of dir.
func freeBytes(dir string) (uint64, error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free, total, totalFree uint64
	err = windows.GetDiskFreeSpaceEx(path, &free, &total, &totalFree)
	return free, err
}

// writable is not known here before something is written.
func writable(string) bool { return true }
