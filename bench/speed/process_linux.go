package main

import (
	"os"
	"syscall"
)

// peakMemory is the largest resident set of a process that has ended, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	if r, ok := p.SysUsage().(*syscall.Rusage); ok {
		return r.Maxrss * 1024
	}
	return 0
}
