package app

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// percent is the collector's; only to be set is it told.
func percent() int {
	p := debug.SetGCPercent(77)
	debug.SetGCPercent(p)
	return p
}

// The percentage that was asked for is not gone below, and is set again after each
// collection.
func TestCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(77))
	var c Collector
	if c.Start(mostPercent + 1); percent() != mostPercent+1 {
		t.Errorf("%d%%", percent())
	}
	if c.Start(1); percent() <= 1 || percent() > mostPercent {
		t.Errorf("%d%% of a small heap", percent())
	}
	debug.SetGCPercent(77)
	for end := time.Now().Add(time.Minute); percent() == 77; time.Sleep(time.Millisecond) {
		if runtime.GC(); time.Now().After(end) {
			t.Fatal("it is not set again after a collection")
		}
	}
}
