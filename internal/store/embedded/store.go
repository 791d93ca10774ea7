package embedded

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	"github.com/gofrs/flock"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/draft"
	"github.com/ragnav/ragnav/internal/store/embedded/rowindex"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
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
	reopen func() error // opens the files again after a failed write, however long the store has been open

	dir      string
	dims     atomic.Int64 // see components
	readOnly bool
	repair   bool         // make a new index where the commit is lost
	lock     *flock.Flock // nil where there is no file to lock
	analyser *fts.Analyser
	queue    *index.AnalysisQueue

	gate    sync.RWMutex // held by Adopt, for nobody to begin to read
	reading atomic.Int64 // who reads

	writing  chan struct{} // holds one element while a batch or Close is under way
	broken   bool          // index and log must be opened again; guarded by writing
	commit   disk.Commit   // the last one; guarded by writing
	rootSize int64         // of root.bolt; guarded by writing

	seals         *disk.Seals
	registrations *disk.Registrations
	opener        *text.Opener
	losses        []loss // of a store that is only read
	rowsLost      bool   // likewise: what is whole of a damaged log is read
	mending       bool   // while it is opened: damage is known, and to be put aside

	integrity integrity
	stopScrub func()

	drafts     draft.Folder
	publishing *draft.File // sealed, not published to its end; guarded by writing

	mu      sync.RWMutex // guards what follows
	text    *scorch.Scorch
	dead    <-chan struct{} // closed when scorch's background work ended in a panic
	rows    *vector.Log
	pinned  *state // what to search while a batch or a draft is under way or the store is broken
	closed  bool
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

// components is how many its vectors have.
func (s *Store) components() int { return int(s.dims.Load()) }

// newest is the state of the index as it is, committed or not.
func (s *Store) newest() *state {
	reader, _ := s.text.Reader() // never fails
	return newState(s.text, reader.(*scorch.IndexSnapshot), s.rows.Snapshot())
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

// closeIndex closes the text index and the rows.
func (s *Store) closeIndex() error {
	var errs []error
	if s.text != nil {
		errs = append(errs, s.closeText(s.text))
	}
	if s.rows != nil {
		errs = append(errs, s.rows.Close())
	}
	s.text, s.rows = nil, nil
	return errors.Join(errs...)
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

func (s *Store) unlock() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Unlock()
}

// unavailable makes a store's failure an error for users, unless it is one
// already or the context is done.
func (s *Store) unavailable(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	if _, known := errors.AsType[*fault.Error](err); known {
		return err
	}
	if d, damaged := s.damageOf(err); damaged {
		return errRefused(s.dir, d)
	}
	return fault.Wrap(fault.RAGUnavailable, err, "the data directory %s cannot be used (%s: %v); %s", s.dir, doing, err,
		disk.Advice(s.dir, err))
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
