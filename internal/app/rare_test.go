package app_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/setup"
	"github.com/ragnav/ragnav/test/cbtest"
)

const rareDims = 8

// angled is the unit vector at that angle to the query of queryEmbedder.
func angled(angle float64) []float32 {
	v := make([]float32, rareDims)
	v[0], v[1] = float32(math.Cos(angle)), float32(math.Sin(angle))
	return v
}

type queryEmbedder struct{}

func (queryEmbedder) Queries(context.Context, []string) ([][]float32, error) {
	return [][]float32{angled(0)}, nil
}

type oneRepository struct{}

func (oneRepository) Match(context.Context, string) ([]models.Repository, error) {
	return []models.Repository{{RepoID: "o/r", State: models.StateFresh}}, nil
}

// rareCorpus has 3% of documents of the level; all others are nearer to the
// query, and have its words.
func rareCorpus(level models.Level) (docs []models.Document) {
	other := models.TypeFile
	if level == models.LevelFile || level == models.LevelModule || level == models.LevelRepo {
		other = models.TypeDocument // symbols would be evidence for these levels
	}
	for i := range 1000 {
		d := models.Document{
			Header: models.Header{Type: other, RepoID: "o/r", FilePath: fmt.Sprintf("d/f%03d", i)},
			Text:   "walrus walrus walrus", Embedding: angled(0.5 * float64(i) / 3000), SchemaVersion: models.SchemaVersion,
		}
		if i%100 >= 97 {
			d.Type, d.Embedding = level.DocType(), angled(1.5+1.5*float64(i)/1000)
			d.Text = fmt.Sprintf("walrus number%d", i)
		}
		d.ID = models.DocumentID(fmt.Sprintf("%s:%d", d.Type, i))
		docs = append(docs, d)
	}
	return docs
}

// With 97% of documents of another type nearest to the query, every level still
// returns as many right hits as were asked for, in every mode, whether the
// server filters before it takes the nearest or not.
func TestRareTypeAtEveryLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it indexes for long")
	}
	for _, version := range []string{"8.0.0-1000-enterprise", "7.6.2-1000-enterprise"} {
		for _, level := range models.Levels() {
			t.Run(version+" "+string(level), func(t *testing.T) {
				t.Parallel()
				st := rareStore(t, version, rareCorpus(level))
				svc := search.New(st, oneRepository{}, queryEmbedder{})
				for _, mode := range []string{search.ModeHybrid, search.ModeLexical, search.ModeSemantic} {
					res, err := svc.Search(t.Context(), search.Request{Query: "walrus", Level: level, Mode: mode, Limit: new(20)})
					if err != nil {
						t.Fatal(err)
					}
					want := 20
					if mode == search.ModeSemantic && level == models.LevelFile {
						want = 0 // files have no vector of their own: their symbols speak for them, and there are none
					}
					if len(res.Items) != want {
						t.Errorf("%s: %d hits, want %d", mode, len(res.Items), want)
					}
					for _, item := range res.Items {
						if item.DocType != level.DocType() {
							t.Errorf("%s: hit of type %s", mode, item.DocType)
						}
					}
				}
			})
		}
	}
}

func rareStore(t *testing.T, version string, docs []models.Document) store.Store {
	t.Helper()
	node := cbtest.Start(t, cbtest.Options{Version: version})
	cfg := driver.Config{
		ConnStr: node.ConnStr(), Bucket: "b", Scope: "s", Username: "Administrator", Password: "password", Dims: rareDims,
	}
	if err := setup.Run(t.Context(), cfg, setup.Options{}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	st, err := couchbase.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	if err := st.Apply(t.Context(), models.Batch{Put: docs}); err != nil {
		t.Fatal(err)
	}
	if err := st.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := st.Search(t.Context(), fts.Request{Query: fts.MatchAll{}}); err != nil || n.Total != len(docs) {
		t.Fatalf("%d documents are indexed, want %d: %v", n.Total, len(docs), err)
	}
	return st
}
