package embedded

import (
	"context"
	"errors"
	"os"

	"github.com/ragnav/ragnav/internal/store/embedded/beside"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// Apply implements store.Writer. Batches of 1,000 to 4,000 documents are the
// fastest; a batch is held in memory several times over. The context is not
// looked at any more once the batch is being committed.
func (s *Store) Apply(ctx context.Context, b store.Batch) error {
	err := s.apply(ctx, b)
	if len(b.Put) == 0 && disk.IsFull(err) && disk.FreeReserve(s.files.dir) { // it may be what makes room
		err = s.apply(ctx, b)
	}
	return err
}

func (s *Store) apply(ctx context.Context, b store.Batch) error {
	if err := checkBatch(b, s.files.components()); err != nil {
		return err
	}
	if err := s.drafts.begin(ctx); err != nil {
		return err
	}
	defer s.files.writing.end()
	if err := s.writer.lostMeanwhile(b); err != nil {
		return s.files.unavailable(ctx, "prepare a batch", err)
	}
	var c *change
	if err := parallel.Call(func() (err error) { c, err = s.writer.prepare(ctx, b); return err }); err != nil {
		return s.files.unavailable(ctx, "prepare a batch", err)
	}
	if err := s.drafts.remove(b.DeleteRepos...); err != nil {
		return s.files.unavailable(ctx, "write a batch", err)
	}
	if c.empty() {
		return nil
	}
	if err := parallel.Call(func() error { return s.writer.writeRegistering(b, c) }); err != nil {
		return s.files.unavailable(ctx, "write a batch", err)
	}
	err := parallel.Call(func() error { return s.writer.compactRows(compactAbove, compactDead) })
	if err != nil && !disk.IsFull(err) { // a later batch has room for it, perhaps
		return s.files.unavailable(ctx, "compact the rows; the batch itself is saved", err)
	}
	return nil
}

// Compact makes the files smaller: it merges the small segments of the text
// index, which batches leave, and drops rows of no use. It is worth its while
// after a large part of an index was replaced. What it takes is bounded, whatever the size of the
// index: some 0.1 s of CPU per 1,000 documents of at most 2*largeSegment. Searches
// go on; batches wait. Progress is told how many bytes are merged; it may be nil.
func (s *Store) Compact(ctx context.Context, progress func(done, total int)) error {
	if err := s.drafts.begin(ctx); err != nil {
		return err
	}
	defer s.files.writing.end()
	if progress == nil {
		progress = untold
	}
	if err := s.writer.mergeText(ctx, progress); err != nil {
		return s.files.unavailable(ctx, "merge the text index", err)
	}
	if err := s.writer.compactRows(0, 0.1); err != nil {
		return s.files.unavailable(ctx, "compact the rows", err)
	}
	defer disk.KeepReserve(s.files.dir)
	if _, err := s.writer.purge(); err != nil {
		return s.files.unavailable(ctx, "remove merged files", err)
	}
	return nil
}

// AppendDraft adds a batch to the draft of a repository, durably, and begins one
// where there is none. The label is its author's and stays with the draft; to
// append under another one is a fault.Conflict. It waits for nobody, and takes the
// memory of the batch in its encoded form.
func (s *Store) AppendDraft(ctx context.Context, id models.RepoID, label string, b store.Batch) error {
	if err := checkBatch(b, s.files.components()); err != nil {
		return err
	}
	if err := s.readers.usable(ctx); err != nil {
		return err
	}
	if err := s.drafts.append(id, label, b); err != nil {
		return s.files.unavailable(ctx, "write a draft", err)
	}
	return nil
}

// ReadDraft calls yield with the label and each batch of the draft of a
// repository, in order; not at all when there is none. The values of records are
// json.RawMessage. A draft whose publication was begun is published first.
func (s *Store) ReadDraft(ctx context.Context, id models.RepoID, yield func(label string, b store.Batch) error) error {
	if err := s.drafts.settle(ctx); err != nil {
		return err
	}
	f, err := s.drafts.find(id)
	if err != nil {
		return s.files.unavailable(ctx, "read a draft", err)
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
		return s.files.unavailable(ctx, "read a draft", err)
	}
	return err
}

// DropDraft removes the draft of a repository, if there is one.
func (s *Store) DropDraft(ctx context.Context, id models.RepoID) error {
	if err := s.drafts.settle(ctx); err != nil {
		return err
	}
	if err := s.drafts.remove(id); err != nil {
		return s.files.unavailable(ctx, "remove a draft", err)
	}
	return nil
}

// PublishDraft carries out the draft of a repository, if there is one, and
// removes it: readers see all of it or nothing, also after a crash, and don't
// wait. Batches of others do. The context is not looked at any more once the
// draft is sealed. After an error before that nothing has happened. After a later
// one readers see the index as it was, and whoever writes next, reads a draft or
// opens the store goes on. Progress is told how many batches are committed,
// from 0; it may be nil.
func (s *Store) PublishDraft(ctx context.Context, id models.RepoID, progress func(done, total int)) error {
	if err := s.drafts.begin(ctx); err != nil {
		return err
	}
	defer s.files.writing.end()
	if err := s.writer.renewing(id); err != nil {
		return s.files.unavailable(ctx, "publish a draft", errors.Join(err, s.drafts.remove(id)))
	}
	f, err := s.drafts.seal(id)
	if err != nil {
		return s.files.unavailable(ctx, "seal a draft", err)
	}
	if f == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if progress == nil {
		progress = untold
	}
	if err := s.drafts.publish(ctx, f, progress); err != nil {
		return s.files.unavailable(ctx, "publish a draft", err)
	}
	if err := s.writer.compactRows(compactAbove, compactDead); err != nil {
		return s.files.unavailable(ctx, "compact the rows; everything is saved", err)
	}
	return nil
}

// Adopt puts the index in beside.Dir, which nobody has open, in the place of this
// one, for all requests from then on, and removes the old one. An error of the
// context means that nothing has changed.
//
// Then is called while nobody reads, once the new index is there.
func (s *Store) Adopt(ctx context.Context, then func()) error {
	dims, err := beside.Check(s.files.dir)
	if err != nil {
		return err
	}
	if err := s.drafts.begin(ctx); err != nil {
		return err
	}
	defer s.files.writing.end()
	if err := s.readers.holdBack(ctx); err != nil {
		return err
	}
	defer s.readers.letIn()
	if err := s.replaceBy(context.WithoutCancel(ctx), dims); err != nil {
		s.writer.broken = true
		return s.files.unavailable(context.WithoutCancel(ctx), "put another index in its place", err)
	}
	then()
	return nil
}

// replaceBy closes all files, gives those of the other index their places, and
// opens them.
func (s *Store) replaceBy(ctx context.Context, dims int) error {
	s.files.engine.DropOverlays()
	if err := s.readers.show(s.files.closeIndex); err != nil {
		return err
	}
	if err := beside.Begin(s.files.dir); err != nil {
		return errors.Join(err, s.writer.reopen())
	}
	s.files.dims.Store(int64(dims))
	if err := beside.Finish(s.files.dir); err != nil {
		return err
	}
	s.files.engine.Forget()
	return s.openAll(ctx)
}
