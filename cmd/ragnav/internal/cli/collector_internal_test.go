package cli

import (
	"runtime/debug"
	"testing"
)

// The collector is set, but not where the user has set it.
func TestCollect(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(77))
	percent := func() int { // only to be set is it told
		p := debug.SetGCPercent(77)
		debug.SetGCPercent(p)
		return p
	}
	if NewSession(nil, func(string) string { return "50" }).Collect(GraphCollector); percent() != 77 {
		t.Errorf("%d%% although the user has said what it is to be", percent())
	}
	if NewSession(nil, func(string) string { return "" }).Collect(GraphCollector); percent() == 77 {
		t.Error("it is not set")
	}
}
