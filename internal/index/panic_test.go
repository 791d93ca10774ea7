package index_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/rag/models"
)

type burstingOutliner struct{}

func (burstingOutliner) Speaks(language string) bool { return language == "Python" }
func (burstingOutliner) Revision() int               { return 1 }
func (burstingOutliner) Outline(context.Context, parse.File, parse.Want) (parse.Outline, error) {
	panic("no such node")
}

// A job that panics, in a goroutine of its own or in one of its workers, fails
// as a job: it is told with the stack, its record says so, and the next runs.
func TestPanicInAJob(t *testing.T) {
	for name, burst := range map[string]func(b *bench, c *index.Config){
		"in a worker": func(_ *bench, c *index.Config) { c.Outliner = burstingOutliner{} },
		"in a commit": func(b *bench, _ *index.Config) {
			b.store.before = func(batch models.Batch) error {
				if len(batch.Put) > 0 {
					panic("no such segment")
				}
				return nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := setUp(t, small)
			var mu sync.Mutex
			stack := ""
			config := index.Config{Now: b.clock, Failed: func(_ jobs.Job, cause error) {
				mu.Lock()
				defer mu.Unlock()
				if p, ok := errors.AsType[*fault.Panic](cause); ok {
					stack += p.Stack
				}
			}}
			burst(b, &config)
			b.open(config)
			last, err := b.service.Wait(t.Context(), b.start(false).ID, nil)
			if err != nil || last.State != jobs.Failed || last.Error == nil ||
				!strings.HasPrefix(*last.Error, "internal error") {
				t.Errorf("the job is %s, %v, %v", last.State, last.Error, err)
			}
			mu.Lock()
			defer mu.Unlock()
			if !strings.Contains(stack, "panic_test.go") {
				t.Errorf("told %q", stack)
			}
			b.store.before = nil
			if err := b.service.Close(); err != nil {
				t.Fatal(err)
			}
			b.open(index.Config{Now: b.clock})
			if last, err := b.service.Wait(t.Context(), b.start(false).ID, nil); err != nil || last.State != jobs.Done {
				t.Errorf("afterwards %s, %v", last.State, err)
			}
		})
	}
}
