package draft

import (
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// A Folder has the drafts of a store that were looked at, by repository. Hold it while
// a draft is looked at or changes.
type Folder struct {
	sync.Mutex

	Dir  string
	open map[models.RepoID]*File

	vectorsMu sync.Mutex // never held for long
	vectors   map[models.RepoID]*Vectors
}

// Find is the draft of a repository, or nil.
func (d *Folder) Find(id models.RepoID) (*File, error) {
	if known := d.open[id]; known != nil {
		return known, nil
	}
	f, err := Open(Path(d.Dir, id))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		d.keep(f)
	}
	return f, err
}

// keep remembers a draft.
func (d *Folder) keep(f *File) {
	d.vectorsMu.Lock()
	defer d.vectorsMu.Unlock()
	if d.open == nil {
		d.open, d.vectors = map[models.RepoID]*File{}, map[models.RepoID]*Vectors{}
	}
	d.open[f.Repo], d.vectors[f.Repo] = f, f.Vectors
}

// forget is the end of what keep began, and of reading the draft's vectors.
func (d *Folder) forget(id models.RepoID) {
	delete(d.open, id)
	d.vectorsMu.Lock()
	v := d.vectors[id]
	delete(d.vectors, id)
	d.vectorsMu.Unlock()
	if v != nil {
		v.Close()
	}
}

// Remove deletes a draft's file for good.
func (d *Folder) Remove(id models.RepoID) error {
	d.forget(id)
	err := os.Remove(Path(d.Dir, id))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return errors.Join(err, disk.SyncDir(d.Dir))
}

// Append adds an encoded batch to the draft of a repository, which it begins where there
// is none: neither is one whose first batch a crash cut short, whatever its label.
func (d *Folder) Append(id models.RepoID, label string, body []byte) error {
	f, err := d.Find(id)
	if err != nil {
		return err
	}
	switch {
	case f == nil || f.Batches == 0 && !f.Sealed:
		return d.begin(id, label, body)
	case f.Sealed || f.Label != label:
		return fault.New(fault.Conflict, "the draft of %s is another one's; publish or drop it first", id)
	}
	at := f.Size
	if err := f.Append(frame(frameBatch, body)); err != nil {
		return err
	}
	f.Batches++
	return f.Vectors.Add(body, at+FrameHead+1)
}

// begin makes a draft with its first batch.
func (d *Folder) begin(id models.RepoID, label string, body []byte) error {
	if err := os.MkdirAll(d.Dir, 0o700); err != nil {
		return err
	}
	f := newFile(Path(d.Dir, id), id, label)
	header, err := f.Header()
	if err != nil {
		return err
	}
	if err := f.Append(header, frame(frameBatch, body)); err != nil {
		return errors.Join(err, d.Remove(id))
	}
	f.Batches = 1
	d.keep(f)
	return errors.Join(f.Vectors.Add(body, int64(len(header))+FrameHead+1), disk.SyncDir(d.Dir),
		disk.SyncDir(filepath.Dir(d.Dir)))
}

// Embeddings adds to found what the drafts that were looked at have.
func (d *Folder) Embeddings(keys []models.EmbeddingKey, found map[models.EmbeddingKey][]float32) error {
	d.vectorsMu.Lock()
	all := make([]*Vectors, 0, len(d.vectors))
	for _, v := range d.vectors {
		all = append(all, v)
	}
	d.vectorsMu.Unlock()
	for _, v := range all {
		if len(found) == len(keys) {
			return nil
		}
		if err := v.Read(keys, found); err != nil {
			return err
		}
	}
	return nil
}
