//go:build !race

package worker_test

import "time"

// deadline is the processor time that a worker has for a file in tests, where
// it is the test program: many times what that takes to start.
const deadline = 500 * time.Millisecond
