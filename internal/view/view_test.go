package view_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/golden"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/view"
)

func fresh[T any](items ...T) models.Result[T] {
	r := models.OKResult(items)
	r.Meta.FreshnessState = models.Fresh
	return r
}

func used(file string, line int, symbol, text string) models.NavItem {
	return models.NavItem{
		FilePath: file, Line: line, Symbol: symbol, Edge: "calls", Definition: "t.go:T.M", Depth: 1,
		Snippet: models.Snippet{Text: text, Location: models.SnippetLocation{Path: file, StartLine: line, EndLine: line}},
	}
}

func symbol(name, kind string, line, depth int) models.OutlineItem {
	return models.OutlineItem{Symbol: name, Qualified: name, Kind: kind, Line: line, EndLine: line, Depth: depth}
}

func TestText(t *testing.T) {
	defined := []models.Definition{{
		ID: "t.go:T.M", FilePath: "t.go", Line: 5, Qualified: "T.M", Kind: "method",
		Uses: new(7),
	}}
	uses := fresh(used("x.go", 3, "Use", "\tt.M()"), used("x.go", 9, "Other", "\tt.M()"),
		used("y.go", 1, "", "var m = t.M"))
	uses.Meta.Total = new(7)
	stale := fresh(models.SearchResult{
		RepoID: "a/b", FilePath: new("x.go"), SymbolName: new("F"), Content: "func F()\n\nF does.\n", StartLine: new(1),
		EndLine: new(2), Freshness: models.Stale,
	}, models.SearchResult{
		RepoID: "a/b", FilePath: new("y.go"), SymbolName: new("Do"), Content: "func (c *Client) Do()\n\nDo does.\n",
		StartLine: new(5), EndLine: new(30),
		Kind: "method", Container: "Client",
		Lines: []models.MatchLine{{Line: 5, Text: "func (c *Client) Do()"}, {Line: 17, Text: "\t\tretry(f)"}},
	}, models.SearchResult{
		RepoID: "a/b", FilePath: new("doc.md"), HeadingPath: []string{"Guide", "Retries"},
		Content: "Twice.", StartLine: new(1), EndLine: new(3),
	}, models.SearchResult{
		RepoID: "a/b", FilePath: new("z.go"), SymbolName: new("Many"), Kind: "func", StartLine: new(1), EndLine: new(6),
		Content: "func Many(a int, )\nfunc Many(\n\ta int,\n) {\n\treturn\n",
		Lines:   []models.MatchLine{{Line: 1, Text: "func Many("}, {Line: 4, Text: "\tgo many(a)"}},
	})
	stale.Meta.FreshnessState, stale.Meta.StaleFiles, stale.Meta.StaleFileCount = models.Stale, []string{"x.go", "y.go"}, 7
	stale.Meta.Warnings = []models.Warning{{Code: "X", Message: "one thing is odd"}}
	reached := func(file string, line int, path ...string) models.NavItem {
		_, name, _ := strings.Cut(path[len(path)-1], ":")
		return models.NavItem{FilePath: file, Line: line, Symbol: name, Edge: "calls", Depth: len(path) - 1, Path: path}
	}
	far := reached("a/long/path/x.go", 9, "t.go:T.M", "a/long/path/x.go:P.Other")
	far.Sites = []models.Site{{FilePath: "a/long/path/x.go", Line: 9}, {FilePath: "a/long/path/x.go", Line: 12}}
	runs := reached("a/long/path/x.go", 9, "t.go:T.M", "a/long/path/x.go:P.Other", "b.go:Q.test")
	two := append(slices.Clone(defined),
		models.Definition{ID: "t.go:T.M~2", FilePath: "t.go", Line: 9, Qualified: "T.M", Kind: "method"})
	declared := append(slices.Clone(defined),
		models.Definition{ID: "t.h:T.M", FilePath: "t.h", Line: 2, Qualified: "T.M", Kind: "method", Prototype: true})
	overloads := fresh(used("x.go", 3, "Use", "\tf(t.M(), t.M())"), used("x.go", 3, "Use", "\tf(t.M(), t.M())"),
		used("y.go", 1, "", "var m = t.M"))
	for i := range overloads.Items {
		overloads.Items[i].Candidates, overloads.Items[i].Confidence = []string{"t.go:T.M", "t.go:T.M~2"}, 1
	}
	read := fresh(stale.Items[1], models.SearchResult{RepoID: "a/c", FilePath: new("x.go"), Content: "x"})
	read.Meta.StaleFiles, read.Meta.StaleFileCount = []string{"y.go"}, 1
	read.Meta.Message = new("1 file changed since it was indexed; " + models.AsNow + "; and more")
	unlike := fresh(slices.Clone(stale.Items)...)
	for i := range unlike.Items {
		unlike.Items[i].Weak = true
	}
	none := fresh[models.SearchResult]()
	none.Meta.Message = new("nothing has the word zzz")
	for _, test := range []struct {
		name string
		row  op.Row
		req  any
		env  models.Envelope
	}{
		{"repos", op.Repos, &repos.Request{}, &repos.Response{Result: fresh(models.RepoInfo{
			RepoID: "a/b", DocCount: 3, Languages: []string{"Go", "Shell"}, FileCount: 1, FreshnessState: models.Fresh,
			LastIndexedAt: new("2026-01-31T12:00:00Z"), LastIndexedCommit: new("e5b330759b6178f9"),
		}, models.RepoInfo{RepoID: "c", FreshnessState: models.Unknown},
			models.RepoInfo{RepoID: "d", FileCount: 3, DocCount: 9, FreshnessState: models.Stale})}},
		{"structure", op.Structure, &structure.Request{}, &structure.Response{Result: fresh(models.StructureInfo{
			RepoID: "a/b", Path: "cmd", Directories: []string{"cmd/x/"}, KeyFiles: map[string]string{"readme": "cmd/README.md"},
			Summary: new("Programs."),
			Files: []models.FileInfo{
				{Path: "cmd/main.go", Language: "Go", LineCount: 30, HasSummary: true},
				{Path: "cmd/x.bin"},
			},
		})}},
		{"search", op.Search, &search.Request{Query: "f"}, &search.Response{Result: stale, Level: models.LevelSymbol}},
		{"read", op.Search, &search.Request{Query: "f"}, &search.Response{Result: read, Level: models.LevelSymbol}},
		{
			"named", op.Search, &search.Request{Query: "Client.Do"},
			&search.Response{Result: stale, Query: "Client.Do", Level: models.LevelSymbol},
		},
		{
			"prototypes", op.WhereUsed, &nav.WhereUsedRequest{},
			&nav.WhereUsedResponse{Result: overloads, Definitions: declared},
		},
		{"overloads", op.WhereUsed, &nav.WhereUsedRequest{}, &nav.WhereUsedResponse{Result: overloads, Definitions: two}},
		{"weak", op.Search, &search.Request{Query: "zzz"}, &search.Response{Result: unlike, Level: models.LevelSymbol}},
		{"nothing", op.Search, &search.Request{Query: "zzz"}, &search.Response{Result: none, Level: models.LevelFile}},
		{"file", op.File, &filefetch.Request{}, &filefetch.Response{Result: fresh(
			models.FileContent{
				RepoID: "a/b", FilePath: "x.go", Code: "a\n\tb", StartLine: 9, EndLine: 10, TotalLines: 99,
				Symbol: "F",
			},
			models.FileContent{RepoID: "a/b", FilePath: "gone.go", Error: "no such file"},
			models.FileContent{
				RepoID: "a/b", FilePath: "old.go", Code: "a\n", StartLine: 1, EndLine: 1, TotalLines: 1, Commit: "0123456789abcdef",
			},
		)}},
		{"outline", op.Outline, &outline.Request{}, &outline.Response{TotalLines: 120, Result: fresh(
			symbol("Client", "struct", 3, 0), symbol("Do", "method", 9, 1), symbol("Get", "method", 20, 1),
			symbol("New", "func", 40, 0), symbol("Old", "func", 60, 0),
		)}},
		{
			"headings", op.Outline, &outline.Request{},
			&outline.Response{TotalLines: 12, Result: fresh(symbol("One", "section", 1, 0), symbol("Two", "section", 5, 1))},
		},
		{"uses", op.WhereUsed, &nav.WhereUsedRequest{}, &nav.WhereUsedResponse{Result: uses, Definitions: defined}},
		{
			"lineage", op.Lineage, &nav.LineageRequest{},
			&nav.LineageResponse{Result: uses, Definitions: defined, Symbol: "M", Direction: "upstream"},
		},
		{
			"steps", op.Lineage, &nav.LineageRequest{},
			&nav.LineageResponse{
				Result: fresh(reached("x.go", 3, "t.go:T.M", "x.go:Use"), reached("x.go", 9, "t.go:T.M~2", "x.go:Other"),
					reached("y.go", 5, "t.go:T.M", "x.go:Use", "y.go:main"), reached("z.go", 7, "t.go:T.M", "w.go:Gone", "z.go:Z")),
				Definitions: two, Symbol: "M", Direction: "upstream",
			},
		},
		{
			"places", op.Lineage, &nav.LineageRequest{},
			&nav.LineageResponse{
				Result: fresh(reached("t.go", 3, "t.go:T.M", "t.go:P.Use"), far, runs, runs,
					reached("z.go", 7, "t.go:T.M", "t.go:P.Use", "z.go:R.Use"),
					reached("z.go", 8, "t.go:T.M", "z.go:R.Use", "z.go:Z")),
				Definitions: declared, Symbol: "M", Direction: "upstream",
			},
		},
		{"definition", op.Definition, &nav.DefinitionRequest{}, &nav.DefinitionResponse{Symbol: "M", Result: fresh(
			models.DefinitionItem{
				RepoID: "a/b", FilePath: "t.go", Line: 5, EndLine: 6, Column: 12, Symbol: "T.M",
				Kind: "method", Signature: "func (T) M()", Doc: "M is one.\nOf two lines.", Tier: "C", Confidence: 0.99,
			},
			models.DefinitionItem{Symbol: "Print", External: "fmt"},
		)}},
		{
			"implementations", op.Implementations, &nav.ImplementationsRequest{},
			&nav.ImplementationsResponse{Result: uses, Definitions: defined, Symbol: "M", Direction: "down"},
		},
		{"impact", op.Impact, &nav.ImpactRequest{}, &nav.ImpactResponse{
			Result: fresh(models.ImpactItem{
				Change: "signature", Symbol: "T.M", Kind: "method", FilePath: "t.go", Line: 5, Exported: true, Total: 2,
				Affected: []models.Affected{{FilePath: "x_test.go", Line: 3, Symbol: "TestM", Depth: 1, Edge: "calls", Test: true}},
			}, models.ImpactItem{Change: "added", Symbol: "N", Kind: "func", FilePath: "t.go", Line: 9}),
			Tests: []models.TestToRun{{FilePath: "x_test.go", Symbol: "TestM", Depth: 1, Tier: "B"}}, TestsTotal: 1,
			Commands: []string{"go test ./ -run '^(TestM)$'"},
		}},
		{"affected", op.Impact, &nav.ImpactRequest{}, &nav.ImpactResponse{Result: fresh(
			models.ImpactItem{Change: "removed", Symbol: "T.M", Kind: "method", FilePath: "a/long/path/x.go", Line: 5},
			models.ImpactItem{
				Change: "body", Symbol: "T.N", Kind: "method", FilePath: "a/long/path/x.go", Line: 9, Total: 99,
				Affected: append(slices.Repeat([]models.Affected{{
					FilePath: "a/long/path/x.go", Line: 3, Symbol: "F", Depth: 1,
					Edge: "calls",
				}}, 21), models.Affected{FilePath: "y.go", Line: 3, Symbol: "G", Depth: 2, Edge: "calls"}),
			},
			models.ImpactItem{
				Change: "removed", Symbol: "H", Kind: "func", FilePath: "z.go", Line: 1, Total: 1,
				Affected: []models.Affected{{RepoID: "a/b", FilePath: "w.go", Line: 3, Symbol: "I", Depth: 1, Edge: "calls"}},
			},
			models.ImpactItem{
				Change: "body", RepoID: "a/b", Symbol: "H", Kind: "func", FilePath: "z.go", Line: 1, Total: 2,
				Affected: []models.Affected{
					{RepoID: "a/b", FilePath: "w.go", Line: 3, Symbol: "I", Depth: 1, Edge: "calls"},
					{RepoID: "c", FilePath: "w.go", Line: 3, Symbol: "I", Depth: 1, Edge: "calls"},
				},
			},
		)}},
		{"map", op.Map, &nav.MapRequest{}, &nav.MapResponse{Result: fresh(models.RepoMap{
			RepoID: "a/b", Folders: []models.MapFolder{
				{Path: ".", Files: 1}, {Path: "w", Files: 3}, {Path: "x", Purpose: "Package x is.", Files: 2},
			},
			Symbols:     []models.MapSymbol{{FilePath: "x/x.go", Line: 3, Symbol: "F", Signature: "func F()", Uses: 7}},
			EntryPoints: []string{"main.go"}, Commands: []string{"make test"},
		})}},
		{"status", op.NavStatus, &nav.StatusRequest{}, &nav.StatusResponse{Result: fresh(models.NavStatus{
			RepoID: "a/b", Freshness: models.Stale, Reason: "files changed",
			Graph:   &models.GraphInfo{Files: 3, Symbols: 20, Edges: 1, BuiltAt: "2026-01-31T12:00:00Z"},
			Changes: &models.NavChanges{Changed: 2, Deleted: 1, Files: []string{"x.go", "y.go", "z.go"}},
			Modules: []string{"go:b.org/b", "npm:b"}, DependsOn: []models.RepoID{"a/c"}, Dependents: []models.RepoID{"d", "e/f"},
		}, models.NavStatus{RepoID: "c", Freshness: models.Unknown, Reason: "there is no graph"})}},
		{"build", op.BuildGraph, &nav.BuildRequest{}, &nav.BuildResponse{Result: fresh(models.GraphInfo{
			RepoID: "a/b", Files: 3, Symbols: 20, Edges: 1, JSON: ".llmc/rag_graph.json", TookMS: 1260,
		})}},
		{"names", op.NavSearch, &nav.SearchRequest{}, &nav.SearchResponse{FileCount: 2, Result: fresh(
			models.NavItem{FilePath: "x.go", Line: 1, Kind: "file"}, models.NavItem{FilePath: "y.go", Line: 1, Kind: "file"},
		)}},
		{"lines", op.NavSearch, &nav.SearchRequest{}, &nav.SearchResponse{Result: uses}},
		{"answer", op.Ask, &ask.Request{}, &ask.Response{Result: fresh(models.Answer{
			Answer:    "It does [1].",
			Citations: []models.Citation{{N: 1, RepoID: "a/b", FilePath: "x.go", StartLine: 1, EndLine: 2, Verified: true}},
			Gaps:      []string{"tests"},
		})}},
		{"quotes", op.Ask, &ask.Request{}, &ask.Response{Result: fresh(models.Answer{
			Answer:    "It does.\n\n[1] `x.go:1-2` F",
			Citations: []models.Citation{{N: 1, RepoID: "a/b", FilePath: "x.go", StartLine: 1, EndLine: 2, Verified: true}},
		})}},
	} {
		t.Run(test.name, func(t *testing.T) {
			golden.File(t, filepath.Join("testdata", test.name+".golden"), view.Text(test.row, test.req, test.env))
		})
	}
}

// The outline of ten symbols is the cheapest reply there is.
func TestOutlineIsShort(t *testing.T) {
	items := []models.OutlineItem{symbol("Client", "struct", 12, 0)}
	for i, name := range []string{"Do", "Get", "Post", "Close", "Head", "Send", "Parse", "Clone", "String"} {
		items = append(items, symbol(name, "method", 20+10*i, 1))
	}
	text := view.Text(op.Outline, &outline.Request{}, &outline.Response{TotalLines: 120, Result: fresh(items...)})
	words := len(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' }))
	if len(text)/3 > 60 || words > 50 {
		t.Errorf("%d bytes, %d words:\n%s", len(text), words, text)
	}
}

func TestContentLines(t *testing.T) {
	file := models.SearchResult{
		DocType: models.TypeFile, FilePath: new("mux.go"),
		Content: "mux.go (package chi)\n\nRoutes requests.\n\nDeclares:\nfunc New\n",
	}
	beside := file
	beside.Lines = []models.MatchLine{{Line: 3, Text: "x"}}
	section := models.SearchResult{DocType: models.TypeDocument, Content: "Declares:\nfunc New\n"}
	for _, test := range []struct {
		hit  models.SearchResult
		want string
	}{
		{file, "Routes requests.|func New"},
		{beside, "Routes requests."},
		{section, "Declares:|func New"},
		{
			models.SearchResult{Content: "func F(a int, b int, ) error\nfunc F(\n\ta int,\n\tb int,\n) error {\n\treturn nil\n"},
			"func F(a int, b int, ) error|\treturn nil",
		},
		{models.SearchResult{Content: "func F(a int) error\nfunc F(a int) error {\n"}, "func F(a int) error"},
		{models.SearchResult{Content: "func F(a int)\nfunc F(a int) error {\n"}, "func F(a int)|func F(a int) error {"},
		{models.SearchResult{Content: "func F()\nF does.\n"}, "func F()|F does."},
	} {
		if got := strings.Join(view.ContentLines(test.hit), "|"); got != test.want {
			t.Errorf("%s: %q, want %q", test.hit.DocType, got, test.want)
		}
	}
}

// The call for the rest has the signs of code as they are, for people and for models.
func TestNextCallIsNoHTML(t *testing.T) {
	found := fresh(used("x.go", 3, "", "List<T> a"))
	found.Meta.NextCursor, found.Meta.Truncated = "abc", true
	text := view.Text(op.NavSearch, &nav.SearchRequest{RepoID: "a/b", Query: "List<T> && x"},
		&nav.SearchResponse{Result: found})
	if want := `"query":"List<T> && x"`; !strings.Contains(text, want) {
		t.Errorf("no %s in\n%s", want, text)
	}
}

// The first line of a file is one line, whatever the file is called.
func TestHeadOfAnOddName(t *testing.T) {
	text := view.Text(op.File, &filefetch.Request{RepoID: "a/b", FilePath: "x\ny.txt"},
		&filefetch.Response{Result: models.OKResult([]models.FileContent{{
			RepoID: "a/b", FilePath: "x\ny.txt", StartLine: 1, EndLine: 1, TotalLines: 1, Code: "one\n",
		}})})
	if want := `a/b x\ny.txt:1 of 1` + "\n"; !strings.Contains(text, want) {
		t.Errorf("no %s in\n%s", want, text)
	}
}
