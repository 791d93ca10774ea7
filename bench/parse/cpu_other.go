//go:build !unix

package main

import "time"

var begin = time.Now()

// cpuTime is the time since the start, for want of the real one.
func cpuTime() time.Duration { return time.Since(begin) }
