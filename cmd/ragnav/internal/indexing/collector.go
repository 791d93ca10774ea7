package indexing

import "runtime/debug"

// indexCollector is how much the heap grows, in percent, between two
// collections of a process that indexes. A run makes much garbage and keeps
// little: with the default of 100 a sixth of its time went into collecting.
const indexCollector = 200

// relaxCollector sets that, unless the user has set it.
func relaxCollector(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(indexCollector)
	}
}
