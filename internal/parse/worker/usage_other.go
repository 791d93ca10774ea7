//go:build !linux

package worker

import "time"

// resident is 0: how much memory a process has in use is only told on Linux.
// Elsewhere workers are replaced by the number of files alone.
func resident(int) int64 { return 0 }

// processorTime is only told on Linux. Elsewhere the deadline is of the clock.
func processorTime(int) (time.Duration, bool) { return 0, false }
