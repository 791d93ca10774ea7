// Package parallel starts goroutines whose panics reach the caller as errors.
// A panic that nobody recovers ends the process with all that others asked of
// it, and a goroutine's panic can only be recovered within it. So all goroutines
// of the programs are started here; internal/archtest looks for others.
package parallel

import (
	"context"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/ragnav/ragnav/internal/fault"
)

// Call calls do. A panic of do is an error, a *fault.Panic, and so is a read of
// mapped memory behind which there is no file any more, which would end the
// process.
func Call(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fault.Panicked(p)
		}
	}()
	return do()
}

// Start calls do in a goroutine. The result gets its error, once.
func Start(do func() error) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- Call(do) }()
	return ended
}

// A Group is goroutines that work on parts of one task. Make it with NewGroup.
type Group struct{ group *errgroup.Group }

// NewGroup returns a Group, and a context that ends with the first error of its
// goroutines or with Wait.
func NewGroup(ctx context.Context) (Group, context.Context) {
	group, ctx := errgroup.WithContext(ctx)
	return Group{group}, ctx
}

// SetLimit sets how many goroutines may be at work at once; Go waits for its turn.
func (g Group) SetLimit(n int) { g.group.SetLimit(n) }

// Go calls do in a goroutine.
func (g Group) Go(do func() error) {
	g.group.Go(func() error { return Call(do) })
}

// Here calls do at once, as Go does in a goroutine: its error ends the context, and
// Wait may return it. It is for the last part of a task, while others are at work.
func (g Group) Here(do func() error) {
	if err := Call(do); err != nil {
		g.group.Go(func() error { return err })
	}
}

// Wait waits for all goroutines and returns the first error.
func (g Group) Wait() error { return g.group.Wait() }

// Each calls do for each of some values, so many at once, the caller's goroutine
// among them, until one fails.
func Each[T any](ctx context.Context, atOnce int, values []T, do func(context.Context, T) error) error {
	g, gctx := NewGroup(ctx)
	var next atomic.Int64
	some := func() error {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(values) {
				return nil
			}
			if err := gctx.Err(); err != nil {
				return err
			}
			if err := do(gctx, values[i]); err != nil {
				return err
			}
		}
	}
	for range min(atOnce, len(values)) - 1 {
		g.Go(some)
	}
	g.Here(some)
	return g.Wait()
}
