package index

import (
	"context"
	"errors"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// busyTries is how often a batch is tried while the store has too much to do.
// A run of an hour should not end because of a minute in which others write.
const busyTries = 30

// apply carries out a batch of the run, as long as the run has its repository.
// It waits for a store that is busy: a batch may be applied again.
func (r *run) apply(ctx context.Context, b models.Batch) error {
	for try := 1; ; try++ {
		if err := r.job.MayWrite(ctx); err != nil {
			return err
		}
		err := r.store.Apply(ctx, b)
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
