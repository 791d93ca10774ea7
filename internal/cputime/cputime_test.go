package cputime_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/cputime"
)

// failures is a test that counts what it is told.
type failures struct {
	testing.TB

	n int
}

func (*failures) Helper() {}

func (f *failures) Errorf(string, ...any) { f.n++ }

func TestBound(t *testing.T) {
	var stop atomic.Bool
	busy := func() {
		for !stop.Load() {
		}
	}
	for name, c := range map[string]struct {
		f    func()
		want int
	}{
		"waits":           {func() { time.Sleep(300 * time.Millisecond) }, 0},
		"works on and on": {busy, 1},
	} {
		f := failures{TB: t}
		if cputime.Bound(&f, 200*time.Millisecond, c.f); f.n != c.want {
			t.Errorf("what %s fails %d times, want %d", name, f.n, c.want)
		}
	}
	stop.Store(true)
}
