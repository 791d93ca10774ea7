// Package garbage sets when Go collects it, by how long a process lives and how
// much it holds.
package garbage

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
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
type Collector struct {
	percent   atomic.Int64
	following atomic.Bool
	seen      uint64    // collections, by follow
	since     time.Time // the last of them
}

// Start has garbage collected when the heap has grown by that percentage, but not
// below 200 MB, from now on. It may be called again with another one.
func (c *Collector) Start(percent int) {
	first := c.percent.Swap(int64(percent)) == 0
	if first {
		// One that is at work now finds more than is known, and none of the garbage of keep.
		runtime.GC()
	}
	c.set()
	if first {
		c.keep()
	}
}

// Unhurried lets the heap of a process that may do one thing grow to 200 MB before
// garbage is collected for the next time; from then on it is as Go has it, or as
// Start says. Most such processes end before. Live is how much of the heap was in use
// at the last collection, 0 if there was none.
func (c *Collector) Unhurried(live int) {
	percent := mostPercent
	if live > 0 {
		percent = (unhurried - live) * 100 / live
	}
	usual := debug.SetGCPercent(percent)
	runtime.AddCleanup(&unheld{}, func(c *Collector) {
		if c.percent.Load() == 0 {
			debug.SetGCPercent(usual)
		}
	}, c)
}

// unheld is what nobody holds, so that the next collection finds it.
type unheld struct{ _ *byte }

// keep sets the percentage anew after each collection, when garbage that nobody
// holds is found. That may be shortly before the next collection: what was for
// 60 MB would then let 200 MB grow to 500. So those that come soon are followed.
func (c *Collector) keep() {
	runtime.AddCleanup(&unheld{}, func(c *Collector) {
		c.set()
		if !c.following.Swap(true) {
			c.since = time.Now()
			c.follow()
		}
		c.keep()
	}, c)
}

// How often follow looks whether there was a collection, and for how long when
// there was none.
const (
	soon = 20 * time.Millisecond
	rest = 3 * time.Second
)

// follow sets the percentage as soon as there was a collection, until they rest.
func (c *Collector) follow() {
	now := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	if metrics.Read(now); now[0].Value.Uint64() != c.seen {
		c.seen, c.since = now[0].Value.Uint64(), time.Now()
		c.set()
	}
	if time.Since(c.since) < rest {
		time.AfterFunc(soon, c.follow)
	} else {
		c.following.Store(false)
	}
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
