package jobs

import (
	"context"
	"time"
)

// pause waits, as long as ctx lives.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// GivenUp reports that nobody waits any more for what ctx is about.
func GivenUp(ctx context.Context) bool { return ctx.Err() != nil }
