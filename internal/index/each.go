package index

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/remote"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

// codeNotStarted is the code of the warning that a repository, or what is in a
// folder, is left out of a request for each repository.
const codeNotStarted = "NOT_STARTED"

// startEach starts a job for each repository below the targets. It is an error
// when none was started.
func (s *Service) startEach(ctx context.Context, req StartRequest) (JobsResponse, error) {
	roots, warnings, err := s.below(ctx, req)
	if err != nil {
		return JobsResponse{}, err
	}
	var started []jobs.Job
	var specs []jobs.Spec
	var first error
	for _, root := range roots {
		var one JobsResponse
		sp, err := s.resolveBeside(ctx, root, specs)
		if err == nil {
			err = distinct(sp, specs)
		}
		if err == nil {
			one, err = s.Start(ctx,
				StartRequest{
					Targets: []string{root}, RepoID: sp.ID, Full: req.Full, Summarise: req.Summarise,
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
	roots, warnings, err := s.below(ctx, req)
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
		sp, err := s.resolveBeside(ctx, root, specs)
		sp.Full, sp.Summarise = req.Full, req.Summarise
		if err == nil {
			err = s.admitEmbedder(ctx, []jobs.Spec{sp}, registered, req.Full)
		}
		if err == nil {
			err = s.admitOne(sp, specs, registered)
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

// below finds the repositories below the targets, each once, and warns of
// folders that can't be looked into. To find none is an error.
func (s *Service) below(ctx context.Context, req StartRequest) (roots []string, warnings []models.Warning, err error) {
	if req.RepoID != "" {
		return nil, nil, fault.New(fault.InvalidRequest,
			"repo_id names one repository; leave it out where each repository of a folder is indexed")
	}
	seen := map[string]bool{}
	for _, target := range req.Targets {
		if remote.IsURL(target) || !filepath.IsAbs(target) {
			return nil, nil, fault.New(fault.InvalidRequest,
				"%q is not the absolute path of a folder; each looks for repositories in folders", remote.RedactURL(target))
		}
		found, unreadable, err := worktrees.Below(ctx, target)
		if err != nil {
			return nil, nil, err
		}
		if len(found) == 0 {
			return nil, nil, fault.New(fault.InvalidRequest,
				"there is no git repository at or below %s; to index a folder without git, leave each out", target)
		}
		for _, folder := range unreadable {
			warnings = append(warnings,
				models.Warning{Code: codeNotStarted, Message: folder + " can't be read, nothing below it was looked for"})
		}
		for _, root := range found {
			if !seen[root] {
				seen[root], roots = true, append(roots, root)
			}
		}
	}
	if len(roots) > worktrees.MaxBelow {
		return nil, nil, fault.New(fault.InvalidRequest,
			"there are %d repositories below the targets, more than %d; give folders with fewer", len(roots), worktrees.MaxBelow)
	}
	return roots, warnings, nil
}

func notStarted(root string, err error) models.Warning {
	return models.Warning{Code: codeNotStarted, Message: root + ": " + jobs.Reason(err)}
}

// resolveBeside is resolve for a folder among others. Two clones of one
// repository have the same id by their remotes: the second one gets the name of
// its folder behind it. On a store that servers share the id is left to be
// refused, because the other folder may be this one on another machine.
func (s *Service) resolveBeside(ctx context.Context, root string, others []jobs.Spec) (jobs.Spec, error) {
	sp, err := s.resolve(ctx, root, "")
	if err != nil {
		return jobs.Spec{}, err
	}
	taken := slices.ContainsFunc(others, func(o jobs.Spec) bool { return o.ID == sp.ID && o.Root != sp.Root })
	if s.board == nil && !taken {
		registered, err := records.Repositories(ctx, s.store)
		if err != nil {
			return jobs.Spec{}, err
		}
		known, ok := registered[sp.ID]
		taken = ok && known.Root != sp.Root && isFolder(known.Root) // else the folder was moved, perhaps
	}
	if taken {
		sp.ID = remote.BesideID(sp.ID, sp.Root)
	}
	return sp, checkID(sp)
}

func isFolder(root string) bool {
	info, err := os.Stat(root)
	return err == nil && info.IsDir()
}
