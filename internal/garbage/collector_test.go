package garbage

import (
	"flag"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

var collectorAlone = flag.Bool("collector-alone", false, "for TestUnhurried: it is the only test of its process")

// percent is the collector's; only to be set is it told.
func percent() int {
	p := debug.SetGCPercent(77)
	debug.SetGCPercent(p)
	return p
}

// A small heap is not hurried, and the percentage is set again after each collection.
func TestCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(77))
	var c Collector
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

// A process is left alone until its first collection, which sets what was usual, unless
// the collector was started meanwhile.
func TestUnhurried(t *testing.T) {
	if !*collectorAlone {
		// Collectors of other tests set the percentage for as long as the process runs.
		args := []string{"-test.run=^TestUnhurried$", "-collector-alone"}
		child := exec.CommandContext(t.Context(), os.Args[0], args...) //nolint:gosec // itself
		if out, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	debug.SetGCPercent(77)
	var c Collector
	if c.Unhurried(100 << 20); percent() != 100 {
		t.Errorf("%d%% of 100 MB", percent())
	}
	debug.SetGCPercent(77)
	if c.Unhurried(0); percent() != mostPercent {
		t.Errorf("%d%% at first", percent())
	}
	for end := time.Now().Add(time.Minute); percent() != 77; time.Sleep(time.Millisecond) {
		if runtime.GC(); time.Now().After(end) {
			t.Fatal("it stays so after a collection")
		}
	}
}

// A small heap grows to what nobody is short of, a larger one by the percentage, and
// what grows beyond what others miss by half of it.
func TestGrowth(t *testing.T) {
	const mb = 1 << 20
	for _, test := range []struct {
		name              string
		whole, live, goal int64
	}{
		{"nothing yet: to 200 MB, were it 4", 200, 1 * mb, 51 * mb},
		{"small: to 200 MB", 55, 100 * mb, 200 * mb},
		{"small, and the percentage is more", 200, 100 * mb, 300 * mb},
		{"as much as there is room for", 200, 150 * mb, 330 * mb},
		{"no less than half", 200, 300 * mb, 600 * mb},
		{"no less than half of little", 60, 300 * mb, 390 * mb},
	} {
		t.Run(test.name, func(t *testing.T) {
			if goal := test.live + test.live*growth(test.whole, test.live, test.live)/100; goal != test.goal {
				t.Errorf("grows to %d MB, want %d", goal/mb, test.goal/mb)
			}
		})
	}
}
