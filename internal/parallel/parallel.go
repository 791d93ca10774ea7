// Package parallel starts goroutines whose panics reach the caller as errors.
// A panic that nobody recovers ends the process with all that others asked of
// it, and a goroutine's panic can only be recovered within it. So all goroutines
// of the programs are started here; internal/archtest looks for others.
package parallel

import (
	"context"
	"runtime/debug"

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

// Wait waits for all goroutines and returns the first error.
func (g Group) Wait() error { return g.group.Wait() }
