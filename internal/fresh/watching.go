package fresh

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A watching has a watcher for one manifest while that is asked about.
type watching struct {
	mu       sync.Mutex
	checks   int                // until there were two
	stop     context.CancelFunc // of what runs in the background; nil: nothing does
	watcher  *watcher           // nil: none
	asked    time.Time
	asleep   bool          // nobody asks, nothing is looked at
	wake     chan struct{} // a watcher is wanted, or somebody asks
	released bool
}

// hear asks the watcher before the first look of a check. What it returns is to
// be called when what the check found is published, or when it failed.
func (m *Manifest) hear(c *check) (concluded func(published bool)) {
	ws, began := c.opts.Watchers, time.Now()
	if ws == nil {
		return func(bool) {}
	}
	w := m.attend(ws, c.tree.Root())
	if w == nil {
		return func(bool) {}
	}
	dirty, vouched, broken := w.ask(c.tree, c.known.state, ws.trust)
	if broken {
		m.lose(ws, w)
		return func(bool) {}
	}
	if c.vouched = vouched; vouched {
		c.only = slices.Compact(slices.Sorted(slices.Values(slices.Concat(dirty, c.known.exposed))))
	}
	return func(published bool) {
		switch {
		case !published:
			w.again(dirty)
		case c.known.shape != w.shape:
			m.lose(ws, w)
		case !c.vouched:
			w.seen(began)
		}
	}
}

// attend notes a question and returns the watcher, if there is one. One is wanted
// from the second question on: many a process asks once.
func (m *Manifest) attend(ws *Watchers, root string) *watcher {
	a := &m.watching
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = time.Now()
	if a.asleep {
		a.asleep = false
		a.stir()
	}
	if a.checks++; a.checks < 2 || a.released {
		return nil
	}
	if a.stop == nil {
		a.wake = make(chan struct{}, 1)
		a.stop, _ = ws.begin(func(ctx context.Context) { m.serve(ctx, ws, root) })
	}
	return a.watcher
}

// lose gives a watcher up. What runs in the background calls another.
func (m *Manifest) lose(ws *Watchers, w *watcher) {
	ws.dismiss(w)
	a := &m.watching
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.watcher == w {
		a.watcher = nil
	}
	if a.stop != nil {
		a.stir()
	}
}

// stir ends a wait of what runs in the background.
func (a *watching) stir() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// Watched reports whether checks are spared most of the looks.
func (m *Manifest) Watched() bool {
	m.watching.mu.Lock()
	w := m.watching.watcher
	m.watching.mu.Unlock()
	return w != nil && !w.ended() && !w.unlooked() && w.shape == m.known.Load().shape
}

// Release gives up what a manifest has in the background, when nobody will ask
// about it any more. Without it that ends by itself, later.
func (m *Manifest) Release() {
	a := &m.watching
	a.mu.Lock()
	defer a.mu.Unlock()
	a.released = true
	if a.stop != nil {
		a.stop()
	}
}

// share is how many times longer than it worked the background waits at least.
const share = 5

// serve calls watchers and audits, until nobody has asked for long.
func (m *Manifest) serve(ctx context.Context, ws *Watchers, root string) {
	defer m.leave(ws)
	for {
		p := pace{began: time.Now()}
		rest := ws.retry
		if err := m.work(ctx, ws, root, &p); err == nil {
			rest = share * p.worked()
		}
		if !m.wait(ctx, rest, nil) || !m.wait(ctx, ws.audit-time.Since(p.began), m.watching.wake) || !m.sleep(ctx, ws) {
			return
		}
	}
}

// sleep waits while nobody asks. Who does looks at everything, which is then not to be
// done again at once. It is false when everything ends, or nobody asked for long.
func (m *Manifest) sleep(ctx context.Context, ws *Watchers) bool {
	for slept := false; ; slept = true {
		switch quiet := m.unasked(ws.calm); {
		case quiet > ws.idle:
			return false
		case quiet > ws.calm:
			if !m.wait(ctx, ws.idle-quiet+time.Millisecond, m.watching.wake) {
				return false
			}
		case slept:
			return m.wait(ctx, ws.audit, m.watching.wake)
		default:
			return true
		}
	}
}

// wait waits, or until there is a sign; false when everything ends.
func (*Manifest) wait(ctx context.Context, rest time.Duration, sign <-chan struct{}) bool {
	if rest <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(rest)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-sign:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// unasked is for how long nobody has asked. Beyond calm the next one to ask stirs.
func (m *Manifest) unasked(calm time.Duration) time.Duration {
	m.watching.mu.Lock()
	defer m.watching.mu.Unlock()
	quiet := time.Since(m.watching.asked)
	m.watching.asleep = quiet > calm
	return quiet
}

// leave ends what serve has.
func (m *Manifest) leave(ws *Watchers) {
	a := &m.watching
	a.mu.Lock()
	w := a.watcher
	a.watcher, a.stop, a.asleep = nil, nil, false
	a.mu.Unlock()
	if w != nil {
		ws.dismiss(w)
	}
}

// work calls a watcher if there is none, and has everything looked at by one
// thread, beside checks and without a lock, so that those who ask don't wait.
func (m *Manifest) work(ctx context.Context, ws *Watchers, root string, p *pace) error {
	tree, err := disk.OpenRegistered(ctx, root)
	if err != nil {
		return err
	}
	defer func() { _ = tree.Close() }()
	m.watching.mu.Lock()
	w := m.watching.watcher
	m.watching.mu.Unlock()
	if w != nil && !w.ended() {
		p.longest = min(ws.audit, ws.trust-ws.audit) / 2 / chunks // it is still trusted for that long
		return m.auditBy(ctx, tree, w, p)
	}
	if w, err = ws.call(ctx, tree, m.known.Load().state); err != nil {
		return err
	}
	if err := m.auditBy(ctx, tree, w, p); err != nil {
		ws.dismiss(w)
		return err
	}
	m.watching.mu.Lock()
	defer m.watching.mu.Unlock()
	m.watching.watcher = w
	return nil
}

// A pace spreads what is done in the background over time, so that those who ask
// meanwhile find a free processor.
type pace struct {
	began, last time.Time
	longest     time.Duration // of a rest; 0: there is none
	rested      time.Duration
}

// rest rests four times as long as the last part of the work took.
func (p *pace) rest() {
	now := time.Now()
	if p.last.IsZero() {
		p.last = p.began
	}
	if nap := min(4*now.Sub(p.last), p.longest); nap > 0 {
		time.Sleep(nap)
		p.rested += nap
	}
	p.last = time.Now()
}

// worked is how long it worked until now.
func (p *pace) worked() time.Duration { return time.Since(p.began) - p.rested }

// auditBy looks at everything. A difference from what is known is looked into
// by the next check.
func (m *Manifest) auditBy(ctx context.Context, tree *disk.Folder, w *watcher, p *pace) error {
	began, k := time.Now(), m.known.Load()
	if here, err := tree.Identity(); k.shape != w.shape || err != nil || !os.SameFile(here, w.root) {
		return err // the next check gives this watcher up
	}
	found, err := lookBy(ctx, tree, k.state, 1, p.rest)
	if err != nil {
		return err
	}
	if w.unlooked() && m.known.Load() != k {
		return nil // a check that began before the watches were set: the next one looks at everything
	}
	w.audited(k.state, found, began)
	return nil
}

// Looks are looks at files outside of trees that were made for one question: git's
// files of a user are those of all trees. The zero value has none. They are not for
// concurrent use.
type Looks struct{ seen map[string]stat }

func (l *Looks) at(path string) stat {
	seen, ok := l.seen[path]
	if !ok {
		if l.seen == nil {
			l.seen = map[string]stat{}
		}
		seen = lookAt(path)
		l.seen[path] = seen
	}
	return seen
}

// A clean is what a check knew and found that found nothing different.
type clean struct {
	known *knowledge
	delta Delta
}

// Unchanged is what a Check would find if that is what the last one found: the tree as
// the manifest says. It takes a watcher that vouches for all of the tree, no event since
// then, and what decides about a listing as it was, and costs a fraction of a check.
// Where it is false nothing is known, and Check tells; nothing is lost for that. So it
// is where git may keep files out of the folder: who asks is to be told of that.
func (m *Manifest) Unchanged(ctx context.Context, tree *disk.Folder, opts Options, looks *Looks) (Delta, bool) {
	ws := opts.Watchers
	if ws == nil {
		return Delta{}, false
	}
	m.glancing.Lock() // for microseconds
	defer m.glancing.Unlock()
	if !m.checking.TryLock() {
		return Delta{}, false
	}
	defer m.checking.Unlock()
	k := m.known.Load()
	if m.clean.known != k || len(k.exposed) > 0 || !sameLimits(k.limits, opts.Limits, tree.Root()) {
		return Delta{}, false
	}
	w := m.attend(ws, tree.Root()) //nolint:contextcheck // what runs in the background outlives the question
	if w == nil {
		return Delta{}, false
	}
	began := time.Now()
	// The order is that of a check: the events first, then what gives none.
	dirty, vouched, broken := w.ask(tree, k.state, ws.trust)
	if w.again(dirty); broken || !vouched || len(dirty) > 0 {
		return Delta{}, false
	}
	if !tree.Same() {
		return Delta{}, false
	}
	quiet := w.quietGit(tree, &m.git, ws.trust)
	look := func(p string) (stat, bool) {
		if quiet && inGit(tree.Root(), p) {
			return stat{}, false
		}
		return looks.at(p), true
	}
	git, ok := m.git.unchanged(ctx, tree, look)
	if !ok || !k.decidedBy(tree, git, look) || !quiet && listing.MaySparse(tree) {
		return Delta{}, false
	}
	if !quiet {
		w.sawGit(began)
	}
	return m.clean.delta, true
}

// A lookup looks at a path, unless it is known to look as it did.
type lookup func(path string) (seen stat, looked bool)

// unchanged is what git said, if it would say so again.
func (g *gitMemory) unchanged(ctx context.Context, tree *disk.Folder, look lookup) (listing.GitState, bool) {
	if g.root != tree.Root() || g.stats == nil {
		in, err := tree.IsGit(ctx)
		return listing.GitState{}, err == nil && !in
	}
	if g.below() {
		return listing.GitState{}, false
	}
	for i, p := range g.paths {
		if now, looked := look(p); looked && !g.stats[i].sameSource(now) {
			return listing.GitState{}, false
		}
	}
	tree.FoundGit()
	return g.state, true
}

// decidedBy reports that nothing that decides about a listing looks different.
func (k *knowledge) decidedBy(tree *disk.Folder, git listing.GitState, look lookup) bool {
	if k.git != (len(git.Deciders) > 0) || k.settings != git.Settings {
		return false
	}
	for dir, was := range k.nested {
		if listing.Nested(tree, dir) != was {
			return false
		}
	}
	return slices.EqualFunc(k.deciders, git.Deciders, func(d decider, p string) bool {
		if d.path != p || d.mark.racy {
			return false
		}
		now, looked := look(p)
		return !looked || d.mark.stat == now
	})
}
