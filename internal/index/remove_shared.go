package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/index/run"
)

// removeShared is Remove for a shared store. It has the repository's lease for
// as long as it works.
func (s *Service) removeShared(ctx context.Context, req RemoveRequest) (RemoveResponse, error) {
	named, err := records.Named(ctx, s.store, req.RepoID)
	if err != nil {
		return RemoveResponse{}, err
	}
	req.RepoID = named.RepoID
	j := jobs.New(jobs.Spec{ID: req.RepoID}, s.config.Now)
	j.Removal = true
	if err := s.board.Hold(ctx, j); err != nil {
		return RemoveResponse{}, err
	}
	defer j.Forfeit(ctx)
	ctx, release := j.Under(ctx)
	defer release()
	known, err := records.Repository(ctx, s.store, req.RepoID) // again: now nobody else changes it
	if err != nil {
		return RemoveResponse{}, err
	}
	err = run.Erase(ctx, s.siteOf(j), known)
	if errors.Is(context.Cause(ctx), jobs.ErrLost) {
		return RemoveResponse{},
			fault.Wrap(fault.RAGUnavailable, err,
				"the store did not answer for %v, so the removal of %s was given up half-way; run `ragnav remove` again",
				s.board.TTL, req.RepoID)
	}
	if err != nil {
		return RemoveResponse{}, fmt.Errorf("remove %s: %w", req.RepoID, err)
	}
	return s.removed(known), nil
}
