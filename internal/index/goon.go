package index

import (
	"context"
	"time"

	"github.com/ragnav/ragnav/internal/index/jobs"
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

// goOn has vectors made that runs before had to leave, for as long as the service
// lives. Each time that nothing came of it the next try is twice as late.
func (s *Service) goOn(ctx context.Context) {
	for wait := s.config.GoOn; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if s.catchUp(ctx) {
			wait = s.config.GoOn
		} else {
			wait = min(2*wait, longestRest*s.config.GoOn)
		}
	}
}

// catchUp runs the repositories with documents that wait for their vectors, and
// reports whether all is well: some were made, or there was nothing to do.
func (s *Service) catchUp(ctx context.Context) bool {
	registered, err := s.Registered(ctx)
	if err != nil {
		return false
	}
	left, made := 0, false
	for _, known := range registered {
		if known.Pending == 0 || known.State != models.StateFresh || s.queue.Running(known.RepoID) != nil {
			continue
		}
		if e, ok := s.embed.(waker); ok {
			if e.Ping(ctx); e.Away() != nil {
				return false
			}
		}
		j := jobs.New(jobs.Spec{Target: known.Root, ID: known.RepoID, Root: known.Root, Update: true}, s.config.Now)
		if _, err := s.submit(ctx, []*jobs.Handle{j}, false); err != nil {
			left++ // somebody else has it, or its folder is gone
			continue
		}
		ended, err := s.Wait(ctx, j.ID, nil)
		if err != nil {
			return false
		}
		left += ended.Pending
		made = made || ended.Pending < known.Pending
	}
	return made || left == 0
}
