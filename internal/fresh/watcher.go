package fresh

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/inotify"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// A watcher knows in which folders of a tree something happened since they were
// last looked at. It is of the folders of one shape: when others come, go or
// trade places, it is of no use any more.
type watcher struct {
	shape   *shape
	root    os.FileInfo
	watches int // that were counted for it

	mu     sync.Mutex
	queue  events       // nil once it ended
	dirs   map[int]int  // the folder of a watch
	dirty  map[int]bool // folders in which something happened
	broken bool
	looked time.Time // when the last look at everything began; zero: none since the watches were set
	git    gitWatch
	asked  time.Time
}

// Events are what happens in folders, as an inotify.Queue tells it.
type events interface {
	Watch(folder int) (int, error)
	Drain(tell func(inotify.Event)) error
	Close() error
}

var (
	errNotLocal = errors.New("the file system does not tell of all changes")
	errTwice    = errors.New("one folder is at two places")
)

// call sets the watches of a watcher for the folders of a state.
func (ws *Watchers) call(ctx context.Context, tree *disk.Folder, s *state) (_ *watcher, err error) {
	w := &watcher{shape: s.shape, dirs: make(map[int]int, len(s.dirs)), dirty: map[int]bool{}, asked: time.Now()}
	if err := ws.admit(w, len(s.dirs), len(s.files)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			ws.dismiss(w)
		}
	}()
	queue, err := ws.queue(len(s.files))
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.queue = queue
	w.mu.Unlock()
	root, err := openTree(tree)
	if err != nil {
		return nil, err
	}
	defer root.close()
	if w.root, err = tree.Identity(); err != nil {
		return nil, err
	}
	return w, w.watch(ctx, &looker{state: s, root: root}, queue)
}

// watch watches each folder that is there, outer ones first: so that no folder
// comes to be where there was none without an event.
func (w *watcher) watch(ctx context.Context, l *looker, queue events) error {
	defer l.back(0)
	for i := range l.state.dirs {
		if err := ctx.Err(); err != nil {
			return err
		}
		here, err := l.open(i)
		if absent(err) {
			continue
		}
		if err != nil {
			return err
		}
		fd, ok := descriptor(here)
		if !ok || !inotify.Local(fd) {
			return errNotLocal
		}
		watch, err := queue.Watch(fd)
		if err != nil {
			return err
		}
		if _, again := w.dirs[watch]; again {
			return errTwice
		}
		w.dirs[watch] = i
	}
	return nil
}

// ask tells of all that happened up to now, and forgets it: in these folders, in
// order. It vouches for the others if they were looked at lately. It is of use no
// more if it is broken.
func (w *watcher) ask(tree *disk.Folder, s *state, trust time.Duration) (dirs []int, vouched, broken bool) {
	now, same := time.Now(), false
	if here, err := tree.Identity(); err == nil {
		same = os.SameFile(here, w.root)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = now
	if w.queue == nil || s.shape != w.shape || !same {
		w.broken = true
	} else if err := w.queue.Drain(func(e inotify.Event) { w.take(s, e) }); err != nil {
		w.broken = true
	}
	if w.broken {
		return nil, false, true
	}
	dirs = slices.Sorted(maps.Keys(w.dirty))
	clear(w.dirty)
	return dirs, now.Sub(w.looked) <= trust, false
}

// take takes note of an event. What happens to folders of the shape breaks it:
// they may have traded places.
func (w *watcher) take(s *state, e inotify.Event) {
	at, known := w.dirs[e.Watch]
	switch {
	case w.git.dirs[e.Watch] && !e.Gone:
		w.git.changed = true
		w.git.unwatched = w.git.unwatched || e.Folder // it may hold what git reads
	case !known, e.Gone, e.Folder && (e.Name == "" || s.findDir(path.Join(s.dirs[at].path, e.Name)) >= 0):
		w.broken = true
	default:
		w.dirty[at] = true
	}
}

// again has the next check look at folders.
func (w *watcher) again(dirs []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, i := range dirs {
		w.dirty[i] = true
	}
}

// seen takes note of a check that looked at everything after it began and asked.
func (w *watcher) seen(began time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if began.After(w.looked) {
		w.looked = began
	}
}

// unlooked reports whether nobody has looked at everything yet.
func (w *watcher) unlooked() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.looked.IsZero()
}

// audited takes note of a look at everything beside checks, that began then.
func (w *watcher) audited(s *state, found findings, began time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range found.files {
		w.dirty[s.files[c.at].dir] = true
	}
	for _, c := range found.dirs {
		w.dirty[c.at] = true
	}
	for _, c := range found.rules {
		w.dirty[c.dir] = true
	}
	if began.After(w.looked) {
		w.looked = began
	}
}

func (w *watcher) lastAsked() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked
}

// ended reports whether its watches were taken from it.
func (w *watcher) ended() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.queue == nil
}

func (w *watcher) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.queue != nil {
		_ = w.queue.Close() // nothing was written
		w.queue = nil
	}
}

// Trust is for how long a watcher is believed: what changes without an event is
// seen by a check that begins so long after it.
const Trust = 5 * time.Second

// DefaultWatches is how many folders are watched in a process, if the system gives
// twice as many.
const DefaultWatches = 1 << 16

// Watchers watch the folders of trees that are asked about again and again, and
// so know without looking where nothing happened. The package documentation says
// what they can know. They serve a process; nil are none. Close them.
type Watchers struct {
	limit int // watches in all

	trust time.Duration // see Trust
	audit time.Duration // between two looks at everything, in the background
	calm  time.Duration // after the last question nothing is looked at in the background
	idle  time.Duration // after the last question watches are given back
	retry time.Duration // after the system gave none
	// Trees of fewer files than small share a queue of events: a user has 128 on most
	// systems, and others need some. The others do where the system gives no more.
	small int

	open, share func() (events, error)

	ctx  context.Context //nolint:containedctx // of all that runs in the background
	stop context.CancelFunc
	runs parallel.Group

	mu     sync.Mutex
	used   int // watches
	all    map[*watcher]bool
	closed bool
}

// NewWatchers returns watchers that watch no more than so many folders, 0 for
// DefaultWatches or half of what the system gives, whichever is less.
func NewWatchers(watches int) *Watchers {
	if watches == 0 {
		watches = DefaultWatches
		if given := inotify.SystemLimit(); given > 0 {
			watches = min(watches, given/2)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	runs, _ := parallel.NewGroup(context.Background())
	var queue inotify.Shared
	shared := func() (events, error) { return queue.Open() }
	return &Watchers{
		limit: watches, trust: Trust, audit: Trust * 7 / 10, calm: 30 * time.Second, idle: 2 * time.Minute,
		retry: time.Minute, small: 1000, open: func() (events, error) { return inotify.Open() }, share: shared,
		ctx: ctx, stop: stop, runs: runs, all: map[*watcher]bool{},
	}
}

// Close ends all watching, and what runs in the background. Checks go on
// without.
func (ws *Watchers) Close() error {
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
func (ws *Watchers) begin(run func(ctx context.Context)) (stop context.CancelFunc, ok bool) {
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

// admit takes a watcher in, of a tree with so many folders and files. Those that
// were asked the longest ago make room for it, not for one of a small tree.
func (ws *Watchers) admit(w *watcher, watches, files int) error {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.closed || watches > ws.limit || files < ws.small && ws.used+watches > ws.limit {
		return errTooMany
	}
	for ws.used+watches > ws.limit {
		var oldest *watcher
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

// queue is one for a tree of so many files.
func (ws *Watchers) queue(files int) (events, error) {
	if files >= ws.small {
		if own, err := ws.open(); err == nil {
			return own, nil
		}
	}
	return ws.share()
}

// dismiss ends a watcher.
func (ws *Watchers) dismiss(w *watcher) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.drop(w)
}

func (ws *Watchers) drop(w *watcher) {
	if ws.all[w] {
		delete(ws.all, w)
		ws.used -= w.watches
	}
	w.end()
}
