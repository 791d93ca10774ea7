package embedded

import (
	"context"
	"errors"
	"sync"

	"github.com/ragnav/ragnav/internal/parallel"
)

// A mender puts aside what is damaged while the store is open: the files are closed
// and opened again while nobody reads or writes, which is what the next Open would do.
// Then the repositories that had something in them say so, and others answer.
type mender struct{ store *Store }

// start does so whenever damage is met, until stop.
func (m *mender) start(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	i := &m.store.files.integrity
	i.mends = true // nobody has the store yet
	done := parallel.Start(func() error {
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-i.met:
			}
			if d := i.lost(nil); parallel.Call(func() error { return m.mend(ctx) }) != nil {
				i.unmended(d)
			}
		}
	})
	return sync.OnceFunc(func() { cancel(); <-done }) //nolint:errcheck // what stays damaged is in integrity
}

// mend leaves the store as it is where the commit on disk is not the one in use: there
// would be less to go on with than what is mapped.
func (m *mender) mend(ctx context.Context) error {
	s, f := m.store, m.store.files
	if err := f.writing.take(ctx); err != nil {
		return err
	}
	defer f.writing.end()
	if err := m.possible(); err != nil {
		return err
	}
	if err := s.readers.holdBack(ctx); err != nil {
		return err
	}
	defer s.readers.letIn()
	return m.reopen(context.WithoutCancel(ctx))
}

// possible makes sure that the commit in use is on disk and can be changed.
func (m *mender) possible() error {
	f := m.store.files
	if err := f.place(); err != nil {
		return err
	}
	if d := f.integrity.closed(); d != nil {
		return d
	}
	found, err := committed(f.dir)
	if err == nil && found.Commit != f.commit {
		err = errors.New("the commit on disk is another one")
	}
	return err
}

// reopen closes the files and opens them again, after reading all of them.
func (m *mender) reopen(ctx context.Context) error {
	s, f := m.store, m.store.files
	f.engine.DropOverlays()
	s.readers.unpin()
	s.drafts.publishing = nil // its draft is found again
	err := s.readers.show(f.closeIndex)
	if err == nil {
		f.integrity.forget()
		f.seals.Distrust()
		f.engine.Forget()
		if err = s.bringUp(ctx, &opening{files: f}); err != nil {
			err = errors.Join(err, s.readers.show(f.closeIndex))
		}
	}
	s.writer.broken = err != nil
	return err
}
