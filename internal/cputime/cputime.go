// Package cputime bounds what tests take by the time of the processor, which a busy
// machine does not change as it does the clock. Only tests import it.
package cputime

import (
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/parallel"
)

// Bound fails t unless f returns before this process has used that much more of the
// processor. It waits no longer then: f may go on. Other tests must not run at the
// same time.
func Bound(t testing.TB, most time.Duration, f func()) {
	t.Helper()
	done := parallel.Start(func() error { f(); return nil })
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for began := Used(); ; {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			return
		case <-poll.C:
			if used := Used() - began; used > most {
				t.Errorf("it takes more than %v of the processor", most)
				return
			}
		}
	}
}
