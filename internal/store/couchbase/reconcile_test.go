package couchbase_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/test/cbtest"
)

// Reconcile leaves the documents that are named and those of others, also under
// keys that are too long to be ids, and names what is missing.
func TestReconcile(t *testing.T) {
	s := clustertest.Open(t, startNode(t, cbtest.Options{}))
	long := strings.Repeat("long/", 60)
	doc := func(repo models.RepoID, path string) models.Document {
		return models.Document{Header: models.Header{
			ID: models.FileID(repo, path), Type: models.TypeFile, RepoID: repo,
			FilePath: path,
		}}
	}
	var b store.Batch
	var ids []models.DocumentID
	for i := range 30 {
		d := doc("o/r", fmt.Sprintf("%s%d.go", long[:i%2*300], i))
		b.Put = append(b.Put, d, doc("other", d.FilePath))
		if i%3 > 0 {
			ids = append(ids, d.ID)
		}
	}
	apply := func(b store.Batch) {
		t.Helper()
		if err := s.Apply(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	apply(b)
	gone := []models.DocumentID{models.FileID("o/r", "never.go"), models.FileID("o/r", long+"never.go")}
	removed, missing, err := s.Reconcile(t.Context(), "o/r", append(ids, gone...))
	if err != nil || removed != 10 {
		t.Errorf("%d removed, %v", removed, err)
	}
	if diff := cmp.Diff(gone, missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	for repo, want := range map[models.RepoID]int{"o/r": 20, "other": 30, "none": 0} {
		if n, err := s.CountOf(t.Context(), repo); n != want || err != nil {
			t.Errorf("%s has %d documents, %v; want %d", repo, n, err, want)
		}
	}
	docs, err := s.Documents(t.Context(), ids)
	if err != nil || len(docs) != len(ids) {
		t.Errorf("%d of %d documents are left, %v", len(docs), len(ids), err)
	}
	if removed, missing, err = s.Reconcile(t.Context(), "o/r", nil); err != nil || removed != 20 || missing != nil {
		t.Errorf("all: %d removed, %q missing, %v", removed, missing, err)
	}
}
