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
	"github.com/ragnav/ragnav/internal/store/embedded/rowindex"
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

// errNoRow is a document without its row: the files don't belong together.
var errNoRow = errors.New("the index and the rows disagree")

// A Store is an open data directory. Its methods may be called concurrently;
// batches wait for each other.
type Store struct {
	files

	reopen   func() error // opens the files again after a failed write, however long the store has been open
	analyser *fts.Analyser

	gate    sync.RWMutex // held by Adopt, for nobody to begin to read
	reading atomic.Int64 // who reads

	writing chan struct{} // holds one element while a batch or Close is under way
	broken  bool          // index and log must be opened again; guarded by writing

	stopScrub func()

	drafts     draft.Folder
	publishing *draft.File // sealed, not published to its end; guarded by writing

	pinned  *state // what to search while a batch or a draft is under way or the store is broken; guarded by mu
	closed  bool   // likewise
	readers sync.WaitGroup

	table     rowindex.Table
	keys      rowindex.Keys
	scratches sync.Pool
	overlays  overlays
	known     atomic.Pointer[map[knownSegment]*segment] // of the last time that the store was open; until the first search
	viewMu    sync.Mutex
	view      *view // of the last state that was searched
}

// acquire holds the newest committed state open, or the one that the context
// has from Pin; release it.
func (s *Store) acquire(ctx context.Context) (*state, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if st, ok := ctx.Value(pinKey{s}).(*state); ok { // who reads already does not wait for the gate
		s.readers.Add(1)
		s.reading.Add(1)
		return st.retain(), nil
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
		return s.pinned.retain(), nil
	}
	return s.newest(), nil
}

func (s *Store) release(st *state) {
	st.release()
	s.reading.Add(-1)
	s.readers.Done()
}

// viewOf reads what has to be known of a state.
func (s *Store) viewOf(st *state) (*view, error) {
	if st.over != nil {
		return st.over.view, nil
	}
	s.viewMu.Lock()
	defer s.viewMu.Unlock()
	if s.view != nil && s.view.reader == st.reader {
		return s.view, nil
	}
	v, err := s.newView(st, s.view)
	if err != nil {
		return nil, err
	}
	s.view = v
	s.known.Store(nil)
	s.overlays.dropOthers(st.reader)
	return v, nil
}

// warm is viewOf for a state that nobody searches yet: the searches of another
// one don't wait.
func (s *Store) warm(st *state) error {
	s.viewMu.Lock()
	last := s.view
	s.viewMu.Unlock()
	v, err := s.newView(st, last)
	if err != nil {
		return err
	}
	s.viewMu.Lock()
	defer s.viewMu.Unlock()
	s.view = v
	return nil
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
	s.overlays.dropOthers(nil)
	var err error
	if !s.broken && !s.readOnly && s.publishing == nil && s.integrity.lost(nil) == nil {
		if err = s.rootThere(); err == nil {
			err = parallel.Call(s.purge)
		}
		if err == nil {
			_ = parallel.Call(s.saveKnown) // without it the next Open takes longer
		}
	}
	if err = errors.Join(err, s.closeFiles()); err != nil {
		return s.unavailable(context.Background(), "close it", err)
	}
	return nil
}

func (s *Store) closeFiles() error {
	if s.pinned != nil {
		s.pinned.release()
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
