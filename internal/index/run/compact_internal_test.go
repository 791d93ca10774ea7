package run

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A stuckStore compacts four tenths, and then for ever.
type stuckStore struct {
	records.Store

	open chan struct{}
}

func (s stuckStore) Compact(_ context.Context, progress func(done, total int)) error {
	progress(0, 10)
	progress(4, 10)
	<-s.open
	return nil
}

// Compaction is seen to get on, and can be cancelled although the store doesn't
// look at the context. The test would not end otherwise.
func TestCompact(t *testing.T) {
	store := stuckStore{open: make(chan struct{})}
	defer close(store.open)
	j := jobs.New(jobs.Spec{}, time.Now)
	on := &Site{Store: store, Job: j}
	s := &state{
		touched: []string{"a", "gone"},
		files:   map[string]*models.FileRecord{"a": {Documents: make([]models.DocumentID, compactFrom)}},
	}
	ctx, release := j.Under(t.Context())
	defer release()
	j.Enter(jobs.Committing)
	j.CommitFrom(0, published)
	j.Commit(1, 1)
	ended := make(chan error, 1)
	go func() { ended <- compact(ctx, on, s) }()
	want := published + 0.4*(1-published)
	for deadline := time.Now().Add(time.Minute); j.Snapshot().Committed != want; runtime.Gosched() {
		if now := j.Snapshot(); now.Committed < published || time.Now().After(deadline) {
			t.Fatalf("%+v, want %v committed", now, want)
		}
	}
	j.Stop(jobs.ErrCancelled)
	if err := <-ended; err != nil {
		t.Errorf("cancelled: %v", err)
	}
	j.End(j.Outcome(nil))
	j.Commit(9, 10) // what the store says later
	if out := j.Snapshot(); out.State != jobs.Done || out.Committed != 0 || out.ETASeconds != 0 {
		t.Errorf("afterwards %+v", out)
	}
}

// Small runs and first ones are not compacted, and stores that can't be are not asked.
func TestCompacts(t *testing.T) {
	few, many := make([]models.DocumentID, compactFrom-1), make([]models.DocumentID, compactFrom)
	for name, c := range map[string]struct {
		store records.Store
		docs  []models.DocumentID
		first bool
		want  bool
	}{
		"few":    {stuckStore{}, few, false, false},
		"many":   {stuckStore{}, many, false, true},
		"first":  {stuckStore{}, many, true, false},
		"no way": {nil, many, false, false},
	} {
		s := &state{
			touched: []string{"a"}, first: c.first, files: map[string]*models.FileRecord{"a": {Documents: c.docs}},
		}
		if got := compacts(&Site{Store: c.store}, s); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
