package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

// closeDots is how far a dot product of unit vectors may be from the one of the
// vectors as they were given: a store may keep them with 8 bits a component.
// Documents nearer to each other than that may come in either order.
const closeDots = 1e-2

// vectors compares knn with brute force over a random corpus with updates,
// deletions and documents without a vector.
func vectors(t *testing.T, open opener, dims int) {
	st := open(t)
	rng := rand.New(rand.NewPCG(1, 2))
	corpus := map[models.DocumentID]models.Document{}
	for range 4 {
		var b store.Batch
		for _, id := range slices.Sorted(maps.Keys(corpus)) {
			if rng.IntN(10) == 0 {
				b.Delete = append(b.Delete, id)
				delete(corpus, id)
			}
		}
		for range 300 {
			d := symbol("o/r", fmt.Sprintf("f%03d.go", rng.IntN(600)), "N", "words")
			d.RepoID = models.RepoID(fmt.Sprintf("o/r%d", rng.IntN(3)))
			d.Test = rng.IntN(4) == 0
			if rng.IntN(10) != 0 {
				d.Embedding = randomUnit(rng, dims)
			}
			corpus[d.ID] = d
			b.Put = append(b.Put, d)
		}
		apply(t, st, b)
	}
	filters := []struct {
		name  string
		query fts.Query
		keep  func(models.Document) bool
	}{
		{"none", nil, func(models.Document) bool { return true }},
		{"repo", fts.Filter(fts.FieldRepo, "o/r1"), func(d models.Document) bool { return d.RepoID == "o/r1" }},
		{"both", all(fts.Filter(fts.FieldRepo, "o/r2"), fts.Filter(fts.FieldTest, "true")), func(d models.Document) bool { return d.RepoID == "o/r2" && d.Test }},
		{"empty", fts.Filter(fts.FieldRepo, "o/none"), func(models.Document) bool { return false }},
	}
	for _, f := range filters {
		t.Run(f.name, func(t *testing.T) {
			for _, k := range []int{1, 10, 1000} {
				query := randomUnit(rng, dims)
				want := nearest(corpus, query, k, f.keep)
				res := search(t, st, fts.Request{Query: fts.MatchNone{}, KNN: []fts.KNN{knn(query, k, f.query)}, Size: 1000})
				got := ids(res.Hits)
				if len(got) != len(want) || len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(want) {
					t.Fatalf("k %d: %d different hits of %d, want %d", k, len(slices.Compact(slices.Sorted(slices.Values(got)))), len(got), len(want))
				}
				for i, h := range res.Hits {
					d, there := corpus[h.ID]
					if !there || d.Embedding == nil || !f.keep(d) {
						t.Fatalf("k %d: hit %s is deleted, without a vector, or not in the filter", k, h.ID)
					}
					near, best := dot(query, d.Embedding), dot(query, corpus[want[i]].Embedding)
					if math.Abs(near-best) > closeDots {
						t.Errorf("k %d: hit %d is %s with the dot product %v; brute force has %s with %v", k, i, h.ID, near, want[i], best)
					}
					if scored := 1 - 1/(2*h.Score); math.Abs(scored-near) > closeDots {
						t.Errorf("score of %s is %v, a dot product of %v; want %v", h.ID, h.Score, scored, near)
					}
				}
			}
		})
	}
}

func nearest(corpus map[models.DocumentID]models.Document, query []float32, k int, keep func(models.Document) bool) []models.DocumentID {
	found := []models.DocumentID{}
	for id, d := range corpus {
		if d.Embedding != nil && keep(d) {
			found = append(found, id)
		}
	}
	slices.SortFunc(found, func(a, b models.DocumentID) int {
		return cmp.Or(cmp.Compare(dot(query, corpus[b].Embedding), dot(query, corpus[a].Embedding)), cmp.Compare(a, b))
	})
	return found[:min(k, len(found))]
}

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// union checks what query and knn mean together, as measured on Couchbase.
func union(t *testing.T, s suite) {
	st := s.open(t)
	var docs []models.Document
	for i, words := range []string{"walrus", "", "walrus", "", "", ""} {
		d := symbol("o/r", fmt.Sprintf("f%d.go", i), "N", words)
		d.Embedding = direction(s.dims, float64(i)*0.3)
		docs = append(docs, d)
	}
	put(t, st, docs...)
	query := direction(s.dims, 0.31) // nearest are 1, 2, 0, 3, 4, 5
	words := match(models.TypeSymbol, "walrus")
	tests := []struct {
		name string
		req  fts.Request
		want []int
	}{
		{"a hit of either, scores added", fts.Request{Query: words, KNN: []fts.KNN{knn(query, 1, nil)}}, []int{1, 0, 2}},
		{"and does not join query and knn", fts.Request{Query: words, KNN: []fts.KNN{knn(query, 1, nil)}, KNNOperator: "and"}, []int{1, 0, 2}},
		{"the filter does not touch the query", fts.Request{Query: words, KNN: []fts.KNN{knn(query, 2, fts.IDs{IDs: []string{string(docs[3].ID), string(docs[4].ID)}})}}, []int{3, 4, 0, 2}},
		{"a filter query adds the rest behind", fts.Request{Query: fts.Filter(fts.FieldRepo, "o/r"), KNN: []fts.KNN{knn(query, 2, nil)}}, []int{1, 2, 0, 3, 4, 5}},
		{"the same filter in both", fts.Request{Query: fts.Filter(fts.FieldRepo, "o/r"), KNN: []fts.KNN{knn(query, 2, fts.Filter(fts.FieldRepo, "o/r"))}}, []int{1, 2, 0, 3, 4, 5}},
		{"several knn, or", fts.Request{Query: fts.MatchNone{}, KNN: []fts.KNN{knn(query, 1, nil), knn(direction(s.dims, 1.5), 1, nil)}}, []int{5, 1}},
		{"several knn, and", fts.Request{Query: fts.MatchNone{}, KNN: []fts.KNN{knn(query, 3, nil), knn(direction(s.dims, 0.595), 2, nil)}, KNNOperator: "and"}, []int{2, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want []models.DocumentID
			for _, i := range tt.want {
				want = append(want, docs[i].ID)
			}
			tt.req.Size = 10
			got := ids(search(t, st, tt.req).Hits)
			if _, mixed := tt.req.Query.(fts.Match); mixed && s.traits.ServerScores {
				// How words weigh against distances is the server's affair.
				if diff := gocmp.Diff(sorted(want), sorted(got)); diff != "" {
					t.Errorf("hits in any order (-want +got):\n%s", diff)
				}
				return
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
			tt.req.Size = 2
			if diff := gocmp.Diff(want[:2], ids(search(t, st, tt.req).Hits)); diff != "" {
				t.Errorf("first page (-want +got):\n%s", diff)
			}
		})
	}
}

// rareType is the case that post-filtering stores fail: 97 of 100 documents
// are files and nearer to the query than all symbols.
func rareType(t *testing.T, open opener, dims int) {
	st := open(t)
	var docs []models.Document
	var symbols []models.DocumentID
	for i := range 5000 {
		path := fmt.Sprintf("f%04d.go", i)
		d := file("o/r", path, "words")
		d.Embedding = direction(dims, 0.5*float64(i)/5000)
		if i%100 >= 97 {
			d = symbol("o/r", path, "Sym", "words")
			d.Embedding = direction(dims, 1.5+1.5*float64(i/100)/50) // further apart than 8 bits can tell
			symbols = append(symbols, d.ID)                          // nearest first
		}
		docs = append(docs, d)
	}
	for chunk := range slices.Chunk(docs, 1250) {
		put(t, st, chunk...)
	}
	filter := all(fts.Filter(fts.FieldType, string(models.TypeSymbol)), fts.Filter(fts.FieldRepo, "o/r"))
	for _, k := range []int{10, len(symbols)} {
		res := search(t, st, fts.Request{Query: filter, KNN: []fts.KNN{knn(direction(dims, 0), k, filter)}, KNNOperator: "and", Size: k})
		if diff := gocmp.Diff(symbols[:k], ids(res.Hits)); diff != "" {
			t.Errorf("k %d (-want +got):\n%s", k, diff)
		}
		if !slices.IsSortedFunc(res.Hits, func(a, b fts.Hit) int { return cmp.Compare(b.Score, a.Score) }) || res.Hits[0].Score == res.Hits[k-1].Score {
			t.Errorf("k %d: scores are flat or out of order", k)
		}
	}
}
