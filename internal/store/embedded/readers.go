package embedded

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
)

// Requests under way keep their index: Adopt waits for a moment without any, for
// so long with others held back, and again later.
const (
	adoptHold  = time.Second
	adoptRetry = time.Second
)

// readers says which state is read, and by how many. What is read is the newest
// state, or the one that is pinned while the files are ahead of it: while a batch
// or a draft is under way, or when the files could not be opened again.
type readers struct {
	files *files

	gate  sync.RWMutex // held so that nobody begins to read
	count atomic.Int64 // who reads
	under sync.WaitGroup

	mu     sync.RWMutex // guards what follows
	pinned *search.State
	kept   bool // pinned stays until unpin, whatever is committed
	closed bool
}

// pinKey is under what a context has the state that Pin gave it.
type pinKey struct{ readers *readers }

// acquire holds the newest committed state open, or the one that the context
// has from Pin; release it.
func (r *readers) acquire(ctx context.Context) (*search.State, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if st, ok := ctx.Value(pinKey{r}).(*search.State); ok { // who reads already does not wait for the gate
		r.begin()
		return st.Retain(), nil
	}
	r.gate.RLock()
	defer r.gate.RUnlock()
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.closed || r.files.text == nil && r.pinned == nil {
		if d := r.files.integrity.lost(nil); d != nil && !r.closed {
			return nil, r.files.refused(d)
		}
		return nil, errClosed()
	}
	r.begin()
	if r.pinned != nil {
		return r.pinned.Retain(), nil
	}
	return r.files.newest(), nil
}

// begin counts one who has seen that the store is open; release comes later.
func (r *readers) begin() {
	r.under.Add(1)
	r.count.Add(1)
}

func (r *readers) release(st *search.State) {
	st.Release()
	r.count.Add(-1)
	r.under.Done()
}

// read calls do with the state that acquire gives.
func (r *readers) read(ctx context.Context, doing string, do func(*search.State) error) error {
	st, err := r.acquire(ctx)
	if err != nil {
		return err
	}
	defer r.release(st)
	return r.files.reading(ctx, doing, st, do)
}

// with returns a context under which all reading is of a state.
func (r *readers) with(ctx context.Context, st *search.State) context.Context {
	return context.WithValue(ctx, pinKey{r}, st)
}

// usable is an error when the store is closed or the context done.
func (r *readers) usable(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.closed {
		return errClosed()
	}
	return nil
}

// pin makes the state as it is now the one that is read, until show or unpin; or,
// if it is to be kept, until unpin.
func (r *readers) pin(keep bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.kept {
		r.pinned, r.kept = r.files.newest(), keep
	}
}

// show makes the last commit the one that is read, once publish has made it so.
func (r *readers) show(publish func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := publish(); err != nil || r.kept {
		return err
	}
	r.drop()
	return nil
}

// unpin makes the last commit the one that is read, whatever was kept.
func (r *readers) unpin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = false
	r.drop()
}

// drop releases what is pinned. The caller has the lock.
func (r *readers) drop() {
	if r.pinned != nil {
		r.pinned.Release()
		r.pinned = nil
	}
}

// close waits for who reads, and lets nobody begin; not where that was done before.
func (r *readers) close() (done bool) {
	r.mu.Lock()
	done, r.closed = r.closed, true
	r.mu.Unlock()
	r.under.Wait()
	return done
}

// holdBack waits until nobody reads, and keeps it so: the caller calls letIn.
func (r *readers) holdBack(ctx context.Context) error {
	tick := time.NewTicker(adoptHold / 500)
	defer tick.Stop()
	for {
		r.gate.Lock()
		for end := time.Now().Add(adoptHold); time.Now().Before(end); <-tick.C {
			if r.count.Load() == 0 {
				return nil
			}
		}
		r.gate.Unlock()
		select {
		case <-time.After(adoptRetry):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// letIn is the end of holdBack.
func (r *readers) letIn() { r.gate.Unlock() }

func errClosed() error {
	return fault.New(fault.RAGUnavailable, "the store is closed; start the program again")
}
