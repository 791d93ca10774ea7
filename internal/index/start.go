package index

import (
	"context"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/remote"
)

// Start starts one job for each target, or none when a target is refused. It
// returns as soon as they are queued.
func (s *Service) Start(ctx context.Context, req StartRequest) (JobsResponse, error) {
	if req.DryRun || req.Only != "" || req.Limit != nil || req.Cursor != "" {
		return JobsResponse{},
			fault.New(fault.InvalidRequest,
				"only, limit and cursor page through a preview, which starts no job; give them together with dry_run")
	}
	if req.Summarise && s.config.Summariser == nil {
		return JobsResponse{},
			fault.New(fault.LLMUnavailable, "no language model is configured; set RAGNAV_LLM_URL and RAGNAV_LLM_MODEL")
	}
	if req.Reembed {
		return s.startReembed(req) //nolint:contextcheck // jobs outlive the request that starts them
	}
	if req.Each {
		return s.startEach(ctx, req)
	}
	specs, err := s.targets.resolveAll(ctx, req)
	if err != nil {
		return JobsResponse{}, err
	}
	handles := make([]*jobs.Handle, len(specs))
	for i, sp := range specs {
		handles[i] = jobs.New(sp, s.config.Now)
	}
	views, err := s.submit(ctx, handles, req.Full)
	if err != nil {
		return JobsResponse{}, err
	}
	return JobsResponse{models.OKResult(views)}, nil
}

// submit takes the leases of jobs, registers their repositories and queues them:
// all, or none.
func (s *Service) submit(ctx context.Context, handles []*jobs.Handle, full bool) ([]jobs.Job, error) {
	if err := s.holdAll(ctx, handles); err != nil {
		return nil, err
	}
	views, err := s.enqueue(ctx, handles, full)
	if err != nil {
		forfeit(ctx, handles)
		return nil, err
	}
	return views, nil
}

// enqueue registers the repositories of jobs and queues them.
func (s *Service) enqueue(ctx context.Context, handles []*jobs.Handle, full bool) ([]jobs.Job, error) {
	s.starting.Lock()
	defer s.starting.Unlock()
	specs := make([]jobs.Spec, len(handles))
	views := make([]jobs.Job, len(handles))
	for i, j := range handles {
		specs[i], views[i] = j.Spec, j.Snapshot()
	}
	if err := s.admission.admit(ctx, specs, full); err != nil {
		return nil, err
	}
	return views, s.queue.Launch(handles) //nolint:contextcheck // jobs outlive the request that starts them
}

// holdAll takes the leases of all jobs, or none. Only a Shared store has them.
func (s *Service) holdAll(ctx context.Context, handles []*jobs.Handle) error {
	if s.board == nil {
		return nil
	}
	var specs []jobs.Spec
	now := s.config.Now().UTC()
	for i, j := range handles {
		if err := distinct(j.Spec, specs); err != nil {
			return err
		}
		specs = append(specs, j.Spec)
		j.Created = now.Add(time.Duration(i)) // so that they have an order
		if j.Spec.URL == "" {
			var err error
			if j.Spec.Inferred, err = remote.InferID(ctx, j.Spec.Root); err != nil {
				return err
			}
		}
	}
	for i, j := range handles {
		if err := s.board.Hold(ctx, j); err != nil {
			forfeit(ctx, handles[:i])
			return err
		}
	}
	return nil
}

// forfeit takes jobs that were not launched off the board.
func forfeit(ctx context.Context, handles []*jobs.Handle) {
	for _, j := range handles {
		j.Forfeit(ctx)
	}
}
