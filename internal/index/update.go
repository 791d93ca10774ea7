package index

import (
	"context"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

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
	if _, err := s.submit(ctx, []*jobs.Handle{j}, false); err != nil {
		return jobs.Job{}, err
	}
	return s.Wait(ctx, j.ID, nil)
}

// Registered are the repositories that are registered, in order of their ids.
func (s *Service) Registered(ctx context.Context) ([]models.Repository, error) {
	byID, err := records.Repositories(ctx, s.store)
	if err != nil {
		return nil, err
	}
	all := make([]models.Repository, 0, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		all = append(all, byID[id])
	}
	return all, nil
}
