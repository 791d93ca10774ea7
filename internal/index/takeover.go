package index

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

const (
	watchesPerTTL = 4 // looks at the other holders in the length of a lease
	patience      = 3 // lease lengths that a dead job waits for a server that can go on with it
)

// watch looks after jobs whose holders are gone, until the service is closed.
func (s *Service) watch() {
	tick := time.NewTicker(max(s.board.ttl/watchesPerTTL, time.Millisecond))
	defer tick.Stop()
	if s.config.HandOver {
		_ = s.survey(s.ctx) // what the last server left need not wait
	}
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
			_ = parallel.Call(func() error { return s.survey(s.ctx) }) // what fails is tried again with the next tick
		}
	}
}

// survey looks at the job of each lease.
func (s *Service) survey(ctx context.Context) error {
	leases := map[models.RepoID]leaseRecord{}
	if err := records.Each(ctx, s.store, leasesCollection, func(key string, l leaseRecord) {
		leases[models.RepoID(key)] = l
	}); err != nil {
		return fmt.Errorf("read the leases: %w", err)
	}
	watched := map[string]bool{}
	var errs []error
	for id, l := range leases {
		watched[l.JobID] = true
		if err := s.inspect(ctx, id, l.JobID); err != nil && !isConflict(err) {
			errs = append(errs, err)
		}
	}
	s.board.overlook(watched)
	return errors.Join(errs...)
}

// inspect looks at the job that has a repository, and looks after it when its
// holder is gone. A Conflict means that somebody else was quicker.
func (s *Service) inspect(ctx context.Context, id models.RepoID, job string) error {
	if s.board.renewer(job) != nil {
		return nil
	}
	rec, version, err := s.board.read(ctx, job)
	if err != nil {
		return err
	}
	if version == 0 || rec.Job.State.Final() {
		return s.clear(ctx, id, job)
	}
	state, quiet := s.board.observe(rec)
	if state != dead {
		return nil
	}
	switch {
	case rec.Removal:
		return s.endFor(ctx, rec, version, JobFailed, "its server stopped")
	case rec.CancelRequested:
		return s.endFor(ctx, rec, version, JobCancelled, cancelledMessage)
	}
	if !s.config.HandOver && rec.Holder != s.board.holder {
		return nil // a server may be about to start
	}
	if sp, ok := s.reach(ctx, rec.Spec); ok {
		return s.takeOver(ctx, rec, version, sp)
	}
	if quiet < s.deadline(rec) {
		return nil
	}
	return s.endFor(ctx, rec, version, JobFailed, fmt.Sprintf(
		"its server %s stopped, and no other server could go on with %s; index it again on a server that has it", rec.Server,
		rec.Spec.Target))
}

// deadline is how long a job may be quiet before it is given up.
func (s *Service) deadline(rec jobRecord) time.Duration {
	if rec.Holder == "" {
		return patience * s.board.ttl
	}
	return (1 + patience) * s.board.ttl
}

// takeOver makes the job of a holder that is gone one of this process and
// starts it. It is not started twice: only one process gets the record.
func (s *Service) takeOver(ctx context.Context, rec jobRecord, version uint64, sp spec) error {
	j := newJob(sp, s.config.Now)
	j.id, j.created = rec.Job.ID, rec.Created
	rec = rec.waiting()
	rec.Job.Server, rec.Server, rec.Holder = s.board.server, s.board.server, s.board.holder
	rec.Term++
	j.view = rec.Job
	begun := time.Now()
	version, err := s.board.write(ctx, rec, version)
	if err != nil {
		return fmt.Errorf("take over job %s: %w", j.id, err)
	}
	newRenewer(ctx, s.board, j, posting{rec, version, begun})
	if err := s.launch([]*job{j}); err != nil { //nolint:contextcheck // the job outlives the look at the board
		return errors.Join(err, j.renewer.handOver(ctx))
	}
	return nil
}

// endFor ends a job whose holder is gone.
func (s *Service) endFor(ctx context.Context, rec jobRecord, version uint64, state JobState, message string) error {
	if _, err := s.board.write(ctx, rec.ended(state, message, s.config.Now()), version); err != nil {
		return fmt.Errorf("end job %s: %w", rec.Job.ID, err)
	}
	return s.clear(ctx, rec.Spec.RepoID, rec.Job.ID)
}

// clear removes the stale lease of a repository, whose record may still say
// that it is being indexed.
func (s *Service) clear(ctx context.Context, id models.RepoID, job string) error {
	if err := s.recoverShared(ctx, id); err != nil {
		return err
	}
	return s.board.release(ctx, id, job)
}
