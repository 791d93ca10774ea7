package driver

import (
	"context"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/parallel"
)

// concurrency is how many operations on single keys are under way for one
// call. The driver sends them over few connections without waiting for answers.
const concurrency = 96

// InParallel calls do with 0 … n-1. After the first error, or when the context
// ends, it starts no further call. It returns how many calls succeeded and the
// first error.
func InParallel(ctx context.Context, n int, do func(i int) error) (succeeded int, err error) {
	var next, done atomic.Int64
	workers, going := parallel.NewGroup(ctx)
	for range min(n, concurrency) {
		workers.Go(func() error {
			for going.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := do(i); err != nil {
					return err
				}
				done.Add(1)
			}
			return nil
		})
	}
	err = workers.Wait()
	succeeded = int(done.Load())
	if err == nil && succeeded < n {
		err = ctx.Err()
	}
	return succeeded, err
}
