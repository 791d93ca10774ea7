package driver

import (
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	var total time.Duration
	for n, most := range []time.Duration{20, 60, 180, 540} {
		most *= time.Millisecond
		d := Backoff(uint32(n))
		if d < most/2 || d > most {
			t.Errorf("backoff(%d) = %v, want %v to %v", n, d, most/2, most)
		}
		total += d
	}
	if total > time.Second {
		t.Errorf("all retries together wait %v", total)
	}
}
