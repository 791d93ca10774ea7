// Package jobs has the index jobs of a process: which run, how far they are and how
// they end. Over a shared store they are on a board, where processes see each
// other's, hold leases of repositories, and take over what others left.
package jobs

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

const (
	parallelJobs   = 2                  // others wait in Queued
	rememberedJobs = worktrees.MaxBelow // final ones; so many may be started at once
)

// A Queue runs the jobs of this process, two at a time, and remembers the last
// ones. Over a board it also answers for the jobs of all other processes there.
type Queue struct {
	Work

	board *Board        // nil where jobs are this process's alone
	slots chan struct{} // one for each job that may run
	stop  context.CancelCauseFunc
	ctx   context.Context //nolint:containedctx // the jobs' life is the queue's, not a request's
	wg    parallel.Group

	mu     sync.Mutex
	closed bool
	jobs   []*Handle // oldest first
}

// Work is what a queue leaves to who has it.
type Work struct {
	Do     func(ctx context.Context, j *Handle) error
	Failed func(v Job, err error) // is told of jobs that fail, and why

	// The rest counts over a board only.

	// HandOver leaves jobs to other processes when the queue is closed, and takes
	// those of processes that are gone.
	HandOver bool
	// reach is the job of another process as this one can do it, if it can.
	Reach func(ctx context.Context, rec SpecRecord) (Spec, bool)
	// RecoverRepo sets the record of a repository right whose job was cut off.
	RecoverRepo func(ctx context.Context, id models.RepoID) error
}

// NewQueue is a queue over a board, which may be nil.
func NewQueue(ctx context.Context, b *Board, w Work) *Queue {
	q := &Queue{Work: w, board: b, slots: make(chan struct{}, parallelJobs)}
	q.ctx, q.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	q.wg, _ = parallel.NewGroup(q.ctx)
	if b != nil {
		q.Beside(func(context.Context) { q.watch() })
	}
	return q
}

// Beside starts what goes on beside the jobs until the queue is closed.
func (q *Queue) Beside(do func(ctx context.Context)) {
	q.wg.Go(func() error { do(q.ctx); return nil })
}

// Close ends all jobs and waits for them: it cancels them, or leaves them to
// other processes if it is to hand them over.
func (q *Queue) Close() error {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	cause := errClosing
	if q.board != nil && q.HandOver {
		cause = ErrHandOver
	}
	q.stop(cause)
	return q.wg.Wait()
}

// known are the jobs that are remembered, oldest first.
func (q *Queue) known() []*Handle {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.jobs)
}

// own is a job of this process, or nil.
func (q *Queue) own(id string) *Handle {
	for _, j := range q.known() {
		if j.ID == id {
			return j
		}
	}
	return nil
}

func noJob(id string) error {
	return fault.New(fault.JobNotFound, "no job %q; the last %d are listed by `ragnav jobs`", id,
		rememberedJobs)
}

// Running is the job of a repository that has not ended, or nil.
func (q *Queue) Running(id models.RepoID) *Handle {
	for _, j := range q.known() {
		if v := j.Snapshot(); v.RepoID == id && !v.State.Final() {
			return j
		}
	}
	return nil
}

// Reembedding is the job that makes all vectors again, or nil.
func (q *Queue) Reembedding() *Handle {
	for _, j := range q.known() {
		if j.Spec.Reembed && !j.Snapshot().State.Final() {
			return j
		}
	}
	return nil
}

var errClosed = errors.New("the index service is closed")

func closedFault() error {
	return fault.Wrap(fault.Overloaded, errClosed, "the server is shutting down; try again when it is back")
}

// Launch remembers jobs and starts them.
func (q *Queue) Launch(jobs []*Handle) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return closedFault()
	}
	for _, j := range jobs {
		ctx, cancel := j.Under(q.ctx)
		q.jobs = append(q.jobs, j)
		q.wg.Go(func() error {
			defer cancel()
			q.carryOut(ctx, j)
			return nil
		})
	}
	q.forget()
	return nil
}

// forget drops the oldest final jobs beyond the remembered number.
func (q *Queue) forget() {
	final := 0
	for _, j := range slices.Backward(q.jobs) {
		if j.Snapshot().State.Final() {
			final++
		}
	}
	q.jobs = slices.DeleteFunc(q.jobs, func(j *Handle) bool {
		if final > rememberedJobs && j.Snapshot().State.Final() {
			final--
			return true
		}
		return false
	})
}

// lose drops a job that is no longer this process's.
func (q *Queue) lose(lost *Handle) {
	q.mu.Lock()
	q.jobs = slices.DeleteFunc(q.jobs, func(j *Handle) bool { return j == lost })
	q.mu.Unlock()
	lost.abandon()
}

// carryOut does a job and says how it came out.
func (q *Queue) carryOut(ctx context.Context, j *Handle) {
	err := parallel.Call(func() error { return q.await(ctx, j) })
	cause := context.Cause(ctx)
	switch {
	case j.renewer == nil:
		q.end(j, j.Outcome(err), err)
	case err != nil && errors.Is(cause, ErrLost):
		j.renewer.drop()
		q.lose(j)
	case err != nil && errors.Is(cause, ErrHandOver):
		_ = j.renewer.handOver(ctx) // when that fails the others see its heartbeat stop
		q.lose(j)
	default:
		outcome := j.Outcome(err)
		if j.renewer.finish(ctx, outcome) != nil {
			q.lose(j)
			return
		}
		q.end(j, outcome, err)
	}
}

// end makes an outcome known, and that it is a failure, and why.
func (q *Queue) end(j *Handle, outcome Job, err error) {
	if outcome.State == Failed {
		q.Failed(outcome, err)
	}
	j.End(outcome)
}

// await waits for the job that this one is behind, and for a slot, and does it.
func (q *Queue) await(ctx context.Context, j *Handle) error {
	if err := j.attend(ctx); err != nil {
		return err
	}
	release, err := q.Slot(ctx)
	if err != nil {
		return err
	}
	defer release()
	return q.Do(ctx, j)
}

// Slot waits until one job fewer runs, and keeps it so until release.
func (q *Queue) Slot(ctx context.Context) (release func(), err error) {
	select {
	case q.slots <- struct{}{}:
		return func() { <-q.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
