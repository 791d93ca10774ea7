package watch

import (
	"context"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
)

// serve updates the index whenever the source learns of changes, and first of
// all. It returns true when that is over for good, and false when the source is
// of no use any more.
func (f *follower) serve(ctx context.Context, src source) (over bool) {
	s := server{follower: f, src: src, timer: time.NewTimer(0)}
	defer src.close()
	defer s.timer.Stop()
	defer func() {
		if s.running != nil { // nothing of this outlives the source
			<-s.results //nolint:errcheck // nobody is there to be told
		}
	}()
	look := time.NewTicker(f.Look)
	defer look.Stop()
	s.pending.add(time.Now(), change{all: true})
	for {
		select {
		case <-ctx.Done():
			return true
		case take := <-src.next():
			c := take(ctx)
			if c.lost {
				return false
			}
			s.pending.add(time.Now(), c)
		case <-look.C:
			if !src.there() {
				return false
			}
		case err := <-s.results:
			if s.conclude(err) {
				return true
			}
		case <-s.timer.C:
		}
		if !s.begin(ctx) {
			return false
		}
	}
}

// A server is what serve has in hand.
type server struct {
	*follower

	src     source
	pending pending
	running *pending     // that an update is about
	results <-chan error // of that update
	timer   *time.Timer  // wakes when an update may begin
	hold    time.Time    // no update before
	locked  time.Time    // since when an update waits for git
	tries   int          // that failed in a row
	said    string
}

// begin starts an update if it is time to, and otherwise sets the timer. It is
// false when the source fails.
func (s *server) begin(ctx context.Context) bool {
	if s.running != nil || s.pending.empty() {
		return true
	}
	now := time.Now()
	due := s.pending.due(s.Quiet, s.Longest)
	if due.Before(s.hold) {
		due = s.hold
	}
	if !now.Before(due) && s.waitForGit(now) {
		due = now.Add(s.Quiet)
	}
	if wait := due.Sub(now); wait > 0 {
		s.timer.Reset(wait)
		return true
	}
	if s.pending.all {
		if err := s.src.refresh(ctx); err != nil {
			return false
		}
	}
	batch := s.pending
	s.locked = time.Time{}
	s.pending, s.running = pending{}, &batch
	s.results = parallel.Start(func() error { return s.Update(ctx, s.repo, batch.list()) })
	return true
}

// waitForGit reports whether git is at work and not for too long. Quiet counts
// from when it is done: it moves HEAD after it has let go of the index, and what
// it did before that may not all be known yet.
func (s *server) waitForGit(now time.Time) bool {
	if !s.src.busy() {
		return false
	}
	if s.locked.IsZero() {
		s.locked = now
	}
	s.pending.first, s.pending.last, s.pending.git = now, now, true
	return now.Before(s.locked.Add(s.Locked))
}

// conclude takes the result of an update. It returns true when the repository
// is not registered any more.
func (s *server) conclude(err error) (over bool) {
	batch := *s.running
	s.running = nil
	if err == nil {
		if s.said != "" {
			s.Say(s.repo, "up to date again")
		}
		s.tries, s.hold, s.said = 0, time.Time{}, ""
		return false
	}
	switch fault.CodeOf(err) {
	case fault.RepoNotFound:
		return true
	case fault.Conflict: // another job runs, and may have passed what changed
		s.hold = time.Now().Add(s.Retry)
	default:
		batch.all = true
		s.hold = time.Now().Add(s.Retry << min(s.tries, maxDoublings))
		s.tries++
		if message := fmt.Sprintf("not up to date: %s", fault.MessageOf(err)); message != s.said {
			s.said = message
			s.Say(s.repo, message)
		}
	}
	s.pending.restore(time.Now(), batch)
	return false
}
