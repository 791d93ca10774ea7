package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
)

// lockFile is held while a store is open, ownerName says by whom.
const (
	lockFile  = "LOCK"
	ownerName = "owner.json"
)

// noFolder is why a folder is damaged in whose place there is a file, say.
const noFolder = "is not a folder"

// NoPlace says why there can be no data directory at dir, which need not exist: it
// is a file, or below one, or behind a link that leads nowhere, as to a disk that
// is not mounted. To take that for a directory without an index would lose one.
func NoPlace(dir string) error {
	for path := dir; ; path = filepath.Dir(path) {
		if _, err := os.Lstat(path); err != nil {
			if path == filepath.Dir(path) {
				return nil
			}
			continue
		}
		switch info, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
			target, _ := os.Readlink(path) // for people
			return fault.New(fault.RAGUnavailable,
				"the data directory %s cannot be used: %s is a link to %s, which is not there; mount its disk, or remove the link",
				dir, path, target)
		case err == nil && !info.IsDir():
			return fault.New(fault.RAGUnavailable,
				"the data directory %s cannot be used: %s is a file; name a folder with --store embedded:DIR", dir, path)
		}
		return nil
	}
}

// Misplaced are the names of a data directory at which there is something of
// another kind than a store makes.
func Misplaced(dir string) ([]*Damage, error) {
	var found []*Damage
	for _, name := range []string{quarantineDir, TextDir, RowsDir, DraftsDir} {
		info, err := os.Stat(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !info.IsDir():
			found = append(found, &Damage{name, noFolder})
		}
	}
	for _, name := range []string{lockFile, ownerName} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.Mode().IsRegular() {
			found = append(found, &Damage{name, noFile})
		}
	}
	return found, nil
}

// stamped is a name that was not there before.
func stamped(name string) string {
	return name + time.Now().UTC().Format(".20060102T150405.000000")
}
