package disk

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

// A lock counts as taken when it was refused so often, with a pause between; where
// nobody says that it is theirs, others are reading, which ends soon. Time alone
// would not do: on a busy machine it may be over before the lock was tried.
const (
	ownedTries   = 10
	readingTries = 150
	lockPause    = 30 * time.Millisecond
)

// TakeLock locks the directory for this process and writes its owner; or, of a
// store that is only read, locks it against writers. Where no lock can be made
// nobody can write either, or the next step says what is wrong.
func TakeLock(ctx context.Context, dir string, readOnly bool) (*flock.Flock, error) {
	lock := lockOf(dir)
	try := lock.TryLock
	if readOnly {
		lock = flock.New(lock.Path(), flock.SetFlag(os.O_RDONLY))
		if !exists(lock.Path()) {
			return nil, nil
		}
		try = lock.TryRLock
	}
	if err := take(ctx, dir, try); err != nil {
		return nil, err
	}
	if readOnly {
		return lock, nil
	}
	err := WriteOwner(dir, "")
	if IsFull(err) { // nobody knows by whom it is locked then, but what is in it can be removed
		err = RemoveOwner(dir)
	}
	if err != nil {
		return nil, errors.Join(fault.Wrap(fault.RAGUnavailable, err, "the data directory %s cannot be written: %v; %s", dir,
			err, Advice(dir, err)), lock.Close())
	}
	return lock, nil
}

// Displaced is the damage of a directory that was removed, or replaced by another,
// since this process took its lock: what is there now, if anything, is not what the
// process has open. Without a lock nothing is known.
func Displaced(lock *flock.Flock) error {
	if lock == nil || !lock.Locked() && !lock.RLocked() {
		return nil
	}
	held, err := lock.Stat()
	if err != nil {
		return err
	}
	found, err := os.Stat(lock.Path())
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &Damage{lockFile, "was removed while it was held, perhaps with all of the directory"}
	case err == nil && !os.SameFile(held, found):
		return &Damage{lockFile, "is another one: the directory was replaced while it was open"}
	}
	return err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// take tries until the lock is taken. LockInfo of another process holds it for a
// moment: one refusal says nothing.
func take(ctx context.Context, dir string, try func() (bool, error)) error {
	tries := ownedTries
	if _, err := os.Stat(ownerFile(dir)); errors.Is(err, os.ErrNotExist) {
		tries = readingTries
	}
	for range tries {
		if ctx.Err() != nil {
			return fmt.Errorf("lock the data directory: %w", ctx.Err())
		}
		locked, err := try()
		if err != nil {
			return fault.Wrap(fault.RAGUnavailable, err, "the data directory %s cannot be locked: %v; %s", dir, err,
				Advice(dir, err))
		}
		if locked {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(lockPause):
		}
	}
	return ErrLocked(dir)
}

// ErrLocked says who has a directory open.
func ErrLocked(dir string) error {
	owner, err := readOwner(dir)
	switch {
	case err != nil || owner.PID == 0:
		return fault.New(fault.Conflict, "the data directory %s is open in another process; stop it or use another directory",
			dir)
	case owner.Address != "":
		return fault.New(fault.Conflict,
			"the data directory %s is open in process %d, which serves http://%s; use that server, or stop it",
			dir, owner.PID, owner.Address)
	}
	return fault.Later(
		"the data directory %s is open in process %d; wait for it, stop it, or use another directory", dir, owner.PID)
}

// The owner has a file of its own because Windows does not let others read a
// locked one.
func ownerFile(dir string) string { return filepath.Join(dir, ownerName) }

func lockOf(dir string) *flock.Flock { return flock.New(filepath.Join(dir, lockFile)) }

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

// WriteOwner says that this process has a directory open.
func WriteOwner(dir, address string) error {
	data, err := json.Marshal(Owner{PID: os.Getpid(), Address: address, Since: time.Now().UTC()})
	if err != nil {
		return err
	}
	return Replace(ownerFile(dir), append(data, '\n'), false)
}

// RemoveOwner says that nobody has any more.
func RemoveOwner(dir string) error {
	if err := os.Remove(ownerFile(dir)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
