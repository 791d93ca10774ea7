package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// A Site is what all phases of a run have: the store, the repository's folder, and
// the job that is told how far it is. It does not change once the folder is open.
type Site struct {
	Store  records.Store
	Board  *jobs.Board // nil unless the store is Shared
	Embed  Embedder
	Config Options
	Job    *jobs.Handle
	tree   *disk.Folder
	origin compose.Origin
}

// busyTries is how often a batch is tried while the store has too much to do.
// A run of an hour should not end because of a minute in which others write.
const busyTries = 30

// apply carries out a batch of the run, as long as the run has its repository.
// It waits for a store that is busy: a batch may be applied again.
func (s *Site) apply(ctx context.Context, b models.Batch) error {
	for try := 1; ; try++ {
		if err := s.Job.MayWrite(ctx); err != nil {
			return err
		}
		err := s.Store.Apply(ctx, b)
		f, busy := errors.AsType[*fault.Error](err)
		if !busy || f.Code != fault.Overloaded || try == busyTries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(max(f.RetryAfter, time.Second)):
		}
	}
}

// searchable returns when searches see all that this process wrote to a shared
// store. When they don't in time that is a Timeout.
func (s *Site) searchable(ctx context.Context) error {
	if s.Board == nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, s.Config.SettleFor)
	defer cancel()
	err := s.Board.Store.Settle(limited)
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil && limited.Err() != nil:
		return fault.Wrap(fault.Timeout, err,
			"everything is written, but the search index has not caught up within %v; look at /readyz or `ragnav doctor`",
			s.Config.SettleFor)
	}
	return fmt.Errorf("wait for the search index: %w", err)
}
