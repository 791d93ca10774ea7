//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime is what this program and its children have used.
func processorTime() time.Duration {
	var total int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var use syscall.Rusage
		if syscall.Getrusage(who, &use) == nil {
			total += use.Utime.Nano() + use.Stime.Nano()
		}
	}
	return time.Duration(total)
}
