package jobs

import (
	"testing"
	"time"
)

// While a draft is committed the remaining time goes by its batches.
func TestTimeLeftOfCommitting(t *testing.T) {
	now := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	j := New(Spec{}, func() time.Time { return now })
	j.Enter(Committing)
	j.Commit(0, 4)
	for i, want := range []float64{6, 4, 2, 0} {
		now = now.Add(2 * time.Second)
		j.Commit(i+1, 4)
		if got := j.Snapshot().ETASeconds; got != want {
			t.Errorf("after %d of 4 batches: %v s, want %v", i+1, got, want)
		}
	}
	if out := j.Outcome(nil); out.State != Done || out.ETASeconds != 0 {
		t.Errorf("outcome %+v", out)
	}
}
