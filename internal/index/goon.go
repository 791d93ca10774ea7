package index

import (
	"context"
	"time"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A waker is an embedder that may be away, and can be asked whether it is back.
type waker interface {
	Ping(ctx context.Context)
	// Away is why it is not asked at this moment, or nil.
	Away() error
}

// longestRest is how many times Config.GoOn may pass between two tries of which
// the last brought nothing.
const longestRest = 32

// A resumer goes on where the embedder was away.
type resumer struct {
	every  time.Duration // until it first looks
	store  records.Reader
	embed  vectors.Embedder
	queue  *jobs.Queue
	launch *launcher
}

// goOn has vectors made that runs before had to leave, for as long as the service
// lives. Each time that nothing came of it the next try is twice as late.
func (r *resumer) goOn(ctx context.Context) {
	for wait := r.every; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if r.catchUp(ctx) {
			wait = r.every
		} else {
			wait = min(2*wait, longestRest*r.every)
		}
	}
}

// catchUp runs the repositories with documents that wait for their vectors, and
// reports whether all is well: some were made, or there was nothing to do.
func (r *resumer) catchUp(ctx context.Context) bool {
	all, err := registered(ctx, r.store)
	if err != nil {
		return false
	}
	left, made := 0, false
	for _, known := range all {
		if known.Pending == 0 || known.State != models.StateFresh || r.queue.Running(known.RepoID) != nil {
			continue
		}
		if e, ok := r.embed.(waker); ok {
			if e.Ping(ctx); e.Away() != nil {
				return false
			}
		}
		j := jobs.New(jobs.Spec{Target: known.Root, ID: known.RepoID, Root: known.Root, Update: true}, r.launch.now)
		if _, err := r.launch.submit(ctx, []*jobs.Handle{j}, false); err != nil {
			left++ // somebody else has it, or its folder is gone
			continue
		}
		ended, err := r.queue.Wait(ctx, j.ID, func(jobs.Job) {})
		if err != nil {
			return false
		}
		left += ended.Pending
		made = made || ended.Pending < known.Pending
	}
	return made || left == 0
}
