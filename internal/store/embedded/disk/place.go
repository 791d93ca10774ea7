package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// LockFile is held while a store is open, OwnerFile says by whom.
const (
	LockFile  = "LOCK"
	OwnerFile = "owner.json"
)

// NoFolder is why a folder is damaged in whose place there is a file, say.
const NoFolder = "is not a folder"

// Misplaced are the names of a data directory at which there is something of
// another kind than a store makes.
func Misplaced(dir string) ([]*Damage, error) {
	var found []*Damage
	for _, name := range []string{QuarantineDir, TextDir, RowsDir, DraftsDir} {
		info, err := os.Stat(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !info.IsDir():
			found = append(found, &Damage{name, NoFolder})
		}
	}
	for _, name := range []string{LockFile, OwnerFile} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.Mode().IsRegular() {
			found = append(found, &Damage{name, NoFile})
		}
	}
	return found, nil
}

// stamped is a name that was not there before.
func stamped(name string) string {
	return name + time.Now().UTC().Format(".20060102T150405.000000")
}
