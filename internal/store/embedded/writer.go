package embedded

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/vector"
)

// A writer commits changes to the files, and keeps them small. Who calls it has the
// turn to write.
type writer struct {
	files   *files
	readers *readers
	reopen  func() error // opens the files again after a failed write, however long the store has been open
	broken  bool         // index and log must be opened again
	merging turn         // who has scorch merge has it
	wanting atomic.Int32 // how many wait for it who write: the merger gives way
}

// ready makes a store that failed usable again, if that is possible.
func (w *writer) ready(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case w.files.readOnly:
		return fault.New(fault.RAGUnavailable, "the store is open to be read only; nothing was changed")
	case w.readers.closed: // cannot change, because Close needs writing too
		return errClosed()
	case w.broken:
		if err := w.recover(); err != nil {
			return w.files.unavailable(ctx, "open it again after an error", err)
		}
	}
	st := w.files.newest()
	err := w.files.intact(st, true)
	st.Release()
	if err == nil {
		err = w.files.stillThere()
	}
	if err != nil {
		return w.files.unavailable(ctx, "look at its files", err)
	}
	return nil
}

// writeRegistering is write, with the registrations of a batch around it.
func (w *writer) writeRegistering(b store.Batch, c *change) error {
	r := registeringOf(b, w.files.registrations.Load())
	if err := w.files.registrations.Load().Change(r.put, nil); err != nil {
		return err
	}
	if err := w.write(c); err != nil {
		return err
	}
	return w.files.registrations.Load().Change(r.mended, r.remove)
}

// write makes a change durable and visible: rows, then the batch with the
// commit, then both for new searches.
func (w *writer) write(c *change) error {
	next := disk.Commit{Seq: w.files.commit.Seq + 1, Rows: w.files.commit.Rows, Serial: c.serial, Draft: c.draft}
	if len(c.rows) > 0 {
		var err error
		if next.Rows, err = w.files.rows.Append(c.rows); err != nil {
			return err
		}
	}
	return w.commitBatch(c.batch, next)
}

// commitBatch commits a batch together with the rows up to next.
func (w *writer) commitBatch(batch *index.Batch, next disk.Commit) error {
	if err := setCommit(batch, next); err != nil {
		return err
	}
	w.readers.pin(false)
	if err := w.files.give(batch); err != nil {
		if d := w.files.integrity.unwritable(nil); d != nil {
			return d
		}
		// Scorch keeps the batch in memory and goes on trying to write it.
		w.broken = true
		if err2 := w.recover(); err2 != nil {
			return errors.Join(fmt.Errorf("write the text index: %w", err), err2)
		}
		if w.files.commit == next { // it succeeded meanwhile
			return nil
		}
		return fmt.Errorf("write the text index: %w", err)
	}
	w.files.commit = next
	if err := w.readers.show(w.publish); err != nil {
		w.broken = true
		if err2 := w.recover(); err2 != nil {
			return errors.Join(err, err2)
		}
	}
	return nil
}

// publish makes the rows of the last commit those that are searched.
func (w *writer) publish() error {
	if err := w.files.rows.Publish(w.files.commit.Rows); err != nil {
		return err
	}
	return w.files.sealRows()
}

// recover opens index and log again at the last commit, whichever that turns
// out to be. Until it succeeds, searches see what was pinned.
func (w *writer) recover() error {
	text, rows := w.files.text, w.files.rows
	w.files.text, w.files.rows = nil, nil
	var errs []error
	if text != nil {
		errs = append(errs, w.files.closeText(text))
	}
	if rows != nil {
		errs = append(errs, rows.Close())
	}
	if err := w.reopen(); err != nil {
		return errors.Join(append(errs, err)...)
	}
	w.files.engine.Forget() // segments get new numbers
	w.broken = false
	return w.readers.show(func() error { return nil })
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
