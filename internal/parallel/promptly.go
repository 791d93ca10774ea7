package parallel

import "context"

// Promptly calls do and returns what that returns, or the context's error as soon
// as the context ends: then do, which can't be interrupted while it parses, reads
// or computes, is left to come to its end alone. It must not use what the caller
// changes afterwards.
func Promptly[T any](ctx context.Context, do func() (T, error)) (T, error) {
	value := make(chan T, 1)
	ended := Start(func() error {
		v, err := do()
		value <- v
		return err
	})
	select {
	case err := <-ended:
		if err != nil {
			var none T
			return none, err
		}
		return <-value, nil
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
