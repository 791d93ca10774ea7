// Package beside is an index that is made beside a store's, to take its place: one with
// vectors of another embedder, say, made in a store of its own in the folder Dir. While
// its files get their places nothing is open, and a file says that they are to: who
// finds it goes on from there.
package beside

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// begunFile says that the index is taking the place of the other.
const begunFile = "adopt.json"

// Dir is where the index is made that is to take the place of that in dir.
func Dir(dir string) string { return filepath.Join(dir, "beside") }

// parts are the files that an index consists of, but for what is dropped.
var parts = []string{disk.TextDir, disk.RowsDir, disk.FormatFile, disk.SealsFile, disk.RegistrationsFile}

// Check is how many components the vectors of a whole index beside that in dir have;
// without one it is an error.
func Check(dir string) (dims int, err error) {
	dims = disk.DimsOf(Dir(dir))
	for _, name := range parts {
		if _, err := os.Stat(filepath.Join(Dir(dir), name)); err != nil || dims == 0 {
			return 0, fault.Wrap(fault.Internal, err, "there is no whole index with repositories in %s", Dir(dir))
		}
	}
	return dims, nil
}

// Begin says that the index in dir is to be replaced. From then on only Finish may be
// called.
func Begin(dir string) error {
	return disk.Replace(filepath.Join(dir, begunFile), []byte("{}\n"), true)
}

// Begun reports whether the index in dir is to be replaced, and is not yet.
func Begun(dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, begunFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Finish gives the files of the other index their places, if that has
// begun.
func Finish(dir string) error {
	if begun, err := Begun(dir); err != nil || !begun {
		return err
	}
	if err := os.RemoveAll(filepath.Join(dir, disk.DraftsDir)); err != nil {
		return err
	}
	for _, name := range parts {
		from, to := filepath.Join(Dir(dir), name), filepath.Join(dir, name)
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
	if err := errors.Join(disk.SyncDir(dir), os.RemoveAll(Dir(dir))); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, begunFile)); err != nil {
		return err
	}
	return disk.SyncDir(dir)
}
