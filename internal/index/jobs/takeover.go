package jobs

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
func (q *Queue) watch() {
	tick := time.NewTicker(max(q.board.TTL/watchesPerTTL, time.Millisecond))
	defer tick.Stop()
	if q.HandOver {
		_ = q.survey(q.ctx) // what the last server left need not wait
	}
	for {
		select {
		case <-q.ctx.Done():
			return
		case <-tick.C:
			_ = parallel.Call(func() error { return q.survey(q.ctx) }) // what fails is tried again with the next tick
		}
	}
}

// survey looks at the job of each lease.
func (q *Queue) survey(ctx context.Context) error {
	leases := map[models.RepoID]leaseRecord{}
	if err := records.Each(ctx, q.board.Store, leasesCollection, func(key string, l leaseRecord) {
		leases[models.RepoID(key)] = l
	}); err != nil {
		return fmt.Errorf("read the leases: %w", err)
	}
	watched := map[string]bool{}
	var errs []error
	for id, l := range leases {
		watched[l.JobID] = true
		if err := q.inspect(ctx, id, l.JobID); err != nil && !IsConflict(err) {
			errs = append(errs, err)
		}
	}
	q.board.overlook(watched)
	return errors.Join(errs...)
}

// inspect looks at the job that has a repository, and looks after it when its
// holder is gone. A Conflict means that somebody else was quicker.
func (q *Queue) inspect(ctx context.Context, id models.RepoID, job string) error {
	if q.board.renewer(job) != nil {
		return nil
	}
	rec, version, err := q.board.read(ctx, job)
	if err != nil {
		return err
	}
	if version == 0 || rec.Job.State.Final() {
		return q.clear(ctx, id, job)
	}
	state, quiet := q.board.observe(rec)
	if state != dead {
		return nil
	}
	switch {
	case rec.Removal:
		return q.endFor(ctx, rec, version, Failed, "its server stopped")
	case rec.CancelRequested:
		return q.endFor(ctx, rec, version, Cancelled, cancelledMessage)
	}
	if !q.HandOver && rec.Holder != q.board.holder {
		return nil // a server may be about to start
	}
	if sp, ok := q.Reach(ctx, rec.Spec); ok {
		return q.takeOver(ctx, rec, version, sp)
	}
	if quiet < q.deadline(rec) {
		return nil
	}
	return q.endFor(ctx, rec, version, Failed, fmt.Sprintf(
		"its server %s stopped, and no other server could go on with %s; index it again on a server that has it", rec.Server,
		rec.Spec.Target))
}

// deadline is how long a job may be quiet before it is given up.
func (q *Queue) deadline(rec Record) time.Duration {
	if rec.Holder == "" {
		return patience * q.board.TTL
	}
	return (1 + patience) * q.board.TTL
}

// takeOver makes the job of a holder that is gone one of this process and
// starts it. It is not started twice: only one process gets the record.
func (q *Queue) takeOver(ctx context.Context, rec Record, version uint64, sp Spec) error {
	j := New(sp, q.board.now)
	j.ID, j.Created = rec.Job.ID, rec.Created
	rec = rec.waiting()
	rec.Job.Server, rec.Server, rec.Holder = q.board.server, q.board.server, q.board.holder
	rec.Term++
	j.view = rec.Job
	begun := time.Now()
	version, err := q.board.write(ctx, rec, version)
	if err != nil {
		return fmt.Errorf("take over job %s: %w", j.ID, err)
	}
	newRenewer(ctx, q.board, j, posting{rec, version, begun})
	if err := q.Launch([]*Handle{j}); err != nil { //nolint:contextcheck // the job outlives the look at the board
		return errors.Join(err, j.renewer.handOver(ctx))
	}
	return nil
}

// endFor ends a job whose holder is gone.
func (q *Queue) endFor(ctx context.Context, rec Record, version uint64, state State, message string) error {
	if _, err := q.board.write(ctx, rec.ended(state, message, q.board.now()), version); err != nil {
		return fmt.Errorf("end job %s: %w", rec.Job.ID, err)
	}
	return q.clear(ctx, rec.Spec.RepoID, rec.Job.ID)
}

// clear removes the stale lease of a repository, whose record may still say
// that it is being indexed.
func (q *Queue) clear(ctx context.Context, id models.RepoID, job string) error {
	if err := q.RecoverRepo(ctx, id); err != nil {
		return err
	}
	return q.board.release(ctx, id, job)
}
