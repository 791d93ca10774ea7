package run

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// unremoved is the LastError of a repository from the beginning of its removal
// to its end.
const unremoved = "its removal did not finish; run `ragnav remove` again"

// Erase deletes everything of a repository, its own record last, after marks
// that say what is under way: a removal that was cut short can be called again,
// and a run instead of it starts from nothing.
func Erase(ctx context.Context, s *Site, known models.Repository) error {
	id := known.RepoID
	known.State, known.LastError = models.StateError, unremoved
	marks := []models.Record{records.RepositoryRecord(known), records.FoldersRecord(id, records.Folders{Purge: true})}
	if err := s.apply(ctx, models.Batch{PutRecords: marks}); err != nil {
		return err
	}
	if err := s.apply(ctx, records.PurgeBatch(id)); err != nil {
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
func releaseEmbedder(ctx context.Context, s *Site, id models.RepoID) error {
	version, err := s.Board.Store.Versioned(ctx, models.CollectionMeta, records.EmbedderKey, nil)
	if err != nil {
		return fmt.Errorf("read the embedder of the index: %w", err)
	}
	last, err := records.IsLast(ctx, s.Store, id)
	if err != nil || !last || version == 0 {
		return err
	}
	if _, err := s.Board.Store.Swap(ctx, models.CollectionMeta, records.EmbedderKey, version, nil, 0); err != nil &&
		!jobs.IsConflict(err) {
		return fmt.Errorf("forget the embedder of the index: %w", err)
	}
	return nil
}
