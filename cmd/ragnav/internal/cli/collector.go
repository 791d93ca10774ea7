package cli

import "runtime/debug"

// How much the heap grows, in percent, between two collections. A run of the
// index makes much garbage and keeps little: with the default of 100 a sixth of
// its time went into collecting. A build of a graph keeps much, the symbols of
// all files: with 55 its peak is .85 of what it is with 100, for a tenth more CPU.
const (
	IndexCollector = 200
	GraphCollector = 55
)

// SetCollector sets that, unless the user has set it.
func SetCollector(getenv func(string) string, percent int) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
