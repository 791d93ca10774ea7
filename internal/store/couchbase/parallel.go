package couchbase

import (
	"context"
	"sync"
	"sync/atomic"
)

// concurrency is how many operations on single keys are under way for one
// call. The driver sends them over few connections without waiting for answers.
const concurrency = 96

// inParallel calls do with 0 … n-1. After the first error, or when the context
// ends, it starts no further call. It returns how many calls succeeded and the
// first error.
func inParallel(ctx context.Context, n int, do func(i int) error) (succeeded int, err error) {
	var next, done atomic.Int64
	var failed atomic.Bool
	var once sync.Once
	var first error
	var workers sync.WaitGroup
	for range min(n, concurrency) {
		workers.Go(func() {
			for !failed.Load() && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					failed.Store(true)
					once.Do(func() { first = err })
					return
				}
				done.Add(1)
			}
		})
	}
	workers.Wait()
	succeeded = int(done.Load())
	if first == nil && succeeded < n {
		first = ctx.Err()
	}
	return succeeded, first
}
