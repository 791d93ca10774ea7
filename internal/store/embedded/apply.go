package embedded

import (
	"context"
	"errors"
	"fmt"
	"strings"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/vector"
)

// Apply implements store.Writer. Batches of 1,000 to 4,000 documents are the
// fastest; a batch is held in memory several times over. The context is not
// looked at any more once the batch is being committed.
func (s *Store) Apply(ctx context.Context, b store.Batch) error {
	if err := checkBatch(b, s.components()); err != nil {
		return err
	}
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := s.writable(ctx); err != nil {
		return err
	}
	var c *change
	if err := parallel.Call(func() (err error) { c, err = s.prepare(ctx, b); return err }); err != nil {
		return s.unavailable(ctx, "prepare a batch", err)
	}
	if err := s.dropDrafts(b.DeleteRepos); err != nil {
		return s.unavailable(ctx, "write a batch", err)
	}
	if c.empty() {
		return nil
	}
	if err := parallel.Call(func() error { return s.writeRegistering(b, c) }); err != nil {
		return s.unavailable(ctx, "write a batch", err)
	}
	if err := parallel.Call(func() error { return s.compactRows(compactAbove, compactDead) }); err != nil {
		return s.unavailable(ctx, "compact the rows; the batch itself is saved", err)
	}
	return nil
}

// writable makes a store that failed usable again, if that is possible.
func (s *Store) writable(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case s.readOnly:
		return fault.New(fault.RAGUnavailable, "the store is open to be read only; nothing was changed")
	case s.closed: // cannot change, because Close needs writing too
		return errClosed()
	case s.broken:
		if err := s.recover(); err != nil {
			return s.unavailable(ctx, "open it again after an error", err)
		}
	}
	st := s.newest()
	err := s.intact(st, true)
	st.Release()
	if err == nil {
		err = s.rootThere()
	}
	if err != nil {
		return s.unavailable(ctx, "look at its files", err)
	}
	if s.publishing != nil {
		if err := s.publishSealed(context.WithoutCancel(ctx), untold); err != nil {
			return s.unavailable(ctx, "publish a draft", err)
		}
	}
	return nil
}

// writeRegistering is write, with the registrations of a batch around it.
func (s *Store) writeRegistering(b store.Batch, c *change) error {
	r := s.registering(b)
	if err := s.registrations.Change(r.put, nil); err != nil {
		return err
	}
	if err := s.write(c); err != nil {
		return err
	}
	return s.registrations.Change(r.mended, r.remove)
}

// write makes a change durable and visible: rows, then the batch with the
// commit, then both for new searches.
func (s *Store) write(c *change) error {
	next := disk.Commit{Seq: s.commit.Seq + 1, Rows: s.commit.Rows, Serial: c.serial, Draft: c.draft}
	if len(c.rows) > 0 {
		var err error
		if next.Rows, err = s.rows.Append(c.rows); err != nil {
			return err
		}
	}
	return s.commitBatch(c.batch, next)
}

// commitBatch commits a batch together with the rows up to next.
func (s *Store) commitBatch(batch *index.Batch, next disk.Commit) error {
	if err := setCommit(batch, next); err != nil {
		return err
	}
	s.pin()
	if err := s.give(batch); err != nil {
		if d := s.integrity.lost(nil); d != nil {
			return d
		}
		// Scorch keeps the batch in memory and goes on trying to write it.
		s.broken = true
		if err2 := s.recover(); err2 != nil {
			return errors.Join(fmt.Errorf("write the text index: %w", err), err2)
		}
		if s.commit == next { // it succeeded meanwhile
			return nil
		}
		return fmt.Errorf("write the text index: %w", err)
	}
	s.commit = next
	if err := s.publish(); err != nil {
		s.broken = true
		if err2 := s.recover(); err2 != nil {
			return errors.Join(err, err2)
		}
	}
	return nil
}

// pin makes searches see the state as it is now until publish; or, while a
// draft is being published, until all of it is there.
func (s *Store) pin() {
	if s.publishing != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pinned = s.newest()
}

// publish makes searches see the last commit.
func (s *Store) publish() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.rows.Publish(s.commit.Rows); err != nil {
		return err
	}
	if err := s.sealRows(); err != nil {
		return err
	}
	if s.publishing == nil {
		s.pinned.Release()
		s.pinned = nil
	}
	return nil
}

// recover opens index and log again at the last commit, whichever that turns
// out to be. Until it succeeds, searches see what was pinned.
func (s *Store) recover() error {
	text, rows := s.text, s.rows
	s.text, s.rows = nil, nil
	var errs []error
	if text != nil {
		errs = append(errs, s.closeText(text))
	}
	if rows != nil {
		errs = append(errs, rows.Close())
	}
	if err := s.reopen(); err != nil {
		return errors.Join(append(errs, err)...)
	}
	s.engine.Forget() // segments get new numbers
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.publishing == nil {
		s.pinned.Release()
		s.pinned = nil
	}
	s.broken = false
	return nil
}

func checkBatch(b store.Batch, dims int) error {
	for i := range b.Put {
		d := &b.Put[i]
		switch {
		case d.ID == "" || len(d.ID) > maxID:
			return fault.New(fault.InvalidRequest, "batch: %.100q is not the id of a document", d.ID)
		case !textFields[d.Type]:
			return fault.New(fault.InvalidRequest, "batch: document %s has the unknown type %q", d.ID, d.Type)
		case d.Embedding != nil && len(d.Embedding) != dims:
			return fault.New(fault.InvalidRequest, "batch: the vector of %s has %d components, the index %d", d.ID,
				len(d.Embedding), dims)
		}
	}
	for _, r := range b.PutRecords {
		if r.Collection == "" || r.Key == "" || strings.ContainsRune(r.Collection, 0) {
			return fault.New(fault.InvalidRequest, "batch: collection %q, key %q do not name a record", r.Collection, r.Key)
		}
	}
	return nil
}

// A change is a batch made ready.
type change struct {
	batch  *index.Batch
	rows   []vector.Row
	serial uint32 // of the next row
	draft  disk.DraftMark
}

func (c *change) empty() bool { return len(c.batch.IndexOps) == 0 && len(c.rows) == 0 }
