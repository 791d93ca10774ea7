//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Used is how much of the processor this process has used.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // which the system has no reason for
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
