package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/ragnav/ragnav/internal/fault"
)

// An Owner is the process that has a data directory open.
type Owner struct {
	PID     int       `json:"pid"`
	Address string    `json:"address,omitempty"` // host:port of its HTTP server, if it has one
	Since   time.Time `json:"since"`
}

// LockInfo tells which process has the data directory open. It reports false
// when none has.
func LockInfo(dir string) (Owner, bool, error) {
	lock := lockOf(dir)
	if _, err := os.Stat(lock.Path()); errors.Is(err, os.ErrNotExist) {
		return Owner{}, false, nil
	}
	free, err := lock.TryRLock()
	if err != nil {
		return Owner{}, false, fmt.Errorf("look at the lock of %s: %w", dir, err)
	}
	if free {
		return Owner{}, false, lock.Close()
	}
	owner, err := readOwner(dir)
	return owner, true, err
}

// Announce writes the address under which this process can be reached for
// LockInfo to find.
func (s *Store) Announce(address string) error {
	if err := writeOwner(s.dir, address); err != nil {
		return fmt.Errorf("announce the address: %w", err)
	}
	return nil
}

// lockPatience is how long a lock must stay refused to count as taken.
const lockPatience = 300 * time.Millisecond

// takeLock locks dir for this process and writes its owner.
func takeLock(ctx context.Context, dir string) (*flock.Flock, error) {
	lock := lockOf(dir)
	// LockInfo of another process holds the lock for a moment: one refusal says nothing.
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	locked, err := lock.TryLockContext(ctx, lockPatience/10)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fault.Wrap(fault.RAGUnavailable, err, "the data directory %s cannot be locked: %v", dir, err)
	}
	if !locked {
		return nil, errLocked(dir)
	}
	if err := writeOwner(dir, ""); err != nil {
		return nil, errors.Join(fault.Wrap(fault.RAGUnavailable, err, "the data directory %s cannot be written: %v", dir, err), lock.Close())
	}
	return lock, nil
}

func errLocked(dir string) error {
	owner, err := readOwner(dir)
	switch {
	case err != nil || owner.PID == 0:
		return fault.New(fault.Conflict, "the data directory %s is open in another process; stop it or use another directory", dir)
	case owner.Address != "":
		return fault.New(fault.Conflict, "the data directory %s is open in process %d, which serves http://%s; use that server, or stop it",
			dir, owner.PID, owner.Address)
	}
	return fault.New(fault.Conflict, "the data directory %s is open in process %d; wait for it, stop it, or use another directory", dir, owner.PID)
}

// The owner has a file of its own because Windows does not let others read a
// locked one.
func ownerFile(dir string) string { return filepath.Join(dir, "owner.json") }

func lockOf(dir string) *flock.Flock { return flock.New(filepath.Join(dir, "LOCK")) }

func readOwner(dir string) (Owner, error) {
	var owner Owner
	data, err := os.ReadFile(ownerFile(dir))
	if err == nil {
		err = json.Unmarshal(data, &owner)
	}
	if err != nil {
		return Owner{}, fmt.Errorf("read who has %s open: %w", dir, err)
	}
	return owner, nil
}

func writeOwner(dir, address string) error {
	return writeJSON(ownerFile(dir), Owner{PID: os.Getpid(), Address: address, Since: time.Now().UTC()})
}

func removeOwner(dir string) error {
	if err := os.Remove(ownerFile(dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
