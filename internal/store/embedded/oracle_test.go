package embedded_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// TestOracle compares an index that was changed many times with BM25 as the
// textbook has it, and with an index that was built at once: scores must be
// the same bits.
func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	changed := open(t, t.TempDir())
	corpus := map[models.DocumentID]models.Document{}
	for range 6 {
		b := store.Batch{}
		for _, id := range slices.Sorted(maps.Keys(corpus)) {
			if rng.IntN(8) == 0 {
				b.Delete = append(b.Delete, id)
				delete(corpus, id)
			}
		}
		for range 120 {
			d := randomDocument(rng)
			if rng.IntN(4) > 0 {
				d.Embedding = randomVector(rng)
			}
			corpus[d.ID] = d
			b.Put = append(b.Put, d)
		}
		must(t, changed.Apply(t.Context(), b))
	}
	built := open(t, t.TempDir())
	must(t, built.Apply(t.Context(), store.Batch{Put: slices.Collect(maps.Values(corpus))}))

	vector := randomVector(rng)
	for _, typ := range []models.DocType{models.TypeFile, models.TypeSymbol} {
		for _, words := range []string{"aa", "ab bc cd", "parseFile", "ea ea unheardof", "the of"} {
			q := fts.Match{Field: fts.TextField(typ), Match: words}
			req := fts.Request{Query: q, Size: 1000}
			got := find(t, changed, req)
			if diff := gocmp.Diff(find(t, built, req), got); diff != "" {
				t.Errorf("%s %q (-built at once +changed):\n%s", typ, words, diff)
			}
			ofType := fts.Filter(fts.FieldType, string(typ))
			filter := fts.Conjunction{Conjuncts: []fts.Query{ofType}}
			filtered := fts.Request{Query: fts.Conjunction{Conjuncts: []fts.Query{filter, q}}, Size: 1000, Near: vector}
			if diff := gocmp.Diff(got, withoutNear(t, changed, filtered)); diff != "" {
				t.Errorf("%s %q (-words +words and a filter, measured):\n%s", typ, words, diff)
			}
			want := bm25(corpus, typ, words)
			if len(got.Hits) != len(want) || got.Total != len(want) {
				t.Errorf("%s %q: %d hits of %d, want %d", typ, words, len(got.Hits), got.Total, len(want))
			}
			for i, h := range got.Hits {
				if math.Abs(h.Score-want[h.ID]) > 1e-9 {
					t.Errorf("%s %q: score of %s is %v, want %v", typ, words, h.ID, h.Score, want[h.ID])
				}
				if i > 0 && cmp.Or(cmp.Compare(h.Score, got.Hits[i-1].Score), cmp.Compare(got.Hits[i-1].ID, h.ID)) > 0 {
					t.Errorf("%s %q: hit %d is out of order", typ, words, i)
				}
			}
		}
	}
}

// TestStatisticsOfWhatIsSearched: what else is indexed changes no score of a
// search in some repositories, with documents laid over too.
func TestStatisticsOfWhatIsSearched(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	alone, beside := open(t, t.TempDir()), open(t, t.TempDir())
	for i := range 3 {
		var own, all store.Batch
		for j := range 300 {
			d := randomDocument(rng)
			if d.RepoID = models.RepoID([]string{"o/a", "o/b", "o/c"}[j%3]); d.RepoID != "o/c" {
				own.Put = append(own.Put, d)
			} else {
				d.ID, d.Text = models.DocumentID(fmt.Sprintf("%s%d", d.ID, i)), strings.Repeat(d.Text+" ab ", 3)
			}
			all.Put = append(all.Put, d)
		}
		must(t, alone.Apply(t.Context(), own))
		must(t, beside.Apply(t.Context(), all))
	}
	of := fts.Disjunction{Disjuncts: []fts.Query{fts.Filter(fts.FieldRepo, "o/a"), fts.Filter(fts.FieldRepo, "o/b")}}
	over := randomDocument(rng)
	over.RepoID, over.Text = "o/a", "aa ab ab"
	for _, laid := range []bool{false, true} {
		for _, words := range []string{"aa", "ab bc cd", "parseFile"} {
			q := fts.Conjunction{Conjuncts: []fts.Query{of, fts.Match{Field: fts.TextField(models.TypeFile), Match: words}}}
			req := fts.Request{Query: q, Size: 1000, Statistics: of}
			var replies [2]fts.Result
			for i, s := range []store.Store{alone, beside} {
				ctx := t.Context()
				if laid {
					var release func()
					var err error
					ctx, release, err = s.(store.Overlayer).Overlay(ctx, models.Overlay{Key: "k", Documents: []models.Document{over}})
					must(t, err)
					defer release()
				}
				var err error
				replies[i], err = s.Search(ctx, req)
				must(t, err)
			}
			if diff := gocmp.Diff(replies[0], replies[1]); diff != "" || replies[0].Total == 0 {
				t.Errorf("%q: %d found; (-alone +beside others):\n%s", words, replies[0].Total, diff)
			}
		}
	}
}

// withoutNear is what a request finds, after it has compared how near hits are
// with what a KNN clause says.
func withoutNear(t *testing.T, s *embedded.Store, req fts.Request) fts.Result {
	t.Helper()
	got := find(t, s, req)
	none := fts.MatchNone{}
	near := find(t, s, fts.Request{
		Query: none, KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: req.Near, K: 1000}},
		Size: 1000,
	})
	scores := map[models.DocumentID]float64{}
	for _, h := range near.Hits {
		scores[h.ID] = h.Score
	}
	for i := range got.Hits {
		h := &got.Hits[i]
		if h.Near != scores[h.ID] {
			t.Errorf("%s is measured as %v, a knn clause gives %v", h.ID, h.Near, scores[h.ID])
		}
		h.Near = 0
	}
	count := find(t, s, fts.Request{Query: req.Query})
	if count.Total != got.Total {
		t.Errorf("%d are counted, %d found", count.Total, got.Total)
	}
	return got
}

func randomVector(rng *rand.Rand) []float32 {
	v := make([]float32, dims)
	v[rng.IntN(dims)], v[rng.IntN(dims)] = 0.6, 0.8
	return v
}

func randomDocument(rng *rand.Rand) models.Document {
	var words []string
	for range rng.IntN(40) {
		words = append(words, string(rune('a'+min(rng.IntN(6), rng.IntN(6))))+string(rune('a'+rng.IntN(4))))
	}
	if rng.IntN(5) == 0 {
		words = append(words, "parseFile")
	}
	path := fmt.Sprintf("f%d.go", rng.IntN(250))
	d := models.Document{
		Header: models.Header{ID: models.FileID("o/r", path), Type: models.TypeFile, RepoID: "o/r", FilePath: path},
		Text:   strings.Join(words, " "),
	}
	if rng.IntN(2) == 0 {
		d.ID, d.Type = models.SymbolID("o/r", path, "S", 1), models.TypeSymbol
	}
	return d
}

// bm25 is the score of every document with one of the words.
func bm25(corpus map[models.DocumentID]models.Document, typ models.DocType,
	words string,
) map[models.DocumentID]float64 {
	const k1, b = 2, 0.75
	frequencies := map[models.DocumentID]map[string]float64{}
	lengths := map[models.DocumentID]float64{}
	having := map[string]float64{}
	total := 0.0
	for id, d := range corpus {
		terms := fts.Analyze(d.Text)
		if d.Type != typ || len(terms) == 0 {
			continue
		}
		frequencies[id], lengths[id] = map[string]float64{}, float64(len(terms))
		total += lengths[id]
		for _, term := range terms {
			if frequencies[id][term]++; frequencies[id][term] == 1 {
				having[term]++
			}
		}
	}
	n := float64(len(lengths))
	scores := map[models.DocumentID]float64{}
	for _, term := range fts.Analyze(words) {
		idf := math.Log(1 + (n-having[term]+0.5)/(having[term]+0.5))
		for id, f := range frequencies {
			if tf := f[term]; tf > 0 {
				scores[id] += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*lengths[id]/(total/n)))
			}
		}
	}
	return scores
}
