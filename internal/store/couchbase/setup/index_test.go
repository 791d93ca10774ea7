package setup_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/setup"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/test/cbtest"
)

// scopeNode is a node with the scope and its query indexes, without a search
// index.
func scopeNode(t *testing.T, o cbtest.Options) (*cbtest.Node, *gocb.ScopeSearchIndexManager) {
	t.Helper()
	n := cbtest.Start(t, o)
	clustertest.SetUp(t, n, setup.Options{})
	manager := clustertest.ScopeOf(t, n).SearchIndexes()
	dropIndexes(t, manager)
	return n, manager
}

func indexNames(t *testing.T, manager *gocb.ScopeSearchIndexManager) []string {
	t.Helper()
	all, err := manager.GetAllIndexes(nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range all {
		names = append(names, i.Name)
	}
	slices.Sort(names)
	return names
}

func dropIndexes(t *testing.T, manager *gocb.ScopeSearchIndexManager) {
	t.Helper()
	for _, name := range indexNames(t, manager) {
		if err := manager.DropIndex(name, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// putIndex makes a search index as somebody would who knows better: what
// Definition says, changed.
func putIndex(t *testing.T, manager *gocb.ScopeSearchIndexManager, o definition.Options,
	change func(mapping map[string]any),
) {
	t.Helper()
	o.Bucket, o.Scope = clustertest.Bucket, clustertest.Scope
	definition, err := definition.JSON(o)
	if err != nil {
		t.Fatal(err)
	}
	var index gocb.SearchIndex
	if err := json.Unmarshal(definition, &index); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(index.Params["mapping"].(map[string]any))
	}
	if err := manager.UpsertIndex(index, nil); err != nil {
		t.Fatal(err)
	}
}

func properties(mapping map[string]any) map[string]any {
	return mapping["types"].(map[string]any)["code.documents"].(map[string]any)["properties"].(map[string]any)
}

func withoutField(name string) func(map[string]any) {
	return func(mapping map[string]any) { delete(properties(mapping), name) }
}

func withoutAnalyser(mapping map[string]any) {
	mapping["analysis"] = map[string]any{}
	for _, name := range fts.TextFields() {
		properties(mapping)[name].(map[string]any)["fields"].([]any)[0].(map[string]any)["analyzer"] = "keyword"
	}
}

// Whatever is wrong with an index is told by the checks and mended by Setup.
func TestSetupMends(t *testing.T) {
	t.Parallel()
	bm25 := definition.Options{Dims: clustertest.Dims, BM25: true}
	tests := []struct {
		name    string
		index   definition.Options
		change  func(mapping map[string]any)
		works   bool // all the same
		message string
	}{
		{"dims", definition.Options{Dims: 4, BM25: true}, nil, false, "the vectors have 4 components, not 8"},
		{
			"similarity",
			definition.Options{Dims: clustertest.Dims, BM25: true, Similarity: "dot_product"},
			nil, false,
			"the similarity of the vectors is dot_product, not l2_norm",
		},
		{"field", bm25, withoutField(fts.FieldAncestor), false, "it does not map the field ancestors"},
		{"header", bm25, withoutField("header"), false, "it does not map the field header"},
		{"vectors", bm25, withoutField(fts.FieldEmbedding), false, "it does not map the field embedding"},
		{"analyser", bm25, withoutAnalyser, false, "its analyser ragnav_terms is not the one"},
		{"scoring", definition.Options{Dims: clustertest.Dims}, nil, true, "it scores by tf-idf, not by bm25"},
	}
	n, manager := scopeNode(t, cbtest.Options{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dropIndexes(t, manager)
			s := clustertest.Open(t, n)
			forgetIndex(t, s)
			putIndex(t, manager, tt.index, tt.change)
			clustertest.WantCheck(t, s, "search_index_definition", tt.works, tt.message)
			told := clustertest.SetUp(t, n, setup.Options{})
			if !told.Has("code_vector_index is not as it should be") || !told.Has(tt.message) ||
				!told.Has("code_vector_index_g2: in use") {
				t.Error(strings.Join(told.All, "\n"))
			}
			clustertest.WantCheck(t, s, "search_index", true, "code_vector_index_g2")
			clustertest.AllPass(t, s)
			if got := indexNames(t, manager); !slices.Equal(got, []string{"code_vector_index", "code_vector_index_g2"}) {
				t.Errorf("indexes %q: the old one is there until somebody asks to drop it", got)
			}
		})
	}
}

// forgetIndex removes the record that names the index in use.
func forgetIndex(t *testing.T, s *couchbase.Store) {
	t.Helper()
	if err := s.Apply(t.Context(),
		store.Batch{DeleteRecords: []store.RecordID{{Collection: store.CollectionMeta, Key: "search_index"}}}); err != nil {
		t.Fatal(err)
	}
}

// A search that runs while the index changes never fails and never finds
// nothing, in a server that was there before and knows of no change.
func TestSetupWithoutDowntime(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		index   definition.Options // in use before
		change  func(mapping map[string]any)
		options setup.Options
		search  fts.Request
		after   int // dims
	}{
		{
			name: "dims", index: definition.Options{Dims: clustertest.Dims, BM25: true},
			options: setup.Options{Dims: 4, DropOld: true},
			search:  clustertest.ByWords("words"), after: 4,
		},
		{
			name: "similarity", index: definition.Options{Dims: clustertest.Dims, BM25: true, Similarity: "cosine"},
			options: setup.Options{DropOld: true},
			search:  clustertest.ByWords("words"), after: clustertest.Dims,
		},
		{
			name: "vectors", index: definition.Options{Dims: clustertest.Dims, BM25: true}, change: withoutField(fts.FieldTags),
			options: setup.Options{DropOld: true}, search: clustertest.ByVector(), after: clustertest.Dims,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, manager := scopeNode(t, cbtest.Options{})
			putIndex(t, manager, tt.index, tt.change)
			s := clustertest.Open(t, n)
			const documents = 20
			var b store.Batch
			for i := range documents {
				b.Put = append(b.Put, clustertest.SymbolDoc("o/r", fmt.Sprintf("Name%d", i)))
			}
			if err := s.Apply(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			searches := make(chan int)
			go func() {
				count := 0
				for ; ctx.Err() == nil; count++ {
					res, err := s.Search(t.Context(), tt.search)
					if err != nil || len(res.Hits) == 0 {
						t.Errorf("search %d: %d hits, error %v", count, len(res.Hits), err)
						break
					}
				}
				searches <- count
			}()
			told := clustertest.SetUp(t, n, tt.options)
			stop()
			if count := <-searches; count < 3 {
				t.Errorf("only %d searches while the index changed", count)
			}
			if _, err := s.Search(t.Context(), clustertest.ByWords("words")); err != nil {
				t.Errorf("the first search after the old index was dropped: %v", err)
			}
			if (tt.after != clustertest.Dims) != told.Has("vectors of 8 components are not searched any more") {
				t.Errorf("what becomes of the vectors:\n%s", strings.Join(told.All, "\n"))
			}
			if !told.Has("code_vector_index: dropped") || !told.Has(fmt.Sprintf("vectors of %d components, l2_norm", tt.after)) {
				t.Error(strings.Join(told.All, "\n"))
			}
			changed := clustertest.Open(t, n, func(c *driver.Config) { c.Dims = tt.after })
			clustertest.AllPass(t, changed)
		})
	}
}

// answerCount makes the node say that an index has n documents.
func answerCount(n *cbtest.Node, index string, count, times int) (remove func()) {
	return n.Inject(cbtest.Fault{
		Service: "search", Op: index + "/count", Status: 200, Times: times,
		Body: fmt.Sprintf(`{"status":"ok","count":%d}`, count),
	})
}

func TestSetupWaitsForDocuments(t *testing.T) {
	t.Parallel()
	n, _ := scopeNode(t, cbtest.Options{})
	s := clustertest.Open(t, n)
	if err := s.Apply(t.Context(),
		clustertest.Symbols("A", "B")); err != nil {
		t.Fatal(err)
	}
	n.Inject(cbtest.Fault{
		Service: "search", Op: "/count", Times: 2, Status: 400,
		Body: `{"error":"rest_index: Count, pindexes not ready","status":"fail"}`,
	})
	answerCount(n, baseIndex, 0, 10)
	answerCount(n, baseIndex, 1, 10)
	told := clustertest.SetUp(t, n, setup.Options{})
	for _, line := range []string{"has 0 of 2 documents", "has 1 of 2 documents", "complete, 2 of 2 documents"} {
		if !told.Has(line) {
			t.Errorf("%q is not told:\n%s", line, strings.Join(told.All, "\n"))
		}
	}
}

// Documents that are written all the while don't keep Setup from ending.
func TestSetupKeepsUp(t *testing.T) {
	t.Parallel()
	n, _ := scopeNode(t, cbtest.Options{})
	s := clustertest.Open(t, n)
	put := func(names ...string) {
		for _, name := range names {
			if err := s.Apply(t.Context(), store.Batch{Put: []models.Document{clustertest.SymbolDoc("o/r", name)}}); err != nil {
				t.Error(err)
			}
		}
	}
	put("A", "B")
	remove := answerCount(n, baseIndex, 1, 0)
	told := &clustertest.Lines{}
	err := clustertest.AtOnce(t.Context(), clustertest.Config(n), setup.Options{}, func(line string) {
		if told.Add(line); strings.Contains(line, "has 1 of 2 documents") {
			remove()
			put("C")
			answerCount(n, baseIndex, 2, 0)
		}
	})
	if err != nil || !told.Has("has 2 of 3 documents and keeps up with what is written") {
		t.Errorf("error %v\n%s", err, strings.Join(told.All, "\n"))
	}
}

const baseIndex = "code_vector_index"

// The context decides how long Setup waits for an index that does not grow; the
// index in use stays in use.
func TestSetupStalls(t *testing.T) {
	t.Parallel()
	n, manager := scopeNode(t, cbtest.Options{})
	putIndex(t, manager, definition.Options{Dims: 4, BM25: true}, nil)
	s := clustertest.Open(t, n)
	if err := s.Apply(t.Context(), clustertest.Symbols("A")); err != nil {
		t.Fatal(err)
	}
	remove := answerCount(n, "_g2", 0, 0)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	told := &clustertest.Lines{}
	err := clustertest.AtOnce(ctx, clustertest.Config(n), setup.Options{}, func(line string) {
		if told.Add(line); strings.Contains(line, "has not grown for") {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || !told.Has("has 0 of 1 documents and has not grown for") {
		t.Fatalf("error %v\n%s", err, strings.Join(told.All, "\n"))
	}
	clustertest.WantCheck(t, s, "search_index", true, "code_vector_index of")

	remove()
	if told := clustertest.SetUp(t, n, setup.Options{}); !told.Has("code_vector_index_g2: there, from an earlier run") ||
		!told.Has("_g2: in use") {
		t.Errorf("the next run does not go on:\n%s", strings.Join(told.All, "\n"))
	}
	clustertest.AllPass(t, s)
}

// An index that nobody can count is an error, not an endless wait.
func TestSetupCannotCount(t *testing.T) {
	t.Parallel()
	n, _ := scopeNode(t, cbtest.Options{})
	n.Inject(cbtest.Fault{
		Service: "search", Op: "/count", Status: 500,
		Body: `{"error":"rest_index: boom","status":"fail"}`,
	})
	err := clustertest.AtOnce(t.Context(), clustertest.Config(n), setup.Options{}, func(string) {})
	if fault.CodeOf(err) != fault.RAGUnavailable ||
		!strings.Contains(fault.MessageOf(err),
			"could not count the documents of the search index code_vector_index: rest_index: boom") {
		t.Errorf("error %v", err)
	}
}

// Two runs at once: one of them wins, the other says so.
func TestSetupConflict(t *testing.T) {
	n, manager := scopeNode(t, cbtest.Options{})
	putIndex(t, manager, definition.Options{Dims: 4, BM25: true}, nil)
	s := clustertest.Open(t, n)
	err := clustertest.AtOnce(t.Context(), clustertest.Config(n), setup.Options{}, func(line string) {
		if !strings.Contains(line, "_g2: complete") {
			return
		}
		if _, err := s.Swap(t.Context(), store.CollectionMeta, "search_index", 0, map[string]string{"name": baseIndex},
			0); err != nil {
			t.Error(err)
		}
	})
	if fault.CodeOf(err) != fault.Conflict || !strings.Contains(fault.MessageOf(err), "run this again") {
		t.Errorf("error %v", err)
	}
}

// Generations count on, over what is there and what has been.
func TestSetupGenerations(t *testing.T) {
	t.Parallel()
	n, manager := scopeNode(t, cbtest.Options{})
	for i, dims := range []int{8, 4, 8, 4} {
		c := clustertest.Config(n)
		if err := clustertest.AtOnce(t.Context(), c, setup.Options{Dims: dims, DropOld: true},
			func(string) {}); err != nil {
			t.Fatal(err)
		}
		want := baseIndex
		if i > 0 {
			want += fmt.Sprintf("_g%d", i+1)
		}
		if got := indexNames(t, manager); !slices.Equal(got, []string{want}) {
			t.Fatalf("run %d: indexes %q, want %q", i, got, want)
		}
	}
}

// The way back is short while the old index is there.
func TestSetupBack(t *testing.T) {
	t.Parallel()
	n, manager := scopeNode(t, cbtest.Options{})
	for i, dims := range []int{8, 4, 8} {
		told := clustertest.SetUp(t, n, setup.Options{Dims: dims})
		if i == 2 && (!told.Has("code_vector_index: there, from an earlier run") ||
			!told.Has("not used any more: code_vector_index_g2")) {
			t.Error(strings.Join(told.All, "\n"))
		}
	}
	if got := indexNames(t, manager); !slices.Equal(got, []string{baseIndex, baseIndex + "_g2"}) {
		t.Errorf("indexes %q: what is not used is there until somebody asks to drop it", got)
	}
	if told := clustertest.SetUp(t, n, setup.Options{DropOld: true}); !told.Has("code_vector_index_g2: dropped") {
		t.Error(strings.Join(told.All, "\n"))
	}
	if got := indexNames(t, manager); !slices.Equal(got, []string{baseIndex}) {
		t.Errorf("indexes %q after DropOld", got)
	}
	clustertest.AllPass(t, clustertest.Open(t, n))
}

// What is asked for is changed, what is not asked for is kept.
func TestSetupPartitions(t *testing.T) {
	n, _ := scopeNode(t, cbtest.Options{})
	clustertest.SetUp(t, n, setup.Options{Partitions: 2})
	if told := clustertest.SetUp(t, n, setup.Options{Partitions: 4}); !told.Has("it has 2 partitions, not 4") ||
		!told.Has("4 partitions") {
		t.Error(strings.Join(told.All, "\n"))
	}
	c := clustertest.Config(n)
	told := &clustertest.Lines{}
	if err := clustertest.AtOnce(t.Context(), c, setup.Options{Dims: 4}, told.Add); err != nil {
		t.Fatal(err)
	}
	if !told.Has("verified: search index ragnav.code.code_vector_index_g3 with vectors of 4 components, l2_norm, 4 " +
		"partitions") {
		t.Error(strings.Join(told.All, "\n"))
	}
}

// Indexes of the same scope that are none of ours are left alone.
func TestSetupLeavesOthers(t *testing.T) {
	t.Parallel()
	n, manager := scopeNode(t, cbtest.Options{})
	putIndex(t, manager, definition.Options{Dims: 4, Name: "code_vector_index_mine"}, nil)
	clustertest.SetUp(t, n, setup.Options{DropOld: true})
	if got := indexNames(t, manager); !slices.Equal(got, []string{baseIndex, "code_vector_index_mine"}) {
		t.Errorf("indexes %q", got)
	}
}
