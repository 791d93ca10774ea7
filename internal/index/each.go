package index

import (
	"cmp"
	"context"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// codeNotStarted is the code of the warning that a repository, or what is in a
// folder, is left out of a request for each repository.
const codeNotStarted = "NOT_STARTED"

// startEach starts a job for each repository below the targets. It is an error
// when none was started.
func (s *Service) startEach(ctx context.Context, req StartRequest) (JobsResponse, error) {
	roots, warnings, err := s.targets.below(ctx, req)
	if err != nil {
		return JobsResponse{}, err
	}
	var started []jobs.Job
	var specs []jobs.Spec
	var first error
	for _, root := range roots {
		var one JobsResponse
		sp, err := s.targets.resolveBeside(ctx, root, specs)
		if err == nil {
			err = distinct(sp, specs)
		}
		if err == nil {
			one, err = s.Start(ctx,
				StartRequest{
					Targets: []string{root}, RepoID: sp.ID, Full: req.Full, Summarise: req.Summarise,
					NoGraph: req.NoGraph, GraphNext: req.GraphNext,
					SummaryTokens: req.SummaryTokens,
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

// admissibleEach is what startEach would start, in a preview.
func (s *Service) admissibleEach(ctx context.Context, req StartRequest) ([]jobs.Spec, []models.Warning, error) {
	roots, warnings, err := s.targets.below(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	registered, err := records.Repositories(ctx, s.store)
	if err != nil {
		return nil, nil, err
	}
	var specs []jobs.Spec
	var first error
	for _, root := range roots {
		sp, err := s.targets.resolveBeside(ctx, root, specs)
		sp.Full, sp.Summarise = req.Full, req.Summarise
		if err == nil {
			err = s.admission.admitEmbedder(ctx, []jobs.Spec{sp}, registered, req.Full)
		}
		if err == nil {
			err = s.admission.admitOne(sp, specs, registered)
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			first, warnings = cmp.Or(first, err), append(warnings, notStarted(root, err))
			continue
		}
		specs = append(specs, sp)
	}
	if len(specs) == 0 {
		return nil, nil, first
	}
	return specs, warnings, nil
}

func notStarted(root string, err error) models.Warning {
	return models.Warning{Code: codeNotStarted, Message: root + ": " + jobs.Reason(err)}
}
