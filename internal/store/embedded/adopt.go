package embedded

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// Another index can take the place of a store's: one with vectors of another
// embedder, say, made in a store of its own in the folder besideDir. While its
// files get their places nothing is open, and a file says that they are to: who
// finds it goes on from there.

const (
	// besideDir is where an index is made that is to take the place of this one.
	besideDir = "beside"
	// adoptFile says that it is doing so.
	adoptFile = "adopt.json"
)

// BesideDir is where the index is made that Adopt takes over.
func BesideDir(dir string) string { return filepath.Join(dir, besideDir) }

// adopted are the files that an index consists of, but for what is dropped.
var adopted = []string{disk.TextDir, disk.RowsDir, disk.FormatFile, disk.SealsFile, disk.RegistrationsFile}

// finishAdoption gives the files of the other index their places, if that has
// begun.
func finishAdoption(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, adoptFile)); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	if err := os.RemoveAll(filepath.Join(dir, disk.DraftsDir)); err != nil {
		return err
	}
	for _, name := range adopted {
		from, to := filepath.Join(dir, besideDir, name), filepath.Join(dir, name)
		if _, err := os.Lstat(from); errors.Is(err, os.ErrNotExist) {
			continue // it has its place
		}
		if err := os.RemoveAll(to); err != nil {
			return err
		}
		if err := os.Rename(from, to); err != nil {
			return err
		}
	}
	if err := errors.Join(disk.SyncDir(dir), os.RemoveAll(filepath.Join(dir, besideDir))); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, adoptFile)); err != nil {
		return err
	}
	return disk.SyncDir(dir)
}

// unadopted refuses to read an index that another one is about to replace.
func unadopted(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, adoptFile)); err != nil {
		return nil //nolint:nilerr // there is none
	}
	return fault.Wrap(fault.IndexNotReady, ErrUnfinished,
		"the index in %s is being replaced by another: the process that did so was ended; run `ragnav index` as its owner, "+
			"which takes it to its end", dir)
}
