//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is what this process and the programs that it ran have used.
func cpuTime() time.Duration {
	total := time.Duration(0)
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var use syscall.Rusage
		if syscall.Getrusage(who, &use) == nil {
			total += time.Duration(use.Utime.Nano() + use.Stime.Nano())
		}
	}
	return total
}
