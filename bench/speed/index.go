package main

import (
	"time"
)

// repoID is what the measured tree is called.
const repoID = "bench/source"

// spending is what a process cost.
type spending struct {
	wall, cpu time.Duration
	peak      int64 // bytes of memory; 0 where the system does not tell
}
