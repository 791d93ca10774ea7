package couchbase_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/test/cbtest"
)

// A server takes 1,024 terms in a query; a glob may fit more paths.
func TestBroadPathFilter(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	t.Parallel()
	for name, o := range map[string]cbtest.Options{
		"prefilter": {}, "no prefilter": {Version: "7.6.3-1-enterprise"},
	} {
		t.Run(name, func(t *testing.T) {
			s := clustertest.Open(t, startNode(t, o))
			const files = 2600
			var b store.Batch
			for i := range files {
				d := document(fmt.Sprintf("dir/f%04d.%s", i, []string{"go", "py"}[i%2]), "walrus")
				if i%100 == 0 {
					d.Text = "walrus penguin"
				}
				d.Embedding = circle(float64(i) / files)
				b.Put = append(b.Put, d)
			}
			if err := s.Apply(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if err := s.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			filter := fts.Conjunction{
				Conjuncts: []fts.Query{
					fts.Filter(fts.FieldType, string(models.TypeFile)),
					fts.Regexp{Field: fts.FieldPath, Regexp: `.*/.*\.go`, Boost: fts.Zero()},
				}, Boost: fts.Zero(),
			}
			text := fts.TextField(models.TypeFile)
			for name, tt := range map[string]struct {
				req  fts.Request
				hits int
			}{
				"words": {fts.Request{Query: fts.Conjunction{Conjuncts: []fts.Query{
					filter,
					fts.Match{Field: text, Match: "penguin"},
				}}, Size: 400}, 26},
				"many": {fts.Request{Query: fts.Conjunction{Conjuncts: []fts.Query{
					filter,
					fts.Match{Field: text, Match: "walrus"},
				}}, Size: 400}, 400},
				"filter alone": {fts.Request{Query: filter, Size: 3000}, 1300},
				"later page":   {fts.Request{Query: filter, Size: 100, From: 1250}, 50},
				"vectors": {fts.Request{
					Query: filter,
					KNN:   []fts.KNN{{Field: fts.FieldEmbedding, Vector: circle(0), K: 30, Filter: filter}}, KNNOperator: "and",
					Size: 30,
				}, 30},
			} {
				res, err := s.Search(t.Context(), tt.req)
				if err != nil || len(res.Hits) != tt.hits || res.Failed != 0 {
					t.Errorf("%s: %d hits, %v; want %d", name, len(res.Hits), err, tt.hits)
				}
				for i, h := range res.Hits {
					if h.FilePath[len(h.FilePath)-3:] != ".go" {
						t.Fatalf("%s: hit %s", name, h.FilePath)
					}
					if name == "vectors" && h.FilePath != fmt.Sprintf("dir/f%04d.go", 2*i) {
						t.Errorf("%s: hit %d is %s", name, i, h.FilePath)
					}
				}
			}
		})
	}
}

// circle is the unit vector at that angle.
func circle(angle float64) []float32 {
	v := make([]float32, clustertest.Dims)
	v[0], v[1] = float32(math.Cos(angle)), float32(math.Sin(angle))
	return v
}
