package search_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/store"
)

// counting counts the searches by vectors.
type counting struct {
	search.Index
	nearest *int
}

func (c counting) Search(ctx context.Context, req fts.Request) (fts.Result, error) {
	if len(req.KNN) > 0 {
		*c.nearest++
	}
	return c.Index.Search(ctx, req)
}

// namesakes are symbols called Render or render, of several kinds and sizes, in
// tests and elsewhere, and others that speak of them.
func namesakes() []models.Document {
	var docs []models.Document
	for i := range 40 {
		name, kind := "Render", []string{"func", "method", "var", "class"}[i%4]
		switch {
		case i%5 == 4:
			name = "render"
		case i >= 12:
			name = fmt.Sprintf("Draw%d", i)
		}
		file := fmt.Sprintf("src/p%d/file%d.go", i%3, i%7)
		h := models.Header{
			ID: models.SymbolID("o/a", file, name, 1+i), Type: models.TypeSymbol, RepoID: "o/a", FilePath: file,
			SymbolName: name, QualifiedName: name, Kind: kind, Language: "Go", StartLine: 10*i + 1, EndLine: 10*i + 1 + i%9,
			Test: i%6 == 5,
		}
		text := strings.Repeat("render ", 1+i%4) + fmt.Sprintf("a page number %d of %s", i, strings.Repeat("pages ", i%5))
		docs = append(docs, models.Document{Header: h, Content: text, Text: name + " " + text})
	}
	return docs
}

// withNamesakes is a store with namesakes, and their vectors.
func withNamesakes(t *testing.T) store.Store {
	t.Helper()
	_, st := newService(t)
	docs := namesakes()
	vectors, err := embedtest.New(dims).Documents(t.Context(), inputs(docs))
	if err != nil {
		t.Fatal(err)
	}
	for i := range docs {
		docs[i].Embedding = vectors[i]
	}
	if err := st.Apply(t.Context(), store.Batch{Put: docs}); err != nil {
		t.Fatal(err)
	}
	return st
}

// Where enough symbols have the one name that is asked for, nothing else is looked
// for; the hits and their scores are those that there are otherwise, on all pages.
func TestNamesakesFillThePage(t *testing.T) {
	st := withNamesakes(t)
	var nearest int
	svc := search.New(counting{st, &nearest}, repositories{{RepoID: "o/a", State: models.StateFresh}},
		embedtest.New(dims))
	for _, mode := range []string{search.ModeHybrid, search.ModeLexical} {
		req := search.Request{Query: "Render", Level: "symbol", Mode: mode, Limit: new(100), Explain: true}
		whole := ask(t, svc, req)
		var pages []models.SearchResult
		for n := 0; ; n++ {
			req.Limit = new(3)
			resp := ask(t, svc, req)
			if n < 2 && (!resp.Meta.TotalAtLeast || *resp.Meta.Total > *whole.Meta.Total) {
				t.Errorf("%s: page %d says %d results, at least: %v", mode, n, *resp.Meta.Total, resp.Meta.TotalAtLeast)
			}
			pages = append(pages, resp.Items...)
			if req.Cursor = resp.Meta.NextCursor; req.Cursor == "" {
				break
			}
		}
		if diff := cmp.Diff(whole.Items, pages); diff != "" {
			t.Errorf("%s: one page against pages of 3 (-want +got):\n%s", mode, diff)
		}
		if nearest > 0 {
			t.Errorf("%s: something has the name, and vectors were searched", mode)
		}
	}
}

// What only means the same is not looked for where something has the name, or has one
// of several words within its own.
func TestNamesThatNeedNoMeaning(t *testing.T) {
	st := withNamesakes(t)
	for query, meant := range map[string]bool{
		"Draw13": false, "draw13": false, "Draw1": false, "DrawBoat": true, "rendering": true, "render pages": true,
	} {
		var nearest int
		svc := search.New(counting{st, &nearest}, repositories{{RepoID: "o/a", State: models.StateFresh}},
			embedtest.New(dims))
		ask(t, svc, search.Request{Query: query, Level: "symbol"})
		if got := nearest > 0; got != meant {
			t.Errorf("%s: searched by meaning: %v, want %v", query, got, meant)
		}
	}
}

// A name is found that is written in the style of another language, behind those that are
// written like it.
func TestNamesInOtherStyles(t *testing.T) {
	svc, st := newService(t)
	var docs []models.Document
	for i, name := range []string{"parse_http_header", "parseHTTPHeader", "PARSE_HTTP_HEADER", "parse_http_headers"} {
		docs = append(docs, models.Document{Header: models.Header{
			ID: models.SymbolID("o/a", "h.c", name, 1), Type: models.TypeSymbol, RepoID: "o/a", FilePath: "h.c",
			Language: "C", SymbolName: name, QualifiedName: name, Kind: "func", StartLine: 10*i + 1, EndLine: 10*i + 9,
		}, Content: name, Text: name})
	}
	if err := st.Apply(t.Context(), store.Batch{Put: docs}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"parseHttpHeader":                   "parseHTTPHeader",
		"ParseHttp_header":                  "PARSE_HTTP_HEADER|parse_http_header|parseHTTPHeader",
		"parse-http_header":                 "PARSE_HTTP_HEADER|parse_http_header|parseHTTPHeader",
		"PARSE_HTTP_HEADER":                 "PARSE_HTTP_HEADER",
		"parse_http_header":                 "parse_http_header",
		"where is parseHttpHeader declared": "parseHTTPHeader",
	} {
		got := ask(t, svc, search.Request{Query: query, RepoFilter: "o/a", Level: "symbol", Limit: new(3)}).Items
		var names []string
		for _, item := range got {
			names = append(names, *item.SymbolName)
		}
		if len(names) == 0 || !slices.Contains(strings.Split(want, "|"), names[0]) ||
			len(names) != 3 || slices.Contains(names, "parse_http_headers") {
			t.Errorf("%s: found %v, want %s first and the others of the same words behind", query, names, want)
		}
	}
}

// Where nothing fits at the level that is asked, the levels where something does are told.
func TestQueryTellsOfOtherLevels(t *testing.T) {
	svc, _ := newService(t)
	for query, want := range map[string]string{
		"guidelines":         "; level doc has what fits",
		"guidelinesxx":       "",
		"guidelines path:no": "",
	} {
		resp, err := svc.Query(t.Context(), search.Request{Query: query, Mode: "lexical"})
		if err != nil {
			t.Fatal(err)
		}
		told := models.Or(resp.Meta.Message, "")
		if len(resp.Items) > 0 || told == "" || !strings.HasSuffix(told, want) ||
			want == "" && strings.Contains(told, "level doc") {
			t.Errorf("%s: %d results, %q, want it to end with %q", query, len(resp.Items), told, want)
		}
	}
}

// Words that files have and symbols have not are said to be there, and once.
func TestFilesHaveTheWord(t *testing.T) {
	svc, _ := newService(t)
	for _, c := range []struct {
		req  search.Request
		want string
	}{
		{search.Request{Query: "file"}, `no symbol that was searched has the word "file", but 20 files do: level file`},
		{
			search.Request{Query: "file4", Mode: search.ModeLexical},
			`no symbol that was searched has the word "file4", but 2 files do: level file`,
		},
		{
			search.Request{Query: "file4 zzzzqqqq", Mode: search.ModeLexical, RepoFilter: "o/a"},
			`no symbol that was searched has any of the words "file4", "zzzzqqqq", but 1 file does: level file`,
		},
		{search.Request{Query: "zzzzqqqq"}, `nothing that was searched has the word "zzzzqqqq"`},
	} {
		c.req.Level = "symbol"
		resp, err := svc.Query(t.Context(), c.req)
		if err != nil {
			t.Fatal(err)
		}
		if says := text(resp.Meta.Message); !strings.Contains(says, c.want) || strings.Count(says, "level file") > 1 ||
			strings.Contains(says, "do: ") && strings.Contains(says, "another level") {
			t.Errorf("%q: message %q, want %q", c.req.Query, says, c.want)
		}
	}
}
