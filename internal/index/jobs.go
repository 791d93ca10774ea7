package index

import (
	"context"
	"errors"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// known are the jobs that are remembered, oldest first.
func (s *Service) known() []*job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.jobs)
}

func (s *Service) find(id string) (*job, error) {
	for _, j := range s.known() {
		if j.id == id {
			return j, nil
		}
	}
	return nil, fault.New(fault.JobNotFound, "no job %q; the last %d are listed by GET /api/index/jobs or `ragnav jobs`", id, rememberedJobs)
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

// launch remembers jobs and starts them.
func (s *Service) launch(jobs []*job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fault.Wrap(fault.Overloaded, errClosed, "the server is shutting down; try again when it is back")
	}
	for _, j := range jobs {
		ctx, cancel := context.WithCancel(s.ctx)
		j.cancel = cancel
		s.jobs = append(s.jobs, j)
		s.wg.Go(func() {
			defer cancel()
			s.work(ctx, j)
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

// work waits for a slot and runs a job.
func (s *Service) work(ctx context.Context, j *job) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
		j.end(s.run(ctx, j))
	case <-ctx.Done():
		j.end(ctx.Err())
	}
}
