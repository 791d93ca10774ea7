package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/store"
)

// Who names a line finds the symbol around it, though its words are not in the query.
func TestSymbolAtALine(t *testing.T) {
	svc, _ := newService(t)
	for query, want := range map[string]models.DocumentID{
		"src/p1/file4.go:15":              "symbol:o/a:src/p1/file4.go:Frame1Of4",
		"file4.go line 25":                "symbol:o/a:src/p1/file4.go:Frame2Of4",
		"at x (/app/src/p1/file4.go:3:7)": "symbol:o/a:src/p1/file4.go:Frame0Of4",
		// Lines move with each edit, names don't.
		"at Frame2Of4 (/app/src/p1/file4.go:3:7)": "symbol:o/a:src/p1/file4.go:Frame2Of4",
	} {
		for _, mode := range []string{search.ModeHybrid, search.ModeSemantic} {
			got := ids(ask(t, svc, search.Request{Query: query, Level: models.LevelAuto, RepoFilter: "o/a", Mode: mode}))
			if len(got) == 0 || got[0] != want {
				t.Errorf("%q, %s: found %v, want %s first", query, mode, got, want)
			}
		}
	}
}

// A word that is a glob of paths selects files, from the root before any folder; where none
// fits it is a word.
func TestGlobSelects(t *testing.T) {
	svc, _ := newService(t)
	for query, want := range map[string][]string{
		"*le4.go":                    {"src/p1/file4.go"},
		"src/p0/*[36].go":            {"src/p0/file3.go", "src/p0/file6.go"},
		"p0/*[36].go":                {"src/p0/file3.go", "src/p0/file6.go"},
		"frames p?/file{3,5}.go *.c": {"src/p0/file3.go", "src/p2/file5.go"},
		"frames -src/p[12]/*":        {"src/p0/file0.go", "src/p0/file3.go", "src/p0/file6.go", "src/p0/file9.go"},
	} {
		resp, err := svc.Query(t.Context(), search.Request{Query: query, RepoFilter: "o/a", Level: models.LevelFile})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range resp.Items {
			got = append(got, *item.FilePath)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%q: found %v, want %v", query, got, want)
		}
	}
	for query, items := range map[string]int{"frames no/such/*.go": 5, "*.md": 0, "no/such/*.go": 0} {
		resp, err := svc.Query(t.Context(), search.Request{Query: query, RepoFilter: "o/a", Level: models.LevelFile})
		if err != nil || len(resp.Items) != items {
			t.Errorf("%q: %d results, %v; want %d", query, len(resp.Items), err, items)
		}
		says := "level doc"
		if query == "no/such/*.go" {
			says = "no indexed file of o/a matches file:no/such/*.go"
		}
		if items == 0 && !strings.Contains(text(resp.Meta.Message), says) {
			t.Errorf("%q: %q, want %q", query, text(resp.Meta.Message), says)
		}
	}
}

// What asks for a part of configuration is answered by that at level auto; where nothing is
// of that kind, it is asked as anything else.
func TestPartsAtLevelAuto(t *testing.T) {
	svc, st := newService(t)
	req := search.Request{Query: "the step that decodes frames", RepoFilter: "o/a", Level: models.LevelAuto}
	if resp := ask(t, svc, req); resp.Level != models.LevelFile {
		t.Errorf("without steps: level %s, want file", resp.Level)
	}
	step := models.Document{Header: models.Header{
		ID: models.SymbolID("o/a", "ci.yml", "jobs.a.Decode frames", 1), Type: models.TypeSymbol, RepoID: "o/a",
		FilePath: "ci.yml", Language: "YAML", SymbolName: "Decode frames", QualifiedName: "jobs.a.Decode frames",
		Kind: "step", StartLine: 7, EndLine: 9,
	}, Content: "run: decode", Text: "Decode frames, the step that decodes frames"}
	vectors, err := embedtest.New(dims).Documents(t.Context(), inputs([]models.Document{step}))
	if err != nil {
		t.Fatal(err)
	}
	step.Embedding = vectors[0]
	if err := st.Apply(t.Context(), store.Batch{Put: []models.Document{step}}); err != nil {
		t.Fatal(err)
	}
	resp := ask(t, svc, req)
	if resp.Level != models.LevelSymbol || len(resp.Items) == 0 || resp.Items[0].DocumentID != step.ID {
		t.Errorf("with a step: level %s, %v; want that first", resp.Level, ids(resp))
	}
}

// What an expression matches is found among more documents than are looked at, by the
// words that it has; where nothing is found, others may have it.
func TestExpressionOverManyDocuments(t *testing.T) {
	svc, st := newService(t)
	var docs []models.Document
	for i := range 2100 {
		name := fmt.Sprintf("pad%d", i)
		if i == 1 {
			name = "zip_big_file"
		}
		docs = append(docs, models.Document{Header: models.Header{
			ID: models.SymbolID("o/b", "z.go", name, 1), Type: models.TypeSymbol, RepoID: "o/b", FilePath: "z.go",
			Language: "Go", SymbolName: name, QualifiedName: name, Kind: "func", StartLine: i + 1, EndLine: i + 1,
		}, Content: name, Text: name})
	}
	if err := st.Apply(t.Context(), store.Batch{Put: docs}); err != nil {
		t.Fatal(err)
	}
	req := search.Request{Query: "/zip_big_.*/", Level: models.LevelSymbol, RepoFilter: "o/b"}
	resp, err := svc.Query(t.Context(), req)
	if err != nil || len(resp.Items) != 1 || *resp.Items[0].SymbolName != "zip_big_file" {
		t.Errorf("found %v, %v; want zip_big_file", resp.Items, err)
	}
	req.Query = "/close_\\d+big/"
	resp, err = svc.Query(t.Context(), req)
	if err != nil || resp.Meta.Message == nil || !strings.Contains(*resp.Meta.Message, "there are more") {
		t.Errorf("an expression that nothing fits: %v, %v; want that there are more documents", resp.Meta.Message, err)
	}
}
