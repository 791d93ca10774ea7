package fresh

import (
	"context"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// A round is one check for all who wait for it. They joined before it looked at
// anything, so that what they did before they asked is seen.
type round struct {
	tree  *disk.Folder
	opts  Options
	done  chan struct{}
	delta Delta
	err   error
}

// serves reports whether a round answers this question too.
func (r *round) serves(tree *disk.Folder, opts Options) bool {
	return r.tree == tree && r.opts.Now == nil && opts.Now == nil &&
		r.opts.MaxChanged == opts.MaxChanged && sameLimits(r.opts.Limits, opts.Limits)
}

// Check compares the tree with the manifest. The package documentation says how
// it can be exact. An error means that nothing is known: the folder is gone, git
// fails, the context ended.
//
// While a check runs, those who ask meanwhile share the next one; its delta is
// not to be written to.
func (m *Manifest) Check(ctx context.Context, tree *disk.Folder, opts Options) (Delta, error) {
	for {
		r, lead := m.join(tree, opts)
		if lead {
			m.lead(ctx, r)
			return r.delta, r.err
		}
		select {
		case <-ctx.Done():
			return Delta{}, ctx.Err()
		case <-r.done:
		}
		code := fault.CodeOf(r.err)
		if r.err == nil || code != fault.Canceled && code != fault.Timeout {
			return r.delta, r.err
		}
		if ctx.Err() != nil {
			return Delta{}, ctx.Err()
		} // whoever led it went away
	}
}

// join is the round that did not begin yet, or a new one to be led.
func (m *Manifest) join(tree *disk.Folder, opts Options) (r *round, lead bool) {
	m.joining.Lock()
	defer m.joining.Unlock()
	if m.next != nil && m.next.serves(tree, opts) {
		return m.next, false
	}
	r = &round{tree: tree, opts: opts, done: make(chan struct{})}
	if m.next == nil {
		m.next = r
	}
	return r, true
}

// lead waits for the check that runs, closes the round to others and checks.
func (m *Manifest) lead(ctx context.Context, r *round) {
	defer close(r.done)
	m.checking.Lock()
	defer m.checking.Unlock()
	m.joining.Lock()
	if m.next == r {
		m.next = nil
	}
	m.joining.Unlock()
	r.err = parallel.Call(func() error { // a panic is that of all who wait
		c, err := m.check(ctx, r.tree, r.opts)
		if err == nil {
			r.delta = c.delta(m.commit)
		}
		return err
	})
}
