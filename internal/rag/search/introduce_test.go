package search_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// What a project does is told by its summary and the beginning of its README; who asks
// at another level is told so.
func TestSearchAboutTheProject(t *testing.T) {
	svc, st := newService(t)
	put(t, st, summaryOf("o/a"))
	for _, query := range []string{
		"what does this project do?", "what is this project about", "overview", "How is a structured?", "What is this?",
	} {
		resp := ask(t, svc, search.Request{Query: query, Level: models.LevelAuto, RepoFilter: "o/a"})
		if len(resp.Items) != 2 || resp.Level != models.LevelRepo || text(resp.Items[1].FilePath) != "README.md" ||
			resp.Items[0].Weak || resp.Items[1].Weak || *resp.Meta.Total != 2 {
			t.Errorf("%s: level %s, %+v", query, resp.Level, resp.Items)
		}
	}
	for _, tc := range []struct {
		query string
		level models.Level
		want  string
	}{
		{"what is this project about", "symbol", "level auto finds its summary"},
		{"where does this project start?", "doc", "level file finds its entry points"},
		{"where does this project start?", "symbol", ""},
		{"where does this project start?", "file", ""},
		{"where does this project start?", "auto", ""},
	} {
		got := text(ask(t, svc, search.Request{Query: tc.query, Level: tc.level}).Meta.Message)
		if !strings.Contains(got, tc.want) || tc.want == "" && strings.Contains(got, "level auto") {
			t.Errorf("%s at level %s: %q, want %q", tc.query, tc.level, got, tc.want)
		}
	}
}

// Where a project begins is told by the names of its files: what is run comes before
// what is loaded, and what serves its tests and examples is left out.
func TestSearchWhereItBegins(t *testing.T) {
	for _, test := range []struct {
		name  string
		files []string
		query string
		want  []string
	}{
		{
			"a program and its library",
			[]string{"src/lib.rs", "src/main.rs", "examples/x/src/main.rs", "src/main.md"},
			"main entry point",
			[]string{"src/main.rs", "src/lib.rs"},
		},
		{
			"libraries of a workspace",
			[]string{"b/src/lib.rs", "a/src/lib.rs", "b/tests/main.rs"},
			"Where is the entry point of a?",
			[]string{"a/src/lib.rs", "b/src/lib.rs"},
		},
		{"commands", []string{"cmd/b/main.go", "tools/x/main.go", "a.go", "main_test.go"}, "where does it start", []string{
			"cmd/b/main.go", "a.go",
		}},
		{"a package", []string{"a/__init__.py", "a/x/__init__.py", "a/__main__.py"}, "main function", []string{
			"a/__main__.py", "a/__init__.py",
		}},
		{"without an ending", []string{"bin/run", "lib/a.rb"}, "entrypoint", []string{"lib/a.rb", "bin/run"}},
		{
			"a class in folders of packages",
			[]string{"web/src/index.ts", "srv/src/main/java/org/x/AServer.java", "srv/src/main/java/org/x/HttpServer.java"},
			"where does the server start",
			[]string{"srv/src/main/java/org/x/AServer.java", "web/src/index.ts"},
		},
	} {
		svc, st := newService(t)
		put(t, st, summaryOf("o/a"))
		for _, p := range test.files {
			put(t, st, models.Document{Header: models.Header{
				ID: models.FileID("o/a", p), Type: models.TypeFile, RepoID: "o/a", FilePath: p, StartLine: 1, EndLine: 2,
			}, Content: "zebra", Text: "zebra"})
		}
		for _, level := range []models.Level{models.LevelFile, models.LevelAuto} {
			resp := ask(t, svc, search.Request{Query: test.query, Level: level, RepoFilter: "o/a"})
			var got []string
			for _, item := range resp.Items {
				got = append(got, text(item.FilePath))
			}
			if !slices.Equal(got, test.want) || resp.Items[0].Weak {
				t.Errorf("%s, level %s: %q, want %q", test.name, level, got, test.want)
			}
		}
	}
}

// At level symbol a project begins in what its files run.
func TestSearchWhatItRunsFirst(t *testing.T) {
	svc, st := newService(t)
	put(t, st, summaryOf("o/a"))
	for path, names := range map[string][]string{
		"cmd/b/main.go": {"usage", "main", "version"}, "a.go": {"New", "Serve"}, "c.go": {"begin"},
	} {
		put(t, st, models.Document{Header: models.Header{
			ID: models.FileID("o/a", path), Type: models.TypeFile, RepoID: "o/a", FilePath: path, StartLine: 1, EndLine: 90,
		}, Content: "zebra", Text: "zebra"})
		for i, name := range names {
			put(t, st, models.Document{Header: models.Header{
				ID: models.SymbolID("o/a", path, name, 1), Type: models.TypeSymbol, RepoID: "o/a", FilePath: path,
				SymbolName: name, QualifiedName: name, Kind: "func", StartLine: 10*i + 1, EndLine: 11*i + 3,
			}, Content: "begins", Text: "begins"})
		}
	}
	resp := ask(t, svc, search.Request{Query: "entry point of the server", Level: models.LevelSymbol, RepoFilter: "o/a"})
	var got []string
	for _, item := range resp.Items {
		got = append(got, *item.SymbolName)
	}
	if !slices.Equal(got, []string{"main", "Serve"}) {
		t.Errorf("a project begins with %q", got)
	}
}

// Of what begins somewhere the files are first that are run or loaded by their names.
func TestSearchWhereAPartBegins(t *testing.T) {
	svc, st := newService(t)
	for _, p := range []string{"client/cookies.ts", "client/index.ts", "server/index.ts"} {
		put(t, st, models.Document{Header: models.Header{
			ID: models.FileID("o/a", p), Type: models.TypeFile, RepoID: "o/a", FilePath: p, StartLine: 1, EndLine: 2,
		}, Content: "client", Text: "client library"})
	}
	resp := ask(t, svc, search.Request{Query: "entry point of the client cookies", RepoFilter: "o/a"})
	if got := text(resp.Items[0].FilePath); got != "client/index.ts" {
		t.Errorf("the client begins in %s", got)
	}
}

// A document about the architecture comes behind the README, which may be that of the
// folder with the project's name.
func TestSearchIntroduces(t *testing.T) {
	for _, test := range []struct {
		name    string
		without string
		with    []string
		want    []string
	}{
		{"the README", "", []string{"a/README.md"}, []string{"README.md"}},
		{"the architecture", "", []string{"docs/architecture.md", "src/ARCHITECTURE.md"}, []string{
			"README.md", "docs/architecture.md",
		}},
		{"the folder's", "README.md", []string{"b/README.md", "a/Readme.rst", "a/x/README.md"}, []string{"a/Readme.rst"}},
		{"what says something", "README.md", []string{"README.md", "a/README.md"}, []string{"README.md"}},
		{"none", "README.md", []string{"b/README.md"}, nil},
	} {
		svc, st := newService(t)
		put(t, st, summaryOf("o/a"))
		if test.without != "" {
			id := models.SectionID("o/a", test.without, "guide", 1)
			if err := st.Apply(t.Context(), store.Batch{Delete: []models.DocumentID{id}}); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range test.with {
			put(t, st, models.Document{Header: models.Header{
				ID: models.SectionID("o/a", p, "top", 1), Type: models.TypeDocument, RepoID: "o/a", FilePath: p,
				Language: "Markdown", StartLine: 1, EndLine: 2,
			}, Content: "zebra", Text: "zebra"})
		}
		resp := ask(t, svc, search.Request{Query: "How is this organised?", Level: models.LevelAuto, RepoFilter: "o/a"})
		var got []string
		for _, item := range resp.Items[1:] {
			got = append(got, text(item.FilePath))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v behind the summary, want %v", test.name, got, test.want)
		}
	}
}

// A store of which a partition does not answer when sections are looked for.
type halfRead struct{ *embedded.Store }

func (h halfRead) Search(ctx context.Context, req fts.Request) (fts.Result, error) {
	res, err := h.Store.Search(ctx, req)
	if len(res.Hits) > 0 && res.Hits[0].Type == models.TypeDocument {
		res.Failed, res.Partitions = 1, 4
	}
	return res, err
}

// Partitions that don't answer when a project is introduced are told of.
func TestSearchIntroducesInPart(t *testing.T) {
	_, st := newService(t)
	put(t, st, summaryOf("o/a"))
	svc := search.New(halfRead{st.(*embedded.Store)}, repositories{{RepoID: "o/a", State: models.StateFresh}},
		embedtest.New(dims))
	resp := ask(t, svc, search.Request{Query: "overview", Level: models.LevelAuto, RepoFilter: "o/a"})
	if len(resp.Meta.Warnings) != 1 || resp.Meta.Warnings[0].Code != "PARTIAL_RESULTS" {
		t.Errorf("warnings %v, want one PARTIAL_RESULTS", resp.Meta.Warnings)
	}
}

func summaryOf(repo models.RepoID) models.Document {
	return models.Document{Header: models.Header{
		ID: models.RepoDocID(repo), Type: models.TypeRepo, RepoID: repo,
	}, Content: "frames and requests", Text: "frames and requests"}
}

func put(t *testing.T, st store.Store, docs ...models.Document) {
	t.Helper()
	if err := st.Apply(t.Context(), store.Batch{Put: docs}); err != nil {
		t.Fatal(err)
	}
}
