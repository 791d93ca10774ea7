package app

import (
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// ServerOf is the address, host:port, of the server that has the data directory
// dir open, or "" when no server has.
func ServerOf(dir string) string {
	owner, held, err := disk.LockInfo(dir)
	if err != nil || !held {
		return ""
	}
	return owner.Address
}
