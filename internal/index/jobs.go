package index

import (
	"context"
	"errors"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// known are the jobs that are remembered, oldest first.
func (s *Service) known() []*job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.jobs)
}

// own is a job of this process, or nil.
func (s *Service) own(id string) *job {
	for _, j := range s.known() {
		if j.id == id {
			return j
		}
	}
	return nil
}

func noJob(id string) error {
	return fault.New(fault.JobNotFound, "no job %q; the last %d are listed by GET /api/index/jobs or `ragnav jobs`", id,
		rememberedJobs)
}

// running is the job of a repository that has not ended, or nil.
func (s *Service) running(id models.RepoID) *job {
	for _, j := range s.known() {
		if v := j.snapshot(); v.RepoID == id && !v.State.Final() {
			return j
		}
	}
	return nil
}

var errClosed = errors.New("the index service is closed")

func closedFault() error {
	return fault.Wrap(fault.Overloaded, errClosed, "the server is shutting down; try again when it is back")
}

// launch remembers jobs and starts them.
func (s *Service) launch(jobs []*job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return closedFault()
	}
	for _, j := range jobs {
		ctx, cancel := j.under(s.ctx)
		s.jobs = append(s.jobs, j)
		s.wg.Go(func() error {
			defer cancel()
			s.work(ctx, j)
			return nil
		})
	}
	s.forget()
	return nil
}

// forget drops the oldest final jobs beyond the remembered number.
func (s *Service) forget() {
	final := 0
	for _, j := range slices.Backward(s.jobs) {
		if j.snapshot().State.Final() {
			final++
		}
	}
	s.jobs = slices.DeleteFunc(s.jobs, func(j *job) bool {
		if final > rememberedJobs && j.snapshot().State.Final() {
			final--
			return true
		}
		return false
	})
}

// lose drops a job that is no longer this process's.
func (s *Service) lose(lost *job) {
	s.mu.Lock()
	s.jobs = slices.DeleteFunc(s.jobs, func(j *job) bool { return j == lost })
	s.mu.Unlock()
	lost.abandon()
}

// work does a job and says how it came out.
func (s *Service) work(ctx context.Context, j *job) {
	err := parallel.Call(func() error { return s.await(ctx, j) })
	cause := context.Cause(ctx)
	switch {
	case j.renewer == nil:
		s.end(j, j.outcome(err), err)
	case err != nil && errors.Is(cause, errLost):
		j.renewer.drop()
		s.lose(j)
	case err != nil && errors.Is(cause, errHandOver):
		_ = j.renewer.handOver(ctx) // when that fails the others see its heartbeat stop
		s.lose(j)
	default:
		outcome := j.outcome(err)
		if j.renewer.finish(ctx, outcome) != nil {
			s.lose(j)
			return
		}
		s.end(j, outcome, err)
	}
}

// end makes an outcome known, and that it is a failure, and why.
func (s *Service) end(j *job, outcome Job, err error) {
	if outcome.State == JobFailed {
		s.config.Failed(outcome, err)
	}
	j.end(outcome)
}

// await waits for a slot and runs a job.
func (s *Service) await(ctx context.Context, j *job) error {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
		if j.spec.reembed {
			return s.reembed(ctx, j)
		}
		return s.run(ctx, j)
	case <-ctx.Done():
		return ctx.Err()
	}
}
