package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/ragnav/ragnav/internal/parallel"
)

// Interrupts are what ends the program early: the first interrupt of the user, or a
// SIGTERM, ends its context, so that commands can clean up; a second one ends the
// process. While there is a turn, an interrupt ends that instead. The zero value has
// turns that nothing ends.
type Interrupts struct {
	mu   sync.Mutex
	turn context.CancelFunc // nil outside of one
}

// Watch returns the context of the program, until stop is called.
func (i *Interrupts) Watch(ctx context.Context) (watched context.Context, stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	watched, cancel := context.WithCancel(ctx)
	parallel.Start(func() error {
		defer signal.Stop(signals)
		for {
			select {
			case <-watched.Done():
				return nil
			case got := <-signals:
				if got != os.Interrupt || !i.endTurn() {
					cancel()
				}
			}
		}
	})
	return watched, cancel
}

// Turn returns the context of a part of the work that an interrupt ends alone. There
// is one at a time; done ends it.
func (i *Interrupts) Turn(ctx context.Context) (turn context.Context, done func()) {
	turn, cancel := context.WithCancel(ctx)
	i.mu.Lock()
	i.turn = cancel
	i.mu.Unlock()
	return turn, func() { i.endTurn() }
}

// endTurn reports whether there was one.
func (i *Interrupts) endTurn() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	turn := i.turn
	i.turn = nil
	if turn != nil {
		turn()
	}
	return turn != nil
}
