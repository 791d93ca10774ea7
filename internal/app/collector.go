package app

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// unhurried is how large the heap may grow whatever the percentage: to collect a
// small heap often takes time, and saves memory that nobody is short of.
const unhurried = 200 << 20

// mostPercent is what lets the first heap grow to unhurried, which is 4 MB at 100%.
const mostPercent = unhurried / (4 << 20) * 100

// roomy is how large the heap may grow by the whole percentage. Above it the heap
// grows by half of that: then it is what others miss.
const roomy = 330 << 20

// A Collector sets Go's own, over and over. The zero value has not begun.
type Collector struct{ percent atomic.Int64 }

// Start has garbage collected when the heap has grown by that percentage, but not
// below 200 MB, from now on. It may be called again with another one.
func (c *Collector) Start(percent int) {
	first := c.percent.Swap(int64(percent)) == 0
	c.set()
	if first {
		c.keep()
	}
}

// keep sets the percentage anew after each collection, when garbage that nobody
// holds is found.
func (c *Collector) keep() {
	type garbage struct{ _ *byte }
	runtime.AddCleanup(&garbage{}, func(c *Collector) {
		c.set()
		c.keep()
	}, c)
}

// set has the next collection come when the heap has grown by the percentage, but
// not before it is unhurried.
func (c *Collector) set() {
	now := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/globals:bytes"}, {Name: "/gc/scan/stack:bytes"},
	}
	metrics.Read(now)
	live, grows := int64(now[0].Value.Uint64()), int64(1) //nolint:gosec // bytes in memory
	for _, s := range now {
		grows += int64(s.Value.Uint64()) //nolint:gosec // see above
	}
	debug.SetGCPercent(int(growth(c.percent.Load(), live, grows)))
}

// growth is the percentage by which the heap grows until the next collection, of
// which live bytes are kept. Percentages are of what grows: those and the roots.
func growth(whole, live, grows int64) int64 {
	upTo := func(heap int64) int64 { return (heap - live) * 100 / grows }
	percent := min(whole, max(upTo(roomy), whole/2))
	return max(percent, min(upTo(unhurried), mostPercent))
}
