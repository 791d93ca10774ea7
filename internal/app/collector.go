package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// How much the heap grows, in percent, between two collections. A run of the
// index makes much garbage and keeps little: with the default of 100 a sixth of
// its time went into collecting. A build of a graph keeps much, the symbols of
// all files: with 55 its peak is .85 of what it is with 100, for a tenth more CPU.
const (
	IndexCollector = 200
	GraphCollector = 55
)

// unhurried is how large the heap may grow whatever the percentage: to collect a
// small heap often takes time, and saves memory that nobody is short of.
const unhurried = 200 << 20

// mostPercent is what lets the first heap grow to unhurried, which is 4 MB at 100%.
const mostPercent = unhurried / (4 << 20) * 100

// A collector sets Go's own, over and over.
type collector struct{ percent atomic.Int64 }

// start sets the percentage, and from then on.
func (c *collector) start(percent int) {
	first := c.percent.Swap(int64(percent)) == 0
	c.set()
	if first {
		c.keep()
	}
}

// keep sets the percentage anew after each collection, when garbage that nobody
// holds is found.
func (c *collector) keep() {
	type garbage struct{ _ *byte }
	runtime.AddCleanup(&garbage{}, func(c *collector) {
		c.set()
		c.keep()
	}, c)
}

// set has the next collection come when the heap has grown by the percentage, but
// not before it is unhurried.
func (c *collector) set() {
	now := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/globals:bytes"}, {Name: "/gc/scan/stack:bytes"},
	}
	metrics.Read(now)
	live, grows := int64(now[0].Value.Uint64()), int64(1) //nolint:gosec // bytes in memory
	for _, s := range now {
		grows += int64(s.Value.Uint64()) //nolint:gosec // see above
	}
	percent := min((unhurried-live)*100/grows, mostPercent)
	debug.SetGCPercent(int(max(c.percent.Load(), percent)))
}
