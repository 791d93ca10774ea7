package couchbase_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
	"github.com/ragnav/ragnav/test/cbtest"
)

func axis(i int) []float32 {
	v := make([]float32, clustertest.Dims)
	v[i] = 1
	return v
}

func near(k int, filter fts.Query) fts.Request {
	query := filter
	if query == nil {
		query = fts.MatchNone{}
	}
	return fts.Request{
		Query: query, KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: axis(0), K: k, Filter: filter}},
		Size: k,
	}
}

func applyAndSettle(t *testing.T, s *couchbase.Store, b store.Batch) {
	t.Helper()
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// An index that cannot compare the vectors is never an empty answer. Words work.
func TestIndexOfOtherVectors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		index definition.Options
		says  string
	}{
		{"dims", definition.Options{Dims: clustertest.Dims / 2}, "has vectors of 4 components, the embedder makes 8"},
		{
			"similarity",
			definition.Options{Dims: clustertest.Dims, Similarity: "dot_product"},
			"compares vectors by dot_product",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			node := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
			createQueryIndexes(t, node)
			createIndex(t, node, tt.index)
			s := clustertest.Open(t, node)
			applyAndSettle(t, s, store.Batch{Put: []models.Document{document("a.go", "walrus")}})
			_, err := s.Search(t.Context(), near(5, nil))
			if fault.CodeOf(err) != fault.IndexNotReady || !strings.Contains(fault.MessageOf(err), tt.says) ||
				!strings.Contains(fault.MessageOf(err), "run `ragnav setup couchbase`") {
				t.Errorf("Search by vector = %v, want %s with %q", err, fault.IndexNotReady, tt.says)
			}
			words := fts.Request{Query: fts.Match{Field: fts.TextField(models.TypeFile), Match: "walrus"}, Size: 5}
			if res, err := s.Search(t.Context(), words); err != nil || len(res.Hits) != 1 {
				t.Errorf("Search by words = %d hits, %v; want 1", len(res.Hits), err)
			}
		})
	}
}

// Another process makes another index and switches to it.
func TestIndexIsSwitched(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s, other := clustertest.Open(t, node), clustertest.Open(t, node)
	applyAndSettle(t, s, store.Batch{Put: []models.Document{document("a.go", "walrus")}})
	createIndex(t, node, definition.Options{Name: "code_vector_index_g2", Dims: clustertest.Dims})
	record := store.Record{
		Collection: store.CollectionMeta, Key: "search_index",
		Value: map[string]string{"name": "code_vector_index_g2"},
	}
	if err := other.Apply(t.Context(), store.Batch{PutRecords: []store.Record{record}}); err != nil {
		t.Fatal(err)
	}
	indexes := clustertest.ScopeOf(t, node).SearchIndexes()
	if err := indexes.DropIndex("code_vector_index", nil); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is known
		if err := opSettle.do(t.Context(), s); err != nil {
			t.Errorf("Settle after the switch: %v", err)
		}
		if res, err := s.Search(t.Context(), fts.Request{Query: fts.MatchAll{}, Size: 5}); err != nil || res.Total < 1 {
			t.Errorf("Search after the switch = %+v, %v; want documents", res, err)
		}
	}
	if err := indexes.DropIndex("code_vector_index_g2", nil); err != nil {
		t.Fatal(err)
	}
	if err := opSearch.do(t.Context(), s); fault.CodeOf(err) != fault.RAGUnavailable ||
		!strings.Contains(fault.MessageOf(err), "code_vector_index_g2 is missing") {
		t.Errorf("Search without an index = %v", err)
	}
}

// A switch is noticed also while the old index is there.
func TestIndexSwitchIsNoticed(t *testing.T) {
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node, func(c *driver.Config) { c.RefreshEvery = 5 * time.Millisecond })
	createIndex(t, node, definition.Options{Name: "code_vector_index_g2", Dims: clustertest.Dims})
	record := store.Record{
		Collection: store.CollectionMeta, Key: "search_index",
		Value: map[string]string{"name": "code_vector_index_g2"},
	}
	if err := s.Apply(t.Context(), store.Batch{PutRecords: []store.Record{record}}); err != nil {
		t.Fatal(err)
	}
	searched := func() bool {
		node.ResetCalls()
		if err := opSearch.do(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(node.Calls(),
			func(c cbtest.Call) bool { return strings.HasSuffix(c.Op, "/index/code_vector_index_g2/query") })
	}
	for deadline := time.Now().Add(time.Minute); !searched(); {
		if time.Now().After(deadline) {
			t.Fatal("searches go on in the old index")
		}
	}
}

// Servers before 7.6.4 find what the filter selects, and say that they may not.
func TestWithoutPrefilter(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{Version: "7.6.3-4200-enterprise"})
	s := clustertest.Open(t, node)
	var b store.Batch
	for i := range 300 { // all nearer than the symbol
		d := document(strings.Repeat("x", i)+".go", "walrus")
		d.Embedding = axis(0)
		b.Put = append(b.Put, d)
	}
	far := models.Document{Header: models.Header{
		ID: "symbol:o/r:a.go:Do", Type: models.TypeSymbol, RepoID: "o/r",
		FilePath: "a.go",
	}, Tags: []string{"far"}, Embedding: axis(1)}
	b.Put = append(b.Put, far)
	applyAndSettle(t, s, b)
	for name, filter := range map[string]fts.Query{
		"a header tells": fts.Filter(fts.FieldType, string(models.TypeSymbol)),
		"it does not":    fts.Filter(fts.FieldTags, "far"),
	} {
		t.Run(name, func(t *testing.T) {
			res, err := s.Search(t.Context(), near(5, filter))
			if err != nil || len(res.Hits) != 1 || res.Hits[0].ID != far.ID || res.Total != 1 ||
				!strings.Contains(res.Degraded, "7.6.4") {
				t.Errorf("Search = %+v, %v; want the symbol, and a word on the server", res, err)
			}
		})
	}
	if res, err := s.Search(t.Context(), near(5, nil)); err != nil || len(res.Hits) != 5 || res.Degraded != "" {
		t.Errorf("without a filter: %d hits, degraded %q, %v; want 5", len(res.Hits), res.Degraded, err)
	}
}

// Values that this program did not write are no hits.
func TestForeignDocument(t *testing.T) {
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	applyAndSettle(t, s, store.Batch{Put: []models.Document{document("a.go", "walrus")}})
	foreign := clustertest.ScopeOf(t, node).Collection("documents")
	if _, err := foreign.Upsert("foreign", map[string]string{"type": "file_index", "repo_id": "o/r"}, nil); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for {
		res, err := s.Search(t.Context(), fts.Request{Query: fts.MatchAll{}, Size: 5})
		if err != nil {
			t.Fatal(err)
		}
		if res.Dropped == 1 && len(res.Hits) == 1 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("Search = %+v, want one hit and one dropped", res)
		}
	}
}

// Values that cannot be read are errors, not absent.
func TestDamagedValues(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	scope := clustertest.ScopeOf(t, node)
	for collection, key := range map[string]string{"documents": "file:o/r:a.go", "records": wire.RecordKey("c", "k")} {
		if _, err := scope.Collection(collection).Upsert(key, map[string]any{"doc": map[string]int{"type": 1}, "v": "text"},
			nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Documents(t.Context(), []models.DocumentID{"file:o/r:a.go"}); fault.CodeOf(err) !=
		fault.RAGUnavailable || !strings.Contains(fault.MessageOf(err), "damaged") {
		t.Errorf("Documents = %v", err)
	}
	if _, err := s.Record(t.Context(), "c", "k", new(int)); fault.CodeOf(err) != fault.RAGUnavailable ||
		!strings.Contains(fault.MessageOf(err), "damaged") {
		t.Errorf("Record = %v", err)
	}
}

// Settle waits for the index, and for nothing when there is nothing to wait for.
func TestSettle(t *testing.T) {
	t.Parallel()
	lag := 200 * time.Millisecond
	node := startNode(t, cbtest.Options{Lag: func() time.Duration { return lag }})
	s := clustertest.Open(t, node)
	start := time.Now()
	applyAndSettle(t, s, batch(5))
	if took := time.Since(start); took < lag {
		t.Errorf("it was settled after %v, before the index was", took)
	}
	if res, err := s.Search(t.Context(), fts.Request{Query: fts.MatchAll{}}); err != nil || res.Total != 5 {
		t.Errorf("Search = %+v, %v; want 5 documents", res, err)
	}
	node.ResetCalls()
	if err := s.Settle(t.Context()); err != nil {
		t.Error(err)
	}
	if calls := node.Calls(); len(calls) != 0 {
		t.Errorf("Settle asks although nothing was written: %v", calls)
	}
	applyAndSettle(t, s, store.Batch{DeleteRepos: []models.RepoID{"o/r"}})
	if res, err := s.Search(t.Context(), fts.Request{Query: fts.MatchAll{}}); err != nil || res.Total != 0 {
		t.Errorf("Search = %+v, %v; want no documents", res, err)
	}
}
