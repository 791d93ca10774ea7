package index_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// sane wants a job to have got on since it was seen before.
func sane(before, now jobs.Job) error {
	order := map[jobs.State]int{
		jobs.Queued: 0, jobs.Listing: 1, jobs.Parsing: 2, jobs.Embedding: 3,
		jobs.Committing: 4,
	}
	rank := func(j jobs.Job) int {
		if j.State.Final() {
			return 5
		}
		return order[j.State]
	}
	switch {
	case rank(now) < rank(before):
		return fmt.Errorf("%s after %s", now.State, before.State)
	case now.Done < before.Done, now.Changed < before.Changed, now.Removed < before.Removed:
		return errors.New("a count fell")
	case now.Done > now.Total:
		return errors.New("more done than there is")
	case rank(before) >= 2 && rank(before) < 5 && now.Total != before.Total:
		return errors.New("the total changed")
	case now.Committed < before.Committed && !now.State.Final(), now.Committed > 1, now.Committed > 0 &&
		now.State != jobs.Committing:
		return errors.New("a share of committing that can't be")
	case now.Rate < 0, now.ETASeconds < 0, now.Rate > 1e12, now.ETASeconds > 1e12:
		return errors.New("a rate or time that can't be")
	case now.State == jobs.Done && now.Done != now.Total:
		return errors.New("done before its end")
	case now.State.Final() && now.ETASeconds != 0:
		return errors.New("ended, with time left")
	}
	return nil
}

// Whatever a run does and however it ends, a job that is looked at again and
// again only gets on, also while the clock jumps.
func TestProgressIsMonotonic(t *testing.T) {
	const seed = 7
	random := rand.New(rand.NewPCG(seed, seed))
	b := setUp(t, small)
	everyReason(b)
	many(b, 300)
	looks := 0
	for i := range 25 {
		for range random.IntN(40) {
			name := fmt.Sprintf("r/%d.go", random.IntN(60))
			if random.IntN(3) == 0 {
				b.remove(name)
			} else {
				b.write(name, fmt.Sprintf("package r\n\nfunc F%d() {}\n", random.IntN(1000)))
			}
		}
		start := time.Now().Add(time.Duration(i) * time.Hour)
		b.open(index.Config{Workers: 1 + random.IntN(4), StoreContent: random.IntN(2) == 0, Now: func() time.Time {
			return start.Add(rand.N(time.Minute))
		}})
		fails, batches := random.IntN(4) == 0, 0
		b.store.before = func(models.Batch) error {
			if batches++; fails && batches == 3 {
				return errors.New("no space left on device")
			}
			return nil
		}
		var last jobs.Job
		j := b.start(random.IntN(4) == 0)
		for !last.State.Final() {
			now := b.job(j.ID)
			if err := sane(last, now); err != nil {
				t.Fatalf("run %d: %v: %+v after %+v", i, err, now, last)
			}
			last = now
			looks++
			runtime.Gosched()
		}
		b.store.before = nil
	}
	if looks < 100 {
		t.Errorf("%d looks tell nothing", looks)
	}
}
