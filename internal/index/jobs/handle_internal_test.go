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

// A job that waits for another one keeps its target, says which, and shows how far
// that is.
func TestAttend(t *testing.T) {
	first, j := New(Spec{Target: "all"}, time.Now), New(Spec{Target: "/src/a"}, time.Now)
	j.Behind = first
	first.Update(func(v *Job) { v.State, v.Total, v.Done = Parsing, 10, 4 })
	ended := make(chan error, 1)
	go func() { ended <- j.attend(t.Context()) }()
	for end := time.Now().Add(time.Minute); j.Snapshot().Done != 4; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it shows %+v", j.Snapshot())
		}
	}
	if v := j.Snapshot(); v.Target != "/src/a" || v.WaitsFor != "all" || v.State != Parsing {
		t.Errorf("while it waits: %+v", v)
	}
	first.End(Job{Target: "all", State: Done})
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if v := j.Snapshot(); v.Target != "/src/a" || v.WaitsFor != "" || v.Done != 0 {
		t.Errorf("afterwards: %+v", v)
	}
}
