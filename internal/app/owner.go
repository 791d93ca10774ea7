package app

import (
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// ServerOf is the address, host:port, of the server that has the data directory
// dir open, or "" when no server has.
func ServerOf(dir string) string {
	owner, held, err := embedded.LockInfo(dir)
	if err != nil || !held {
		return ""
	}
	return owner.Address
}

// Announce leaves the address of this process's server in the data directory,
// for ServerOf. Close takes it back. A store that nobody owns needs none.
func (a *App) Announce(addr string) error {
	if owned, ok := a.store.(store.Announcer); ok {
		return owned.Announce(addr)
	}
	return nil
}
