package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// The percentage that was asked for is not gone below, is set again after each
// collection, and not at all where the user has set one.
func TestCollect(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(77))
	percent := func() int { // only to be set is it told
		p := debug.SetGCPercent(77)
		debug.SetGCPercent(p)
		return p
	}
	s := NewSession(nil, func(string) string { return "50" })
	if s.Collect(GraphCollector); percent() != 77 {
		t.Errorf("%d%% although the user has said what it is to be", percent())
	}
	s = NewSession(nil, func(string) string { return "" })
	if s.Collect(mostPercent + 1); percent() != mostPercent+1 {
		t.Errorf("%d%%", percent())
	}
	if s.Collect(1); percent() <= 1 || percent() > mostPercent {
		t.Errorf("%d%% of a small heap", percent())
	}
	debug.SetGCPercent(77)
	for end := time.Now().Add(time.Minute); percent() == 77; time.Sleep(time.Millisecond) {
		if runtime.GC(); time.Now().After(end) {
			t.Fatal("it is not set again after a collection")
		}
	}
}
