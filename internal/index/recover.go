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

// recoverAll sets the state of repositories right whose first run ended with its
// process: what was committed is there to be searched.
func recoverAll(ctx context.Context, st records.Store, board *jobs.Board) error {
	known, err := records.Repositories(ctx, st)
	if err != nil {
		return err
	}
	var errs []error
	for id, r := range known {
		if r.State != models.StateIndexing {
			continue
		}
		if board != nil {
			errs = append(errs, recoverShared(ctx, board, id))
			continue
		}
		r, err := run.Interrupted(ctx, st, r)
		if err == nil {
			err = st.Apply(ctx, models.Batch{PutRecords: []models.Record{records.RepositoryRecord(r)}})
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("set the state of %s: %w", id, err))
		}
	}
	return errors.Join(errs...)
}

// recoverShared is recoverAll for one repository of a shared store, where another
// server may be indexing it, or about to. A record that was changed since it was
// read, and that of a repository whose job has not ended, stay as they are.
func recoverShared(ctx context.Context, board *jobs.Board, id models.RepoID) error {
	var known models.Repository
	version, err := board.Store.Versioned(ctx, models.CollectionRepos, string(id), &known)
	if err != nil {
		return fmt.Errorf("read repository %s: %w", id, err)
	}
	if version == 0 || known.State != models.StateIndexing {
		return nil
	}
	// The lease is looked at after the record was read: who takes it later
	// writes the record later, and then the swap fails.
	if _, job, err := board.Current(ctx, id); err != nil || job != 0 {
		return err
	}
	if known, err = run.Interrupted(ctx, board.Store, known); err != nil {
		return err
	}
	_, err = board.Store.Swap(ctx, models.CollectionRepos, string(id), version, known, 0)
	if err != nil && !jobs.IsConflict(err) {
		return fmt.Errorf("set the state of %s: %w", id, err)
	}
	return nil
}
