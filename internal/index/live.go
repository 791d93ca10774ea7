package index

import (
	"context"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/index/run"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// Made is what a run would make of one file.
type Made = run.Made

// FileRecords calls yield for the record of each file that is known of a
// repository, without its lists. Of a run that was cut off there may be some
// without a hash.
func (s *Service) FileRecords(ctx context.Context, id models.RepoID, yield func(models.FileRecord)) error {
	return records.Brief(ctx, s.store, id, func(_ string, rec models.FileRecord) { yield(rec) })
}

// Compose makes the documents of files of a repository as they are now, as a run
// would, and writes nothing. With an error, or when the context ends, there are
// those that were made until then.
func (s *Service) Compose(ctx context.Context, tree *disk.Folder, known models.Repository, paths []string) ([]Made,
	error,
) {
	on := s.siteOf(jobs.New(jobs.Spec{ID: known.RepoID, Root: known.Root}, s.config.Now))
	return run.Now(ctx, on, tree, known, paths)
}

// Registered are the repositories that are registered, in order of their ids.
func (s *Service) Registered(ctx context.Context) ([]models.Repository, error) {
	return registered(ctx, s.store)
}

func registered(ctx context.Context, st records.Reader) ([]models.Repository, error) {
	byID, err := records.Repositories(ctx, st)
	if err != nil {
		return nil, err
	}
	all := make([]models.Repository, 0, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		all = append(all, byID[id])
	}
	return all, nil
}
