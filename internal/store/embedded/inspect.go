package embedded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// A committed is the last commit of a data directory as it is on disk.
type committed struct {
	disk.Root

	commit commit
	value  string // the commit as it is written
}

// errNoCommit wraps why there is none in a directory that has a store's files.
var errNoCommit = errors.New("no commit")

// readCommit reads the last commit, changing nothing. Without the files of a store
// the error is fs.ErrNotExist.
func readCommit(dir string, seals *disk.Seals) (*committed, error) {
	return commitIn(dir, filepath.Join(dir, disk.TextDir), seals)
}

// commitIn is readCommit with root.bolt in the folder text.
func commitIn(dir, text string, seals *disk.Seals) (*committed, error) {
	root, err := disk.ReadRoot(text, seals.Root())
	if err == nil {
		value, there := root.Internal[commitKey]
		c := &committed{Root: root, value: string(value)}
		if there {
			err = json.Unmarshal(value, &c.commit)
		}
		if err == nil && there {
			return c, nil
		}
		err = &disk.Damage{File: disk.RootFile, Reason: "has no commit"}
	}
	d, certain := errors.AsType[*disk.Damage](err)
	if !certain && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	used, err := hasStore(dir)
	used = used || len(seals.Held()) > 0
	if err != nil {
		return nil, err
	}
	switch {
	case !used:
		return nil, fs.ErrNotExist
	case d == nil:
		d = &disk.Damage{File: disk.RootFile, Reason: disk.Missing}
	}
	d.File = disk.SegmentName(d.File)
	return nil, fmt.Errorf("%w: %w", errNoCommit, d)
}

// hasStore reports whether a directory has any file of a store that has been
// written to. The creation of a store that was cut off leaves none.
func hasStore(dir string) (bool, error) {
	for _, folder := range []string{disk.TextDir, disk.RowsDir, disk.DraftsDir, disk.QuarantineDir} {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				return false, err
			}
			if e.Name() != disk.RootFile && (info.Size() > 0 || strings.HasSuffix(e.Name(), ".zap")) {
				return true, nil
			}
		}
	}
	_, err := os.Stat(filepath.Join(dir, disk.RegistrationsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// commandRepair is what mends a data directory.
const commandRepair = "ragnav doctor --repair"

// errDamaged says what is damaged and what to do.
func errLost(dir string, err error) error {
	return fault.Wrap(fault.IndexNotReady, err,
		"the data directory %s is damaged (%v); nothing was changed; run `%s`, which keeps what is whole and indexes the "+
			"rest again", dir, reasonOf(err), commandRepair)
}

// reasonOf is what of an error a user needs.
func reasonOf(err error) error {
	if d, ok := errors.AsType[*disk.Damage](err); ok {
		return d
	}
	return err
}

// files are those of the commit's segments.
func (c *committed) files() []string {
	files := make([]string, len(c.Segments))
	for i, s := range c.Segments {
		files[i] = s.File
	}
	return files
}
