package embedded_test

import (
	"fmt"
	"maps"
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

// embeddedDocument is a random document, most often with a vector.
func embeddedDocument(rng *rand.Rand) models.Document {
	d := randomDocument(rng)
	d.Content = d.Text
	for range dims {
		if d.Type == models.TypeSymbol {
			d.Embedding = append(d.Embedding, rng.Float32()-0.5)
		}
	}
	return d
}

// overlayRequests are of each kind that an overlay has a part in.
func overlayRequests() []fts.Request {
	vector := []float32{1, .5, -.2, .1, 0, .3, -1, .2}
	var all []fts.Request
	for _, typ := range []models.DocType{models.TypeFile, models.TypeSymbol} {
		filter := fts.Conjunction{Conjuncts: []fts.Query{
			fts.Filter(fts.FieldType, string(typ)),
			fts.Filter(fts.FieldRepo, "o/r"),
		}, Boost: fts.Zero()}
		words := fts.Match{Field: fts.TextField(typ), Match: "ab parseFile unheardof ca"}
		all = append(all,
			fts.Request{Query: words, Size: 1000},
			fts.Request{Query: fts.Conjunction{Conjuncts: []fts.Query{filter, words}}, Size: 7},
			fts.Request{Query: filter},
			fts.Request{
				Query: filter, Size: 9, KNNOperator: "and",
				KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: vector, K: 9, Filter: filter}},
			},
			fts.Request{Query: fts.Regexp{Field: fts.FieldPath, Regexp: "f1.*", Boost: fts.Zero()}, Size: 1000},
		)
	}
	return append(all, fts.Request{
		Query: fts.MatchNone{}, Size: 1000,
		KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: vector, K: 40}},
	})
}

// A store with documents over it answers, to the bit, as one that has them.
func TestOverlayAnswersAsAStoreThatHasIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	s, corpus := open(t, t.TempDir()), map[models.DocumentID]models.Document{}
	for round := range 3 {
		b := store.Batch{}
		for range 100 {
			d := embeddedDocument(rng)
			corpus[d.ID] = d
			b.Put = append(b.Put, d)
		}
		must(t, s.Apply(t.Context(), b))
		for range 2 {
			now, o := maps.Clone(corpus), models.Overlay{}
			for _, id := range slices.Sorted(maps.Keys(corpus)) {
				if rng.IntN(10) == 0 {
					o.Hidden = append(o.Hidden, id)
					delete(now, id)
				}
			}
			for range rng.IntN(2) * 20 {
				d := embeddedDocument(rng)
				o.Documents = append(o.Documents, d)
				now[d.ID] = d
			}
			o.Key = fmt.Sprint(round, o.Hidden, o.Documents)
			sameAsBuilt(t, s, o, now)
		}
	}
	sameAsBuilt(t, open(t, t.TempDir()),
		models.Overlay{Key: "over nothing", Documents: slices.Collect(maps.Values(corpus))}, corpus)
}

// sameAsBuilt compares a store with an overlay with one of the corpus.
func sameAsBuilt(t *testing.T, s *embedded.Store, o models.Overlay, corpus map[models.DocumentID]models.Document) {
	t.Helper()
	built := open(t, t.TempDir())
	must(t, built.Apply(t.Context(), store.Batch{Put: slices.Collect(maps.Values(corpus))}))
	before := find(t, s, overlayRequests()[0])
	for range 2 { // made, and remembered
		ctx, release, err := s.Overlay(t.Context(), o)
		must(t, err)
		for i, req := range overlayRequests() {
			got, err := s.Search(ctx, req)
			must(t, err)
			if diff := gocmp.Diff(find(t, built, req), got); diff != "" {
				t.Fatalf("request %d (-built +overlay):\n%s", i, diff)
			}
		}
		ids := slices.Concat(slices.Sorted(maps.Keys(corpus)), o.Hidden)
		want, err := built.Documents(t.Context(), ids)
		must(t, err)
		got, err := s.Documents(ctx, ids)
		must(t, err)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("documents (-built +overlay):\n%s", diff)
		}
		release()
	}
	if diff := gocmp.Diff(before, find(t, s, overlayRequests()[0])); diff != "" {
		t.Fatalf("without the overlay (-before +after):\n%s", diff)
	}
}

// What an overlay holds open goes with the store's next state, and with the store.
func TestOverlaysAreLetGo(t *testing.T) {
	s := open(t, t.TempDir())
	d := models.Document{Header: models.Header{
		ID: "symbol:o/r:a.go:A", Type: models.TypeSymbol, RepoID: "o/r",
		FilePath: "a.go",
	}, Text: "alpha"}
	for i := range 10 {
		d.Text = strings.Repeat("alpha ", i+1)
		ctx, release, err := s.Overlay(t.Context(), models.Overlay{Key: d.Text, Documents: []models.Document{d}})
		must(t, err)
		must(t, s.Apply(t.Context(),
			store.Batch{Put: []models.Document{{Header: models.Header{
				ID:   models.DocumentID(fmt.Sprint("symbol:o/r:b.go:B", i)),
				Type: models.TypeSymbol, RepoID: "o/r", FilePath: "b.go",
			}, Text: "beta"}}}))
		got, err := s.Search(ctx,
			fts.Request{Query: fts.Match{Field: fts.TextField(models.TypeSymbol), Match: "alpha beta"}, Size: 100})
		must(t, err)
		if len(got.Hits) != i+1 {
			t.Errorf("step %d: %d hits under the overlay, want those of its state", i, len(got.Hits))
		}
		release()
	}
}
