package index

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// codeNotStarted is the code of the warning that a repository, or what is in a
// folder, is left out of a request for each repository.
const codeNotStarted = "NOT_STARTED"

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
	specs, err := s.targets.settle(req).resolveAll(ctx, req)
	if err != nil {
		return JobsResponse{}, err
	}
	handles := make([]*jobs.Handle, len(specs))
	for i, sp := range specs {
		handles[i] = jobs.New(sp, s.config.Now)
	}
	views, err := s.launch.submit(ctx, handles, req.Full)
	if err != nil {
		return JobsResponse{}, err
	}
	return JobsResponse{models.OKResult(views)}, nil
}

// startEach starts a job for each repository below the targets. It is an error
// when none was started.
func (s *Service) startEach(ctx context.Context, req StartRequest) (JobsResponse, error) {
	targets := s.targets.settle(req)
	roots, warnings, err := targets.below(ctx, req)
	if err != nil {
		return JobsResponse{}, err
	}
	var started []jobs.Job
	var specs []jobs.Spec
	var first error
	for _, root := range roots {
		var one JobsResponse
		sp, err := targets.resolveBeside(ctx, root, specs)
		if err == nil {
			err = distinct(sp, specs)
		}
		if err == nil {
			one, err = s.Start(ctx,
				StartRequest{
					Targets: []string{root}, RepoID: sp.ID, Full: req.Full, Summarise: req.Summarise,
					NoGraph: req.NoGraph, GraphNext: req.GraphNext,
					SummaryTokens: req.SummaryTokens, Settled: req.Settled,
				})
		}
		if ctx.Err() != nil {
			return JobsResponse{}, ctx.Err() // what was started is listed with all jobs
		}
		if err != nil {
			first, warnings = cmp.Or(first, err), append(warnings, notStarted(root, err))
			continue
		}
		started, specs = append(started, one.Items...), append(specs, sp)
	}
	if len(started) == 0 {
		return JobsResponse{}, first
	}
	res := JobsResponse{models.OKResult(started)}
	res.Meta.Warnings = warnings
	return res, nil
}

// startReembed starts the job that makes all vectors again by the configured
// embedder.
func (s *Service) startReembed(req StartRequest) (JobsResponse, error) {
	switch {
	case len(req.Targets) > 0 || req.RepoID != "" || req.Full || req.Each:
		return JobsResponse{}, fault.New(fault.InvalidRequest, "reembed makes all vectors of the index again; give it alone")
	case s.config.Beside == nil:
		return JobsResponse{}, fault.New(fault.InvalidRequest,
			"vectors on a cluster are not made again in place: set up another scope for the other embedder, index there, and "+
				"move the servers over (docs/couchbase.md)")
	}
	s.launch.starting.Lock()
	defer s.launch.starting.Unlock()
	if s.queue.Running("") != nil {
		return JobsResponse{},
			fault.Later("a job that makes vectors again, or clones, is under way; wait for it (`ragnav jobs`)")
	}
	j, err := s.launch.renewal()
	if err != nil {
		return JobsResponse{}, err
	}
	return oneJob(j.Snapshot()), nil
}

// Renew starts to make all vectors again where those of the index are of an earlier
// built-in table. Jobs that start meanwhile begin when that is done.
func (s *Service) Renew(ctx context.Context) error {
	if s.config.ReadOnly {
		return nil
	}
	s.launch.starting.Lock()
	defer s.launch.starting.Unlock()
	if outdated, err := s.launch.admission.outdated(ctx); err != nil || !outdated {
		return err
	}
	_, err := s.launch.renewal() //nolint:contextcheck // jobs outlive the request that starts them
	return err
}

// maxInterrupted is after how many interrupted runs in a row a repository waits for
// somebody to ask for the next one: it may be what ends the process.
const maxInterrupted = 3

// Interrupted are the repositories whose first run ended with its process, and may be
// taken up again by one that stays.
func (s *Service) Interrupted(ctx context.Context) ([]models.RepoID, error) {
	known, err := records.Repositories(ctx, s.store)
	if err != nil || s.config.ReadOnly {
		return nil, err
	}
	maps.DeleteFunc(known, func(_ models.RepoID, r models.Repository) bool {
		return r.Interrupted == 0 || r.Interrupted >= maxInterrupted
	})
	return slices.Sorted(maps.Keys(known)), nil
}

// Reembedding is the job that makes all vectors again, if there is one.
func (s *Service) Reembedding() (v jobs.Job, running bool) {
	if j := s.queue.Reembedding(); j != nil {
		return j.Snapshot(), true
	}
	return v, false
}

// An UpdateRequest tells that something changed in a registered repository.
type UpdateRequest struct {
	RepoID models.RepoID
	// Paths are the files and folders that may differ from what the last run
	// saw, relative to the root; a folder stands for all that is below it. None
	// means that anything may differ.
	Paths []string
}

// Update is an index run of a registered folder, and returns once that has
// ended. It looks at the named paths only, if that is sure to give what a whole
// run gives: see inPart. While another job has the repository it is a Conflict;
// ask again later, with the same paths.
//
// Clones are InvalidRequest: they change when they are indexed.
func (s *Service) Update(ctx context.Context, req UpdateRequest) (jobs.Job, error) {
	known, err := records.Repository(ctx, s.store, req.RepoID)
	if err != nil {
		return jobs.Job{}, err
	}
	if known.URL != "" {
		return jobs.Job{}, fault.New(fault.InvalidRequest, "%s is a clone; it is brought up to date by `ragnav index %s`",
			known.RepoID, known.URL)
	}
	j := jobs.New(jobs.Spec{
		Target: known.Root, ID: known.RepoID, Root: known.Root,
		Update: true, Paths: slices.Compact(slices.Sorted(slices.Values(req.Paths))),
	}, s.config.Now)
	if _, err := s.launch.submit(ctx, []*jobs.Handle{j}, false); err != nil {
		return jobs.Job{}, err
	}
	return s.Wait(ctx, j.ID, nil)
}

func notStarted(root string, err error) models.Warning {
	return models.Warning{Code: codeNotStarted, Message: root + ": " + jobs.Reason(err)}
}
