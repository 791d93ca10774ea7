package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/index/run"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// recover sets the state of repositories right whose first run ended with its
// process: what was committed is there to be searched.
func (s *Service) recover(ctx context.Context) error {
	if s.config.ReadOnly {
		return nil
	}
	known, err := records.Repositories(ctx, s.store)
	if err != nil {
		return err
	}
	var errs []error
	for id, r := range known {
		if r.State != models.StateIndexing {
			continue
		}
		if s.board != nil {
			errs = append(errs, s.recoverShared(ctx, id))
			continue
		}
		r, err := run.Interrupted(ctx, s.store, r)
		if err == nil {
			err = s.store.Apply(ctx, models.Batch{PutRecords: []models.Record{records.RepositoryRecord(r)}})
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("set the state of %s: %w", id, err))
		}
	}
	return errors.Join(errs...)
}

// recoverShared is recover for one repository of a shared store, where another
// server may be indexing it, or about to. A record that was changed since it was
// read, and that of a repository whose job has not ended, stay as they are.
func (s *Service) recoverShared(ctx context.Context, id models.RepoID) error {
	var known models.Repository
	version, err := s.board.Store.Versioned(ctx, models.CollectionRepos, string(id), &known)
	if err != nil {
		return fmt.Errorf("read repository %s: %w", id, err)
	}
	if version == 0 || known.State != models.StateIndexing {
		return nil
	}
	// The lease is looked at after the record was read: who takes it later
	// writes the record later, and then the swap fails.
	if _, job, err := s.board.Current(ctx, id); err != nil || job != 0 {
		return err
	}
	if known, err = run.Interrupted(ctx, s.store, known); err != nil {
		return err
	}
	_, err = s.board.Store.Swap(ctx, models.CollectionRepos, string(id), version, known, 0)
	if err != nil && !jobs.IsConflict(err) {
		return fmt.Errorf("set the state of %s: %w", id, err)
	}
	return nil
}
