//go:build race

package worker_test

import "time"

// deadline is longer under the race detector, which makes the program slow to
// start.
const deadline = 3 * time.Second
