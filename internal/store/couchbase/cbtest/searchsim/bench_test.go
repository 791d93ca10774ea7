package searchsim_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/cbtest/searchsim"
)

func benchDocuments(b testing.TB, n int) ([]string, [][]byte) {
	b.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	keys, docs := make([]string, n), make([][]byte, n)
	for i := range n {
		d := randomDocument(rng)
		for range 60 {
			d.Text += fmt.Sprintf(" w%d", min(rng.IntN(3000), rng.IntN(3000)))
		}
		keys[i], docs[i] = fmt.Sprint("k", i), documentJSON(b, d)
	}
	return keys, docs
}

func BenchmarkPut(b *testing.B) {
	keys, docs := benchDocuments(b, 20_000)
	e := open(b, today)
	define(b, e, ragnavDefinition(b))
	for i := 0; b.Loop(); i++ {
		e.Put(collection, keys[i%len(keys)], docs[i%len(keys)])
	}
}

func BenchmarkQuery(b *testing.B) {
	keys, docs := benchDocuments(b, 20_000)
	filter := fts.Conjunction{Conjuncts: []fts.Query{
		fts.Filter(fts.FieldType, string(models.TypeFile)),
		fts.Filter(fts.FieldRepo, "o/r"), fts.Filter(fts.FieldAncestor, "d1"),
	}}
	requests := map[string]fts.Request{
		"words": {Query: fts.Conjunction{Conjuncts: []fts.Query{
			filter,
			fts.Match{Field: fts.TextField(models.TypeFile), Match: "w1 w20 w300 aa"},
		}}, Size: 50, Fields: []string{"header"}},
		"knn": {
			Query: filter,
			KNN: []fts.KNN{{
				Field: fts.FieldEmbedding, Vector: randomUnit(rand.New(rand.NewPCG(1, 1))), K: 50,
				Filter: filter,
			}},
			Size: 50, Fields: []string{"header"},
		},
	}
	for _, scoring := range []searchsim.Scoring{searchsim.Reference, searchsim.Bleve} {
		e := open(b, searchsim.Options{Scoring: scoring, Prefilter: true, BM25: true})
		define(b, e, ragnavDefinition(b))
		for i, key := range keys {
			e.Put(collection, key, docs[i])
		}
		for name, req := range requests {
			body, err := json.Marshal(req)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprint(name, scoring), func(b *testing.B) {
				for b.Loop() {
					e.Query(bucket, scope, "code_vector_index", body, 0)
				}
			})
		}
	}
}
