package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// unremoved is the LastError of a repository from the beginning of its removal
// to its end.
const unremoved = "its removal did not finish; run `ragnav remove` again"

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
	err = erase(ctx, s.siteOf(j), known)
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

// erase deletes everything of a repository, its own record last, after marks
// that say what is under way: a removal that was cut short can be called again,
// and a run instead of it starts from nothing.
func erase(ctx context.Context, s *site, known models.Repository) error {
	id := known.RepoID
	known.State, known.LastError = models.StateError, unremoved
	marks := []models.Record{records.RepositoryRecord(known), records.FoldersRecord(id, records.Folders{Purge: true})}
	if err := s.apply(ctx, models.Batch{PutRecords: marks}); err != nil {
		return err
	}
	if err := s.apply(ctx, purgeBatch(id)); err != nil {
		return err
	}
	if err := s.searchable(ctx); err != nil {
		return err
	}
	if err := releaseEmbedder(ctx, s, id); err != nil {
		return err
	}
	for _, rec := range []models.RecordID{records.FoldersID(id), records.RepositoryID(id)} {
		if err := s.apply(ctx, models.Batch{DeleteRecords: []models.RecordID{rec}}); err != nil {
			return err
		}
	}
	return nil
}

// releaseEmbedder forgets the embedder of the index when no other repository is
// registered. One that another server begins to index meanwhile claims the
// embedder, see claimEmbedder, and so keeps it.
func releaseEmbedder(ctx context.Context, s *site, id models.RepoID) error {
	version, err := s.board.Store.Versioned(ctx, models.CollectionMeta, records.EmbedderKey, nil)
	if err != nil {
		return fmt.Errorf("read the embedder of the index: %w", err)
	}
	last, err := records.IsLast(ctx, s.store, id)
	if err != nil || !last || version == 0 {
		return err
	}
	if _, err := s.board.Store.Swap(ctx, models.CollectionMeta, records.EmbedderKey, version, nil, 0); err != nil &&
		!jobs.IsConflict(err) {
		return fmt.Errorf("forget the embedder of the index: %w", err)
	}
	return nil
}
