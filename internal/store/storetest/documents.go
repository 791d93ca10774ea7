package storetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

var notStored = cmpopts.IgnoreFields(models.Document{}, "Text", "Embedding")

func documents(t *testing.T, s suite) {
	t.Run("put and read", func(t *testing.T) { putAndRead(t, s.open, s.dims) })
	t.Run("update", func(t *testing.T) { update(t, s.open, s.dims) })
	t.Run("delete", func(t *testing.T) { deleteDocuments(t, s.open, s.dims) })
	t.Run("delete repositories", func(t *testing.T) { deleteRepos(t, s.open) })
	t.Run("deletions come before puts", func(t *testing.T) { deleteBeforePut(t, s.open) })
	t.Run("the last of several puts counts", func(t *testing.T) { lastPut(t, s.open, s.dims) })
}

func putAndRead(t *testing.T, open opener, dims int) {
	st := open(t)
	a := symbol("o/r", "a/b.go", "ParseTime", "parses a time")
	a.Embedding = direction(dims, 0)
	b := models.Document{
		Header: models.Header{
			ID: models.SectionID("o/r", "doc/x.md", "setup", 2), Type: models.TypeDocument, RepoID: "o/r", FilePath: "doc/x.md",
			SymbolName: "Set up", Language: "Markdown", Kind: "section", Test: true, Generated: true, Vendored: true,
		},
		Title: "X", Heading: "Set up", HeadingLevel: 2, HeaderPath: []string{"X", "Set up"}, Aliases: []string{"Other"},
		Tags: []string{"t"}, Wikilinks: []string{"w"},
		CreatedDate: "2026-01-01T00:00:00Z", ChildrenIDs: []models.DocumentID{"c"}, Text: "how to set up",
	}
	put(t, st, a, b)
	got, err := st.Documents(t.Context(), []models.DocumentID{b.ID, "file:o/r:none", a.ID, b.ID})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]models.Document{b, a, b}, got, notStored); diff != "" {
		t.Errorf("Documents (-want +got):\n%s", diff)
	}
	if got[0].Text != "" || got[1].Embedding != nil {
		t.Error("Documents gives Text or Embedding")
	}
	for _, want := range []models.Document{a, b} {
		hits := search(t, st, fts.Request{Query: fts.IDs{IDs: []string{string(want.ID)}}, Size: 10}).Hits
		if len(hits) != 1 {
			t.Fatalf("%d hits for the id %s, want 1", len(hits), want.ID)
		}
		if diff := cmp.Diff(want.Header, hits[0].Header); diff != "" {
			t.Errorf("header of a hit (-want +got):\n%s", diff)
		}
	}
}

func update(t *testing.T, open opener, dims int) {
	st := open(t)
	old := symbol("o/r", "a.go", "Run", "walrus")
	old.Embedding = direction(dims, 0)
	put(t, st, old, symbol("o/r", "b.go", "Other", "zebra"))
	changed := symbol("o/r", "a.go", "Run", "penguin")
	changed.Embedding, changed.Language = direction(dims, 1), "Rust"
	put(t, st, changed)

	if got := find(t, st, match(models.TypeSymbol, "walrus")); len(got) != 0 {
		t.Errorf("old text still finds %q", got)
	}
	want := []models.DocumentID{changed.ID}
	for name, q := range map[string]fts.Query{
		"new text": match(models.TypeSymbol, "penguin"), "new keyword": fts.Filter(fts.FieldLanguage, "rust"),
		"id": fts.IDs{IDs: []string{string(old.ID)}},
	} {
		if diff := cmp.Diff(want, find(t, st, q)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	near := search(t, st, fts.Request{Query: fts.MatchNone{}, KNN: []fts.KNN{knn(changed.Embedding, 5, nil)}, Size: 5})
	if diff := cmp.Diff(want, ids(near.Hits)); diff != "" {
		t.Errorf("vectors (-want +got):\n%s", diff)
	}
	if near.Hits[0].Score < 1e3 || near.Hits[0].Language != "Rust" {
		t.Errorf("hit %+v, want the new vector and header", near.Hits[0])
	}
}

func deleteDocuments(t *testing.T, open opener, dims int) {
	st := open(t)
	a, b := symbol("o/r", "a.go", "A", "walrus"), symbol("o/r", "b.go", "B", "walrus")
	a.Embedding, b.Embedding = direction(dims, 0), direction(dims, 1)
	put(t, st, a, b)
	apply(t, st, store.Batch{Delete: []models.DocumentID{a.ID, "file:o/r:none"}})
	want := []models.DocumentID{b.ID}
	res := search(t, st, fts.Request{
		Query: match(models.TypeSymbol, "walrus"), KNN: []fts.KNN{knn(a.Embedding, 5, nil)},
		Size: 5,
	})
	if diff := cmp.Diff(want, ids(res.Hits)); diff != "" {
		t.Errorf("hits after Delete (-want +got):\n%s", diff)
	}
	docs, err := st.Documents(t.Context(), []models.DocumentID{a.ID, b.ID})
	if err != nil || len(docs) != 1 {
		t.Errorf("Documents = %d documents, %v; want 1", len(docs), err)
	}
	put(t, st, a)
	if diff := cmp.Diff([]models.DocumentID{a.ID, b.ID}, sorted(find(t, st, fts.MatchAll{}))); diff != "" {
		t.Errorf("after putting it again (-want +got):\n%s", diff)
	}
}

func deleteRepos(t *testing.T, open opener) {
	st := open(t)
	keep := file("o/rest", "a.go", "keep")
	put(t, st, file("o/r", "a.go", "go"), symbol("o/r", "a.go", "A", "go"), keep, file("x", "b.go", "go"))
	apply(t, st, store.Batch{DeleteRepos: []models.RepoID{"o/r", "x", "never/there"}})
	if diff := cmp.Diff([]models.DocumentID{keep.ID}, find(t, st, fts.MatchAll{})); diff != "" {
		t.Errorf("documents left (-want +got):\n%s", diff)
	}
}

func deleteBeforePut(t *testing.T, open opener) {
	st := open(t)
	old, fresh := file("o/r", "old.go", "walrus"), file("o/r", "a.go", "walrus")
	put(t, st, old, fresh)
	apply(t, st, store.Batch{
		DeleteRepos: []models.RepoID{"o/r"}, Delete: []models.DocumentID{fresh.ID}, Put: []models.Document{fresh},
		DeleteRecords: []store.RecordID{{Collection: "c"}}, PutRecords: []store.Record{{Collection: "c", Key: "k", Value: 1}},
	})
	if diff := cmp.Diff([]models.DocumentID{fresh.ID}, find(t, st, fts.MatchAll{})); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	if ok, err := st.Record(t.Context(), "c", "k", nil); !ok || err != nil {
		t.Errorf("Record = %v, %v; want true", ok, err)
	}
}

func lastPut(t *testing.T, open opener, dims int) {
	st := open(t)
	first, last := file("o/r", "a.go", "walrus"), file("o/r", "a.go", "penguin")
	first.Embedding = direction(dims, 0)
	put(t, st, first, last)
	if got := search(t, st, fts.Request{Query: fts.MatchAll{}, Size: 5}); got.Total != 1 {
		t.Errorf("%d documents, want 1", got.Total)
	}
	if got := find(t, st, match(models.TypeFile, "penguin")); len(got) != 1 {
		t.Errorf("the last put is not found: %q", got)
	}
	near := search(t, st, fts.Request{Query: fts.MatchNone{}, KNN: []fts.KNN{knn(first.Embedding, 1, nil)}, Size: 1})
	if len(near.Hits) != 0 {
		t.Errorf("the vector of the first put is found")
	}
}
