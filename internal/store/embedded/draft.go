package embedded

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/draft"
)

// A draft is what is going to change in one repository, in a file of its own:
// batches that nobody sees until PublishDraft shows all of them at once. A draft
// survives a crash, up to the last batch that was appended. It goes when it is
// published or dropped, with the documents of its repository (DeleteRepos), and
// by Open, when its repository is not registered any more.

// drafts are those of the store that were looked at, by repository.
type drafts struct {
	dir string

	mu   sync.Mutex
	open map[models.RepoID]*draft.File

	vectorsMu sync.Mutex // never held for long
	vectors   map[models.RepoID]*draft.Vectors
}

// find is the draft of a repository, or nil.
func (d *drafts) find(id models.RepoID) (*draft.File, error) {
	if known := d.open[id]; known != nil {
		return known, nil
	}
	f, err := draft.Open(draft.Path(d.dir, id))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		d.keep(f)
	}
	return f, err
}

// keep remembers a draft.
func (d *drafts) keep(f *draft.File) {
	d.open[f.Repo] = f
	d.vectorsMu.Lock()
	defer d.vectorsMu.Unlock()
	d.vectors[f.Repo] = f.Vectors
}

// forget is the end of what keep began, and of reading the draft's vectors.
func (d *drafts) forget(id models.RepoID) {
	delete(d.open, id)
	d.vectorsMu.Lock()
	v := d.vectors[id]
	delete(d.vectors, id)
	d.vectorsMu.Unlock()
	if v != nil {
		v.Close()
	}
}

// remove deletes a draft's file for good.
func (d *drafts) remove(id models.RepoID) error {
	d.forget(id)
	err := os.Remove(draft.Path(d.dir, id))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return errors.Join(err, syncDir(d.dir))
}

// AppendDraft adds a batch to the draft of a repository, durably, and begins one
// where there is none. The label is its author's and stays with the draft; to
// append under another one is a fault.Conflict. It waits for nobody, and takes the
// memory of the batch in its encoded form.
func (s *Store) AppendDraft(ctx context.Context, id models.RepoID, label string, b store.Batch) error {
	if err := checkBatch(b, s.components()); err != nil {
		return err
	}
	body, err := codec.EncodeBatch(b)
	if err != nil {
		return s.unavailable(ctx, "encode a batch of a draft", err)
	}
	if len(body) > math.MaxUint32-draft.FrameHead-1 {
		return fault.New(fault.InvalidRequest, "draft of %s: a batch of %d bytes is too large", id, len(body))
	}
	if err := s.usable(ctx); err != nil {
		return err
	}
	s.drafts.mu.Lock()
	defer s.drafts.mu.Unlock()
	if err := s.drafts.append(id, label, body); err != nil {
		return s.unavailable(ctx, "write a draft", err)
	}
	return nil
}

func (d *drafts) append(id models.RepoID, label string, body []byte) error {
	f, err := d.find(id)
	if err != nil {
		return err
	}
	switch {
	case f == nil:
		return d.begin(id, label, body)
	case f.Sealed || f.Label != label:
		return fault.New(fault.Conflict, "the draft of %s is another one's; publish or drop it first", id)
	}
	at := f.Size
	if err := f.Append(draft.Frame(draft.FrameBatch, body)); err != nil {
		return err
	}
	f.Batches++
	return f.Vectors.Add(body, at+draft.FrameHead+1)
}

// begin makes a draft with its first batch.
func (d *drafts) begin(id models.RepoID, label string, body []byte) error {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	f := draft.New(draft.Path(d.dir, id), id, label)
	header, err := f.Header()
	if err != nil {
		return err
	}
	if err := f.Append(header, draft.Frame(draft.FrameBatch, body)); err != nil {
		return errors.Join(err, d.remove(id))
	}
	f.Batches = 1
	d.keep(f)
	return errors.Join(f.Vectors.Add(body, int64(len(header))+draft.FrameHead+1), syncDir(d.dir),
		syncDir(filepath.Dir(d.dir)))
}

// ReadDraft calls yield with the label and each batch of the draft of a
// repository, in order; not at all when there is none. The values of records are
// json.RawMessage. A draft whose publication was begun is published first.
func (s *Store) ReadDraft(ctx context.Context, id models.RepoID, yield func(label string, b store.Batch) error) error {
	if err := s.finishPublishing(ctx); err != nil {
		return err
	}
	s.drafts.mu.Lock()
	f, err := s.drafts.find(id)
	s.drafts.mu.Unlock()
	if err != nil {
		return s.unavailable(ctx, "read a draft", err)
	}
	if f == nil {
		return nil
	}
	err = f.Read(func(body []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := codec.DecodeBatch(body)
		if err != nil {
			return err
		}
		return yield(f.Label, b)
	})
	if errors.Is(err, codec.ErrDraftDamaged) || errors.Is(err, codec.ErrDamaged) || errors.Is(err, os.ErrNotExist) {
		return s.unavailable(ctx, "read a draft", err)
	}
	return err
}

// DropDraft removes the draft of a repository, if there is one.
func (s *Store) DropDraft(ctx context.Context, id models.RepoID) error {
	if err := s.finishPublishing(ctx); err != nil {
		return err
	}
	s.drafts.mu.Lock()
	defer s.drafts.mu.Unlock()
	if err := s.drafts.remove(id); err != nil {
		return s.unavailable(ctx, "remove a draft", err)
	}
	return nil
}

// dropDrafts removes the drafts of repositories whose documents go.
func (s *Store) dropDrafts(ids []models.RepoID) error {
	s.drafts.mu.Lock()
	defer s.drafts.mu.Unlock()
	for _, id := range ids {
		if err := s.drafts.remove(id); err != nil {
			return fmt.Errorf("remove the draft of %s: %w", id, err)
		}
	}
	return nil
}

// usable is an error when the store is closed or the context done.
func (s *Store) usable(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed()
	}
	return nil
}

// syncDir makes the creation and removal of files in dir durable, where the
// system has that.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrPermission) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// embeddings adds to found what the drafts that were looked at have.
func (d *drafts) embeddings(keys []models.EmbeddingKey, found map[models.EmbeddingKey][]float32) error {
	d.vectorsMu.Lock()
	all := make([]*draft.Vectors, 0, len(d.vectors))
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
