package embedded

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/draft"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
)

var _ interface {
	store.Store
	store.Pinner
	store.Overlayer
	store.Drafter
	store.Compacter
	store.Loser
	store.Announcer
} = (*Store)(nil)

// A Store is an open data directory. Its methods may be called concurrently;
// batches wait for each other.
type Store struct {
	files

	reopen   func() error // opens the files again after a failed write, however long the store has been open
	analyser *fts.Analyser
	engine   *search.Engine

	gate    sync.RWMutex // held by Adopt, for nobody to begin to read
	reading atomic.Int64 // who reads

	writing chan struct{} // holds one element while a batch or Close is under way
	broken  bool          // index and log must be opened again; guarded by writing

	stopScrub func()

	drafts     draft.Folder
	publishing *draft.File // sealed, not published to its end; guarded by writing

	pinned  *search.State // what to search while a batch or a draft is under way or the store is broken; guarded by mu
	closed  bool          // likewise
	readers sync.WaitGroup
}

// acquire holds the newest committed state open, or the one that the context
// has from Pin; release it.
func (s *Store) acquire(ctx context.Context) (*search.State, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if st, ok := ctx.Value(pinKey{s}).(*search.State); ok { // who reads already does not wait for the gate
		s.readers.Add(1)
		s.reading.Add(1)
		return st.Retain(), nil
	}
	if ctx.Value(adoptKey{s}) == nil {
		s.gate.RLock()
		defer s.gate.RUnlock()
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed || s.text == nil && s.pinned == nil {
		return nil, errClosed()
	}
	s.readers.Add(1)
	s.reading.Add(1)
	if s.pinned != nil {
		return s.pinned.Retain(), nil
	}
	return s.newest(), nil
}

func (s *Store) release(st *search.State) {
	st.Release()
	s.reading.Add(-1)
	s.readers.Done()
}

// Close waits for batches and searches under way and closes the files. A
// second Close does nothing.
func (s *Store) Close() error {
	s.stopScrub()
	s.writing <- struct{}{}
	defer func() { <-s.writing }()
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	s.readers.Wait()
	s.engine.DropOverlays()
	var err error
	if !s.broken && !s.readOnly && s.publishing == nil && s.integrity.lost(nil) == nil {
		if err = s.rootThere(); err == nil {
			err = parallel.Call(s.purge)
		}
		if err == nil {
			// Without it the next Open takes longer.
			_ = parallel.Call(func() error { return s.engine.SaveKnown(s.rows, s.seals, s.newest) })
		}
	}
	if err = errors.Join(err, s.closeFiles()); err != nil {
		return s.unavailable(context.Background(), "close it", err)
	}
	return nil
}

func (s *Store) closeFiles() error {
	if s.pinned != nil {
		s.pinned.Release()
		s.pinned = nil
	}
	errs := []error{s.closeIndex()}
	s.queue.Close()
	if !s.readOnly && s.seals != nil {
		s.sealRoot()
		errs = append(errs, s.seals.Save())
	}
	if !s.readOnly {
		errs = append(errs, disk.RemoveOwner(s.dir))
	}
	errs = append(errs, s.unlock())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the data directory %s: %w", s.dir, err)
	}
	return nil
}

func errClosed() error {
	return fault.New(fault.RAGUnavailable, "the store is closed; start the program again")
}

// Announce writes the address under which this process can be reached for
// LockInfo to find.
func (s *Store) Announce(address string) error {
	if err := disk.WriteOwner(s.dir, address); err != nil {
		return fmt.Errorf("announce the address: %w", err)
	}
	return nil
}
