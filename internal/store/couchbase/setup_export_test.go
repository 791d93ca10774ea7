package couchbase

import (
	"context"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// SetupAtOnce is Setup for tests: it looks often, tells everything and gives up
// soon on what should pass.
func SetupAtOnce(ctx context.Context, c driver.Config, o SetupOptions, progress func(line string)) error {
	c = c.WithDefaults()
	c.RefreshEvery = 30 * time.Millisecond
	u := setup{config: c, options: o, progress: progress, pace: pace{
		poll: 2 * time.Millisecond, tell: 2 * time.Millisecond, stall: 20 * time.Millisecond, passing: 300 * time.Millisecond,
	}}
	return u.run(ctx)
}
