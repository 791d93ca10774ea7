package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// create makes the first commit of a new store, so that from now on there always
// is one.
func (o *opening) create() error {
	f, dir := o.files, filepath.Join(o.files.dir, disk.TextDir)
	f.commit = disk.Commit{}
	if f.readOnly {
		text, err := f.openText("")
		f.text = text
		return err
	}
	f.seals.SetRoot(disk.RootSeal{})
	// What is left of a creation that was cut off.
	if err := errors.Join(f.seals.Keep(disk.TextDir, nil), os.RemoveAll(dir)); err != nil {
		return err
	}
	text, err := f.openText(dir)
	if err != nil {
		return err
	}
	f.text = text
	return o.commitAlone(disk.Commit{Seq: 1})
}

// commitAlone is a commit without changes, of a store that is being opened.
func (o *opening) commitAlone(c disk.Commit) error {
	batch := index.NewBatch()
	if err := setCommit(batch, c); err != nil {
		return err
	}
	if err := o.files.give(batch); err != nil {
		return err
	}
	o.files.commit = c
	return nil
}

// checkFormat compares format.json, and writes it where there is none, a damaged or an
// older one. A store without one that can be read is taken for one of this program:
// the row logs tell how many components a vector has, and the files if they are another's.
func (o *opening) checkFormat() error {
	dir, dims, file := o.files.dir, o.files.components(), filepath.Join(o.files.dir, disk.FormatFile)
	write := func() error {
		if o.files.readOnly {
			return nil
		}
		data, err := json.Marshal(disk.NewFormat(dims))
		if err != nil {
			return err
		}
		return disk.Replace(file, append(data, '\n'), true)
	}
	data, err := disk.ReadFile(file)
	_, damaged := errors.AsType[*disk.Damage](err)
	if errors.Is(err, os.ErrNotExist) {
		return write()
	}
	if err != nil && !damaged {
		return err
	}
	var got disk.Format
	if !damaged {
		got, err = disk.ParseFormat(data)
	}
	switch {
	case err != nil:
		return write()
	case got.Version > disk.FormatVersion:
		return fault.New(fault.RAGUnavailable,
			"the data directory %s has format %d, this program knows %d; use a newer program, or another directory", dir,
			got.Version, disk.FormatVersion)
	case got.Version < disk.OldestFormat && o.files.repair && !o.files.readOnly:
		return errors.Join(o.putAsideIndex(), write())
	case got.Version < disk.OldestFormat:
		return fault.New(fault.RAGUnavailable,
			"the data directory %s has the old format %d, this program needs %d; run `ragnav doctor --repair`, which keeps it "+
				"in quarantine and indexes its repositories again", dir, got.Version, disk.OldestFormat)
	case got.Dims != dims:
		return fault.New(fault.RAGUnavailable,
			"the data directory %s has vectors of %d components, the embedder makes %d; use the embedder it was made with, or "+
				"remove it and index again",
			dir, got.Dims, dims)
	case got.Version < disk.FormatVersion:
		return write()
	}
	return nil
}

// inPlace puts aside what is of another kind than it has to be, where the store
// is repaired. Else it is damage.
func (o *opening) inPlace(ctx context.Context) error {
	found, err := disk.Misplaced(o.files.dir)
	if err != nil {
		return o.files.unavailable(ctx, "open it", err)
	}
	for _, d := range found {
		if !o.files.repair || o.files.readOnly {
			return disk.ErrLost(o.files.dir, d)
		}
		if err := disk.SetAside(o.files.dir, d.File); err != nil {
			return o.files.unavailable(ctx, "put aside what is damaged", err)
		}
	}
	return nil
}

// putAsideIndex puts aside what another format's program wrote. What is
// registered stays.
func (o *opening) putAsideIndex() error {
	for _, name := range []string{disk.TextDir, disk.RowsDir, disk.DraftsDir} {
		_, err := os.Lstat(filepath.Join(o.files.dir, name))
		if err == nil {
			err = disk.SetAside(o.files.dir, name)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
