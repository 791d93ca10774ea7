//go:build unix

// Package usage tells what a benchmark has used. Where the system can't tell,
// CPU is the time since the start, and the others are 0.
package usage

import (
	"syscall"
	"time"
)

// CPU is the processor time of this process until now.
func CPU() time.Duration { return processor(syscall.RUSAGE_SELF) }

// Children is that of the programs it ran, those that have ended.
func Children() time.Duration { return processor(syscall.RUSAGE_CHILDREN) }

func processor(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Peak is the most memory that was in use, in KiB as Linux counts it.
func Peak() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return int64(u.Maxrss) //nolint:unconvert // 32 bits on some systems
}
