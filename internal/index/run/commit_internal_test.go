package run

import (
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// What is lost when a run is killed is bounded by what a batch may be, and by
// how long it may wait.
func TestDue(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		name               string
		puts, deletes, all int
		bytes              int
		since              time.Time
		want               bool
	}{
		{"nothing", 0, 0, 0, 0, now, false},
		{"some", batchDocuments - 1000, 999, 10, 1 << 20, now.Add(time.Hour), false},
		{"many documents", batchDocuments - 1000, 1000, 10, 1 << 20, now.Add(time.Hour), true},
		{"large ones", 10, 0, 10, batchBytes, now.Add(time.Hour), true},
		{"many files without documents", 0, 0, batchRecords, 0, now.Add(time.Hour), true},
		{"old", leastOfAge, 0, 10, 1 << 10, now.Add(-batchAge), true},
		{"old, of deletions", 0, leastOfAge, 10, 0, now.Add(-batchAge), true},
		{"old but little", leastOfAge - 1, 0, 10, 1 << 10, now.Add(-time.Hour), false},
	} {
		c := committer{
			Site: &Site{Config: Options{Batch: batchDocuments}}, state: &state{}, bytes: tt.bytes, since: tt.since,
			changes: make([]change, tt.all),
		}
		c.batch.Put, c.batch.Delete = make([]models.Document, tt.puts), make([]models.DocumentID, tt.deletes)
		if got := c.due(); got != tt.want {
			t.Errorf("%s: due is %v", tt.name, got)
		}
	}
}
