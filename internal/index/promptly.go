package index

import "context"

// promptly calls do and returns what that returns, or the context's error as soon
// as the context ends: then do, which can't be interrupted while it parses, reads
// or computes, is left to come to its end alone. It must not use what the caller
// changes afterwards.
func promptly[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	out := make(chan result, 1)
	go func() {
		value, err := do()
		out <- result{value, err}
	}()
	select {
	case r := <-out:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
