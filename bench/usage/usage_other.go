//go:build !unix

// Package usage tells what a benchmark has used. Where the system can't tell,
// CPU is the time since the start, and the others are 0.
package usage

import "time"

var begin = time.Now()

// CPU is the time since the start, for want of the real one.
func CPU() time.Duration { return time.Since(begin) }

// Children is not known.
func Children() time.Duration { return 0 }

// Peak is not known.
func Peak() int64 { return 0 }
