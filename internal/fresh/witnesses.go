package fresh

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/inotify"
	"github.com/ragnav/ragnav/internal/parallel"
)

// Trust is for how long a witness is believed: what changes without an event is
// seen by a check that begins so long after it.
const Trust = 5 * time.Second

// DefaultWatches is how many folders are watched in a process, if the system gives
// twice as many.
const DefaultWatches = 1 << 16

// Witnesses watch the folders of trees that are asked about again and again, and
// so know without looking where nothing happened. The package documentation says
// what they can know. They serve a process; nil are none. Close them.
type Witnesses struct {
	limit int // watches in all

	trust time.Duration // see Trust
	audit time.Duration // between two looks at everything, in the background
	idle  time.Duration // after the last question watches are given back
	retry time.Duration // after the system gave none
	few   int           // files: fewer are looked at each time
	// A tree of fewer files than small is watched while there are fewer witnesses than
	// plenty: a user has 128 queues of events on most systems, and others need some.
	small, plenty int

	open func() (*inotify.Queue, error)

	ctx  context.Context //nolint:containedctx // of all that runs in the background
	stop context.CancelFunc
	runs parallel.Group

	mu     sync.Mutex
	used   int // watches
	all    map[*witness]bool
	closed bool
}

// NewWitnesses returns witnesses that watch no more than so many folders, 0 for
// DefaultWatches or half of what the system gives, whichever is less.
func NewWitnesses(watches int) *Witnesses {
	if watches == 0 {
		watches = DefaultWatches
		if given := inotify.SystemLimit(); given > 0 {
			watches = min(watches, given/2)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	runs, _ := parallel.NewGroup(context.Background())
	return &Witnesses{
		limit: watches, trust: Trust, audit: Trust / 2, idle: 2 * time.Minute, retry: time.Minute, few: 100, small: 1000,
		plenty: 32,
		open:   inotify.Open, ctx: ctx, stop: stop, runs: runs, all: map[*witness]bool{},
	}
}

// Close ends all watching, and what runs in the background. Checks go on
// without.
func (ws *Witnesses) Close() error {
	if ws == nil {
		return nil
	}
	ws.mu.Lock()
	ws.closed = true
	ws.mu.Unlock()
	ws.stop()
	err := ws.runs.Wait()
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for w := range ws.all {
		w.end()
	}
	ws.all, ws.used = nil, 0
	return err
}

// begin runs something in the background until it ends or everything does.
func (ws *Witnesses) begin(run func(ctx context.Context)) (stop context.CancelFunc, ok bool) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.closed {
		return nil, false
	}
	ctx, stop := context.WithCancel(ws.ctx)
	ws.runs.Go(func() error {
		defer stop()
		run(ctx)
		return nil
	})
	return stop, true
}

// errTooMany means that a tree has more folders than are watched in a process.
var errTooMany = errors.New("too many folders to watch")

// admit takes a witness in, of a tree with so many folders and files. Those that
// were asked the longest ago make room for it, not for one of a small tree.
func (ws *Witnesses) admit(w *witness, watches, files int) error {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.closed || watches > ws.limit || files < ws.small && (len(ws.all) >= ws.plenty || ws.used+watches > ws.limit) {
		return errTooMany
	}
	for ws.used+watches > ws.limit {
		var oldest *witness
		for other := range ws.all {
			if oldest == nil || other.lastAsked().Before(oldest.lastAsked()) {
				oldest = other
			}
		}
		ws.drop(oldest)
	}
	w.watches = watches
	ws.used += watches
	ws.all[w] = true
	return nil
}

// dismiss ends a witness.
func (ws *Witnesses) dismiss(w *witness) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.drop(w)
}

func (ws *Witnesses) drop(w *witness) {
	if ws.all[w] {
		delete(ws.all, w)
		ws.used -= w.watches
	}
	w.end()
}
