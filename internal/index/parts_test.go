package index_test

import (
	"fmt"
	"testing"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// The summaries of many folders come in parts on a first run, and the record that
// says that all is there with the last of them.
func TestSummariesInParts(t *testing.T) {
	const folders = 1100
	b := setUp(t, small)
	for i := range folders {
		b.write(fmt.Sprintf("d%04d/f.go", i), fmt.Sprintf("package d\n\nfunc F%d() {}\n", i))
	}
	b.open(index.Config{Workers: 2, Now: b.clock})
	var parts []int
	complete := -1 // after how many parts
	b.store.before = func(batch models.Batch) error {
		modules := 0
		for _, d := range batch.Put {
			if d.Type == models.TypeModule {
				modules++
			}
		}
		if modules > 0 {
			parts = append(parts, modules)
		}
		for _, r := range batch.PutRecords {
			if repo, ok := r.Value.(models.Repository); ok && repo.State == models.StateFresh {
				complete = len(parts)
			}
		}
		return nil
	}
	j := b.start(false)
	if _, err := b.service.Wait(t.Context(), j.ID, func(jobs.Job) {}); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, n := range parts {
		total += n
	}
	if len(parts) != 3 || complete != 3 || total < folders {
		t.Errorf("summaries %d, complete after %d", parts, complete)
	}
	if err := b.service.Close(); err != nil {
		t.Error(err)
	}
}
