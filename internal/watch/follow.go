package watch

import (
	"context"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
)

// A source learns of changes in one folder. It is used by one goroutine.
type source interface {
	// next delivers changes in their order.
	next() <-chan func(context.Context) change
	// refresh looks again at what there is to watch. It comes before an update
	// that is about everything.
	refresh(ctx context.Context) error
	// busy reports whether git is in the middle of something.
	busy() bool
	// there reports whether the folder is still the one that is watched.
	there() bool
	close()
}

// A follower keeps the index of one repository up to date.
type follower struct {
	Config

	repo   Repo
	cancel context.CancelFunc
	done   chan struct{}
	poll   bool // notifications don't do
}

func (f *follower) ended() bool {
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

// maxDoublings limits the time between two tries.
const maxDoublings = 6

// follow watches the folder, again and again if need be, until ctx ends or the
// repository is not registered any more.
func (f *follower) follow(ctx context.Context) {
	said := ""
	for tries := 0; ctx.Err() == nil; tries++ {
		src, err := f.source(ctx)
		if err == nil {
			if said != "" {
				f.Say(f.repo, "watching again")
			}
			said, tries = "", 0
			if f.serve(ctx, src) {
				return
			}
			f.pause(ctx, 0)
			continue
		}
		if message := "not watched: " + fault.MessageOf(err); message != said && ctx.Err() == nil {
			f.Say(f.repo, message)
			said = message
		}
		f.pause(ctx, tries)
	}
}

func (f *follower) pause(ctx context.Context, tries int) {
	select {
	case <-ctx.Done():
	case <-time.After(f.Retry << min(tries, maxDoublings)):
	}
}
