package main

import (
	"os"
	"strings"
	"testing"
)

// A process that does one thing collects no garbage, that of initialisation neither:
// the one collection is that which package early causes when there is none yet.
func TestNothingIsCollected(t *testing.T) {
	if os.Getenv("GOGC") != "" {
		t.Skip("SKIPPED: GOGC says when garbage is to be collected")
	}
	cmd := newShell(t).command(os.Executable, "version")
	cmd.Env = append(cmd.Env, "GODEBUG=gctrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.Count("\n"+string(out), "\ngc "); n != 1 || !strings.HasPrefix(string(out), "gc 1 @0.") {
		t.Errorf("%d collections, want 1:\n%s", n, out)
	}
}
