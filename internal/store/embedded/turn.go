package embedded

import "context"

// A turn is the right to write: batches wait for each other, and so do all others
// that change files.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take waits for it, as long as ctx lasts. Call end.
func (t turn) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turn) end() { <-t }

// taken reports whether anybody has it.
func (t turn) taken() bool { return len(t) > 0 }
