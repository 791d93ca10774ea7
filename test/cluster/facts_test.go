package cluster_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/test/cbtest"
)

// The corpus of facts: 97 of 100 documents are files, and every one of them is
// nearer to the query than any symbol. It stays below the 1,000 vectors from
// which an index approximates.
const corpusSize = 400

func corpus() []models.Document {
	docs := make([]models.Document, corpusSize)
	for i := range docs {
		path := fmt.Sprintf("f%03d.go", i)
		d := &docs[i]
		d.Header = models.Header{
			ID: models.FileID("o/r", path), Type: models.TypeFile, RepoID: "o/r", FilePath: path,
			Language: "Go",
		}
		d.Embedding = direction(0.5 * float64(i) / corpusSize)
		if i%100 >= 97 {
			d.ID, d.Type, d.SymbolName = models.SymbolID("o/r", path, "Sym", 1), models.TypeSymbol, "Sym"
			d.Embedding = direction(1.5 + float64(i)/corpusSize)
		}
		d.Text = "walrus"
	}
	return docs
}

// direction is the unit vector at that angle in the plane of the first two axes.
func direction(angle float64) []float32 {
	v := make([]float32, dims)
	v[0], v[1] = float32(math.Cos(angle)), float32(math.Sin(angle))
	return v
}

// A fact is a request whose answer everything else is built on.
type fact struct {
	name    string
	request map[string]any
	ranked  int // as many hits must come in the same order; the rest is a set
}

func knowledge() []fact {
	symbols := map[string]any{"term": "symbol_index", "field": fts.FieldType}
	nothing := map[string]any{"match_none": map[string]any{}}
	knn := func(k int, filter any, vector []float32) map[string]any {
		clause := map[string]any{"field": fts.FieldEmbedding, "k": k, "vector": vector}
		if filter != nil {
			clause["filter"] = filter
		}
		return clause
	}
	request := func(query any, operator string, clauses ...any) map[string]any {
		r := map[string]any{"query": query, "knn": clauses, "size": corpusSize, "sort": []string{"-_score", "_id"}}
		if operator != "" {
			r["knn_operator"] = operator
		}
		return r
	}
	near, far := direction(0), direction(math.Pi)
	unknown := knn(10, nil, near)
	unknown["field"] = "no_such_field"
	return []fact{
		{"nearest of the whole index", request(nothing, "", knn(10, nil, near)), 10},
		{"query and knn are a union", request(symbols, "", knn(10, nil, near)), 0},
		{"the operator does not join query and knn", request(symbols, "and", knn(10, nil, near)), 0},
		{"the filter comes before the k nearest", request(nothing, "", knn(10, symbols, near)), 10},
		{"the request of a level: nearest of the type first", request(symbols, "and", knn(10, symbols, near)), 10},
		{"more than there are", request(nothing, "", knn(1000, symbols, near)), 12},
		{"several knn, or", request(nothing, "or", knn(3, nil, near), knn(3, nil, far)), 0},
		{"several knn, and", request(nothing, "and", knn(20, nil, near), knn(20, nil, direction(0.02))), 0},
		{"query vector of another length", request(nothing, "", knn(10, nil, near[:dims-1])), 0},
		{"unknown vector field", request(nothing, "", unknown), 0},
		{"unknown field of a term", request(map[string]any{"term": "x", "field": "no_such_field"}, "", knn(1, nil, near)), 1},
		{"exact case", request(map[string]any{"term": "Symbol_Index", "field": fts.FieldType}, "", knn(1, nil, near)), 1},
	}
}

// An answer is what is compared of a reply.
type answer struct {
	Status int
	Failed int
	Ranked []string // the first hits, in order
	Rest   []string // sorted
}

// facts asks the cluster and cbtest, which pretends to be of the same version,
// the same questions.
func facts(t *testing.T, c cluster, version string) {
	node := cbtest.Start(t, cbtest.Options{Version: version, Bucket: c.config.Bucket, Scope: "code"})
	pretended := c
	pretended.create = true
	pretended.config.ConnStr, pretended.config.CAFile = node.ConnStr(), ""
	pretended.config.Username, pretended.config.Password = "Administrator", "password"
	want, got := answers(t, pretended), answers(t, c)
	for _, f := range knowledge() {
		t.Run(f.name, func(t *testing.T) {
			if diff := cmp.Diff(want[f.name], got[f.name]); diff != "" {
				t.Errorf("what cbtest says is not true (-cbtest +cluster):\n%s", diff)
			}
		})
	}
}

func answers(t *testing.T, c cluster) map[string]answer {
	t.Helper()
	config := c.fresh(t)
	c.setup(t, config)
	st := openIn(t, config)
	if err := st.Apply(t.Context(), store.Batch{Put: corpus()}); err != nil {
		t.Fatalf("Apply: %v", err)
	}
	if err := st.Settle(t.Context()); err != nil {
		t.Fatalf("Settle: %v", err)
	}
	bucket, done := connect(t, config)
	defer done()
	index := onlyIndex(t, bucket, config)
	out := map[string]answer{}
	for _, f := range knowledge() {
		out[f.name] = ask(t, bucket, "/api/bucket/"+config.Bucket+"/scope/"+config.Scope+"/index/"+index+"/query", f)
	}
	return out
}
