//go:build unix

package main

import (
	"syscall"
	"time"
)

// spent is the processor time of the children that have ended: git and the
// workers that parse.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
