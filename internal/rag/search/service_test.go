package search_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

const dims = 32

// repositories answers every filter with the ids that start with it.
type repositories []models.Repository

func (rs repositories) Match(_ context.Context, filter string) ([]models.Repository, error) {
	var out []models.Repository
	for _, r := range rs {
		if strings.HasPrefix(string(r.RepoID), strings.TrimSuffix(filter, "*")) {
			out = append(out, r)
		}
	}
	if out == nil {
		return nil, fault.New(fault.RepoNotFound, "no repository matches %q", filter)
	}
	return out, nil
}

// newService indexes 60 functions in 20 files of two repositories, a folder
// each, with one section of documentation a repository.
func newService(t *testing.T) (*search.Service, store.Store) {
	t.Helper()
	st, err := embedded.Open(t.Context(), t.TempDir(), embedded.Options{Dims: dims})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	var docs []models.Document
	for _, repo := range []models.RepoID{"o/a", "o/b"} {
		for f := range 10 {
			docs = append(docs, fileDocs(repo, f)...)
		}
		text := "guidelines for frames and requests"
		docs = append(docs, models.Document{Header: models.Header{
			ID: models.SectionID(repo, "README.md", "guide", 1), Type: models.TypeDocument, RepoID: repo, FilePath: "README.md",
			Language: "Markdown", StartLine: 1, EndLine: 4,
		}, Heading: "Guide", Content: text, Text: text})
	}
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
	return search.New(st, repositories{
		{RepoID: "o/a", State: models.StateFresh, Languages: []string{"C", "Go"}},
		{RepoID: "o/b", State: models.StateFresh, Languages: []string{"Go"}},
	}, embedtest.New(dims)), st
}

func fileDocs(repo models.RepoID, f int) []models.Document {
	file := fmt.Sprintf("src/p%d/file%d.go", f%3, f)
	h := models.Header{RepoID: repo, FilePath: file, Language: "Go", StartLine: 1, EndLine: 40}
	h.ID, h.Type = models.FileID(repo, file), models.TypeFile
	docs := []models.Document{{Header: h, Content: "file " + file, Text: "frames requests file " + path.Base(file)}}
	for i := range 3 {
		name := fmt.Sprintf("Frame%dOf%d", i, f)
		s := h
		s.ID, s.Type = models.SymbolID(repo, file, name, 1), models.TypeSymbol
		s.SymbolName, s.QualifiedName, s.Kind, s.StartLine, s.EndLine = name, name, "func", 10*i+1, 10*i+9
		text := "decodes frames of requests number " + strings.Repeat("x", f+1) + strings.Repeat(" ünïcode", 40)
		docs = append(docs, models.Document{Header: s, Content: text, Text: name + " " + text})
	}
	return docs
}

func inputs(docs []models.Document) []embed.Input {
	in := make([]embed.Input, len(docs))
	for i, d := range docs {
		in[i] = embed.Input{Text: d.Text, Name: d.SymbolName}
	}
	return in
}

func TestSearchPagesNeitherRepeatNorDrop(t *testing.T) {
	svc, _ := newService(t)
	for _, mode := range []string{search.ModeHybrid, search.ModeSemantic, search.ModeLexical} {
		t.Run(mode, func(t *testing.T) {
			want := ids(ask(t, svc, search.Request{Query: "frames of requests", Level: "symbol", Mode: mode, Limit: new(100)}))
			if len(want) != 60 {
				t.Fatalf("one page has %d results, want all 60", len(want))
			}
			var got []models.DocumentID
			cursor := ""
			for {
				resp := ask(t, svc, search.Request{
					Query: "frames of requests", Level: "symbol", Mode: mode, Limit: new(7),
					Cursor: cursor,
				})
				got = append(got, ids(resp)...)
				if len(resp.Meta.Warnings) > 0 {
					t.Errorf("warnings %v", resp.Meta.Warnings)
				}
				if cursor = resp.Meta.NextCursor; cursor == "" {
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("pages of 7 against one page (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSearchFilters(t *testing.T) {
	svc, _ := newService(t)
	for _, test := range []struct {
		name string
		req  search.Request
		want int // results among 60
	}{
		{"repository", search.Request{RepoFilter: "o/a"}, 30},
		{"repository glob", search.Request{RepoFilter: "o/*"}, 60},
		{"folder", search.Request{PathFilter: "src/p0"}, 24},
		{"folder with slash", search.Request{PathFilter: "src/p0/"}, 24},
		{"file", search.Request{PathFilter: "src/p0/file0.go"}, 6},
		{"glob", search.Request{PathFilter: "**/file[12].go"}, 12},
		{"glob of base names", search.Request{PathFilter: "file[12].go"}, 12},
		{"base name", search.Request{PathFilter: "file0.go"}, 6},
		{"alias of the language", search.Request{Language: "golang"}, 60},
		{"extension of the language", search.Request{Language: ".go"}, 60},
		{"language in other case", search.Request{Language: "gO"}, 60},
		{"other language", search.Request{Language: "Python"}, 0},
		{"together", search.Request{RepoFilter: "o/b", PathFilter: "src/p1/**", Language: "Go"}, 9},
	} {
		for _, mode := range []string{search.ModeHybrid, search.ModeSemantic, search.ModeLexical} {
			t.Run(test.name+"/"+mode, func(t *testing.T) {
				req := test.req
				req.Query, req.Level, req.Limit, req.Mode = "frames of requests", "symbol", new(100), mode
				resp := ask(t, svc, req)
				if len(resp.Items) != test.want {
					t.Errorf("%d results, want %d", len(resp.Items), test.want)
				}
				if test.want == 0 && resp.Meta.Message == nil {
					t.Error("a true zero has no message")
				}
			})
		}
	}
}

// A filter by which no file is left is named, with what would do.
func TestSearchSaysWhichFilterSelectsNothing(t *testing.T) {
	svc, _ := newService(t)
	for _, test := range []struct {
		name string
		req  search.Request
		says string
	}{
		{"path", search.Request{PathFilter: "*.py"}, `no indexed file of 2 repositories matches path_filter "*.py"`},
		{
			"path of one",
			search.Request{PathFilter: "lib", RepoFilter: "o/a"},
			`no indexed file of o/a matches path_filter "lib"`,
		},
		{"path in another folder", search.Request{PathFilter: "p1/*.go"}, `"**/p1/*.go" would match`},
		{"folder in another folder", search.Request{PathFilter: "p1"}, `"**/p1/**" would match`},
		{
			"language",
			search.Request{Language: "cobol"},
			"no indexed file of 2 repositories is in COBOL; what is indexed is in Go, C",
		},
		{
			"language of a path",
			search.Request{Language: "markdown", PathFilter: "src"},
			`is in Markdown and matches path_filter "src"`,
		},
		{"level", search.Request{Language: "md", Level: "file"}, "at level doc, not file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.req.Query = "frames of requests"
			resp := ask(t, svc, test.req)
			if len(resp.Items) != 0 || resp.Meta.Message == nil || !strings.Contains(*resp.Meta.Message, test.says) {
				t.Errorf("%d results, message %q; want none, and %q", len(resp.Items), text(resp.Meta.Message), test.says)
			}
		})
	}
}

func text(s *string) string {
	if s == nil {
		return "none"
	}
	return *s
}

func TestSearchFaults(t *testing.T) {
	svc, st := newService(t)
	other := ask(t, svc, search.Request{Query: "other frames", Level: "symbol"}).Meta.NextCursor
	broken := search.New(st, repositories{{RepoID: "o/a", State: models.StateFresh}}, failing{})
	for _, test := range []struct {
		name string
		svc  *search.Service
		req  search.Request
		want fault.Code
	}{
		{"no such repository", svc, search.Request{Query: "x", RepoFilter: "nope"}, fault.RepoNotFound},
		{"only white space", svc, search.Request{Query: " \t\n"}, fault.InvalidRequest},
		{"a path that leaves", svc, search.Request{Query: "x", PathFilter: "../x"}, fault.InvalidPath},
		{"an absolute path", svc, search.Request{Query: "x", PathFilter: "/etc"}, fault.InvalidPath},
		{"no such language", svc, search.Request{Query: "x", Language: "gopher"}, fault.InvalidRequest},
		{"bad glob", svc, search.Request{Query: "x", PathFilter: "a[b"}, fault.InvalidRequest},
		{
			"cursor of another request", svc,
			search.Request{Query: "frames", Level: "symbol", Cursor: other},
			fault.InvalidRequest,
		},
		{"no cursor at all", svc, search.Request{Query: "frames", Cursor: "!!"}, fault.InvalidRequest},
		{
			"semantic without embedder", broken,
			search.Request{Query: "frames", Mode: search.ModeSemantic},
			fault.EmbedderUnavailable,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := test.svc.Search(t.Context(), test.req); fault.CodeOf(err) != test.want {
				t.Errorf("Search = %v, want %s", err, test.want)
			}
		})
	}
}

type failing struct{}

func (failing) Queries(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("connection refused")
}

func TestSearchDegradesToWords(t *testing.T) {
	_, st := newService(t)
	resp := ask(t, search.New(st, repositories{{RepoID: "o/a", State: models.StateFresh}}, failing{}),
		search.Request{Query: "frames", Level: "symbol"})
	if len(resp.Items) == 0 || len(resp.Meta.Warnings) == 0 ||
		resp.Meta.Warnings[0].Code != string(fault.EmbedderUnavailable) {
		t.Errorf("%d results, warnings %v; want results by words and a warning", len(resp.Items), resp.Meta.Warnings)
	}
}

func TestSearchShapes(t *testing.T) {
	svc, _ := newService(t)
	resp := ask(t, svc, search.Request{
		Query: "Frame1Of4", Level: "symbol", RepoFilter: "o/a", Preview: true,
		Explain: true,
	})
	it := resp.Items[0]
	if *it.SymbolName != "Frame1Of4" || *it.FilePath != "src/p1/file4.go" || *it.StartLine != 11 || *it.EndLine != 19 {
		t.Errorf("first result = %+v, want the symbol that the query names", it)
	}
	if n := utf8.RuneCountInString(it.Content); n != 200 || !utf8.ValidString(it.Content) {
		t.Errorf("preview has %d characters, want 200", n)
	}
	if it.Explain["identifier"] == 0 || it.Explain["semantic"] == 0 {
		t.Errorf("explain = %v, want the parts of the score", it.Explain)
	}
	if resp.Meta.IndexStatus == nil || resp.Meta.IndexStatus.Repo != "o/a" {
		t.Errorf("index_status = %+v, want that of the one repository", resp.Meta.IndexStatus)
	}
}

// Words that occur nowhere are named, in a true zero or beside hits that are only
// the least unlike; those are marked. Hits of true questions are not.
func TestNonsenseIsWeak(t *testing.T) {
	svc, _ := newService(t)
	for _, test := range []struct {
		name  string
		req   search.Request
		items bool
		says  string // "" for hits that are not weak
	}{
		{"hybrid", search.Request{Query: "zzzzqqqq"}, true, `nothing that was searched has the word "zzzzqqqq"`},
		{
			"several words",
			search.Request{Query: "zzzzqqqq xxyyxx", Level: "file"},
			true,
			`nothing that was searched has any of the words "zzzzqqqq", "xxyyxx"`,
		},
		{"semantic", search.Request{Query: "zzzzqqqq", Mode: search.ModeSemantic}, true, "is like the query"},
		{"lexical", search.Request{Query: "zzzzqqqq", Mode: search.ModeLexical}, false, `has the word "zzzzqqqq"`},
		{"a question", search.Request{Query: "guidelines for frames and requests", Level: "doc"}, true, ""},
		{"a question of words", search.Request{Query: "decode frames of requests", Mode: search.ModeLexical}, true, ""},
		{"a name", search.Request{Query: "Frame1Of4"}, true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.req.Level == "" {
				test.req.Level = "symbol"
			}
			resp := ask(t, svc, test.req)
			if test.items != (len(resp.Items) > 0) || !strings.Contains(text(resp.Meta.Message), test.says) {
				t.Errorf("%d results, message %q; want %q", len(resp.Items), text(resp.Meta.Message), test.says)
			}
			for i, item := range resp.Items {
				if want := test.says != ""; item.Weak != want && (i == 0 || want) {
					t.Errorf("result %d is weak: %v, want %v", i, item.Weak, want)
				}
			}
		})
	}
}

// TestUnnamed: what has no such name doesn't look like what was asked for.
func TestUnnamed(t *testing.T) {
	svc, _ := newService(t)
	for _, level := range []models.Level{"symbol", "file"} {
		for query, says := range map[string]string{
			"Frame1Fo4":      `no symbol that was searched is called "Frame1Fo4"; called almost so: Frame1Of4`,
			"FrameBudgetOf4": `nothing that was searched has "FrameBudgetOf4"; what follows has parts of it`,
			"Frame1Of4":      "none",
			"frames":         "none",
		} {
			resp := ask(t, svc, search.Request{Query: query, Level: level})
			if got := text(resp.Meta.Message); len(resp.Items) == 0 || got != says {
				t.Errorf("%s at level %s: %d results, message %q; want %q", query, level, len(resp.Items), got, says)
			}
		}
	}
}

func TestSearchAuto(t *testing.T) {
	svc, _ := newService(t)
	for _, test := range []struct {
		query string
		want  models.Level
	}{
		{"Frame1Of4", models.LevelSymbol},
		{"what guidelines are there for frames", models.LevelDoc},
		{"how are frames decoded", models.LevelFile},
	} {
		t.Run(test.query, func(t *testing.T) {
			resp := ask(t, svc, search.Request{Query: test.query, Level: models.LevelAuto})
			if resp.Level != test.want || len(resp.Items) == 0 {
				t.Errorf("level %s with %d results, want %s", resp.Level, len(resp.Items), test.want)
			}
		})
	}
}

func TestSearchLeavesOutUnfinishedRepositories(t *testing.T) {
	_, st := newService(t)
	repos := repositories{{RepoID: "o/a", State: models.StateFresh}, {RepoID: "o/b", State: models.StateIndexing}}
	resp := ask(t, search.New(st, repos, embedtest.New(dims)),
		search.Request{Query: "frames", Level: "symbol", Limit: new(100)})
	for _, it := range resp.Items {
		if it.RepoID != "o/a" {
			t.Fatalf("result of %s, whose first run has not ended", it.RepoID)
		}
	}
	if len(resp.Items) != 30 || len(resp.Meta.Warnings) != 1 || resp.Meta.Warnings[0].Code != string(fault.IndexNotReady) {
		t.Errorf("%d results, warnings %v; want 30 and a warning for o/b", len(resp.Items), resp.Meta.Warnings)
	}
}

// The end of what matches is not the end of what was looked at.
func TestSearchTruncatedOnlyWhenMoreMatch(t *testing.T) {
	svc, _ := newService(t)
	for _, query := range []string{"frames of requests", "the !!"} {
		resp := ask(t, svc, search.Request{Query: query, Level: "symbol", PathFilter: "src/p0/file0.go", RepoFilter: "o/a"})
		if resp.Meta.Truncated || resp.Meta.NextCursor != "" {
			t.Errorf("%q: truncated with %d results, which are all", query, len(resp.Items))
		}
	}
}

// A store that ignores knn.filter returns other types; they are dropped.
type leaky struct{ *embedded.Store }

func (l leaky) Search(ctx context.Context, req fts.Request) (fts.Result, error) {
	res, err := l.Store.Search(ctx, req)
	for i := range res.Hits {
		if i%2 == 0 {
			res.Hits[i].Type = models.TypeFile
		}
	}
	res.Failed, res.Partitions = 1, 4
	return res, err
}

func TestSearchDropsOtherTypesAndTellsPartial(t *testing.T) {
	_, st := newService(t)
	svc := search.New(leaky{st.(*embedded.Store)}, repositories{{RepoID: "o/a", State: models.StateFresh}},
		embedtest.New(dims))
	resp := ask(t, svc, search.Request{Query: "frames", Level: "symbol", Limit: new(100)})
	for _, it := range resp.Items {
		if it.DocType != models.TypeSymbol {
			t.Fatalf("result %s of type %s at level symbol", it.DocumentID, it.DocType)
		}
	}
	if len(resp.Meta.Warnings) != 1 || resp.Meta.Warnings[0].Code != "PARTIAL_RESULTS" {
		t.Errorf("warnings = %v, want one PARTIAL_RESULTS", resp.Meta.Warnings)
	}
}

// A filter in a query is called as it stands there.
func TestQuerySaysWhichFilterSelectsNothing(t *testing.T) {
	svc, _ := newService(t)
	for _, test := range []struct {
		req  search.Request
		says string
	}{
		{search.Request{Query: "file:*.py frames"}, "no indexed file of 2 repositories matches file:*.py"},
		{search.Request{Query: "lang:md file:src frames"}, "is in Markdown and matches file:src"},
		{search.Request{Query: "lang:md frames", Level: "file"}, "lang: select are at level doc"},
		{search.Request{Query: "repo:o/a file:*.go xylophone", Mode: "lexical"}, "or leave out repo:, file:"},
		{search.Request{Query: "repo:o/a xylophone", PathFilter: "*.go", Mode: "lexical"}, "or leave out repo:, path_filter"},
	} {
		resp, err := svc.Query(t.Context(), test.req)
		if err != nil || len(resp.Items) != 0 || !strings.Contains(text(resp.Meta.Message), test.says) {
			t.Errorf("%s: %d results, %q, %v; want none, and %q", test.req.Query, len(resp.Items), text(resp.Meta.Message), err,
				test.says)
		}
	}
}

func ask(t *testing.T, svc *search.Service, req search.Request) search.Response {
	t.Helper()
	resp, err := svc.Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func ids(resp search.Response) []models.DocumentID {
	var out []models.DocumentID
	for _, it := range resp.Items {
		out = append(out, it.DocumentID)
	}
	return out
}

// A repository of no file is no place where a word is missing.
func TestSearchOfNoFileSaysSo(t *testing.T) {
	_, st := newService(t)
	svc := search.New(st, repositories{{RepoID: "o/empty", State: models.StateFresh}}, embedtest.New(dims))
	for _, query := range []string{"frames", "f"} {
		resp := ask(t, svc, search.Request{Query: query, RepoFilter: "o/empty"})
		want := "no file of o/empty is indexed; `ragnav coverage` says why"
		if len(resp.Items) != 0 || text(resp.Meta.Message) != want {
			t.Errorf("%s: %d results, message %q; want none, and %q", query, len(resp.Items), text(resp.Meta.Message), want)
		}
	}
}

// A field that is taken as words is told, and no code is.
func TestQueryTellsWhatMayBeAField(t *testing.T) {
	svc, _ := newService(t)
	for asked, want := range map[string]string{
		"path:src frames": "path:src was taken as words; to select write file:src",
		"std::frames(":    "",
	} {
		resp, err := svc.Query(t.Context(), search.Request{Query: asked})
		if err != nil || len(resp.Items) == 0 {
			t.Fatalf("%s: %d results, %v", asked, len(resp.Items), err)
		}
		got := ""
		for _, w := range resp.Meta.Warnings {
			if w.Code == "QUERY_WORDS" {
				got += w.Message
			}
		}
		if got != want {
			t.Errorf("%s: %q is told, want %q", asked, got, want)
		}
	}
}

func TestQueryTellsTheNearestKinds(t *testing.T) {
	svc, _ := newService(t)
	for asked, want := range map[string]string{
		"kind:enu":   "has kind:enu; the nearest kinds are enum",
		"kind:trait": "has kind:trait; leave it out",
	} {
		resp, err := svc.Query(t.Context(), search.Request{Query: asked})
		if err != nil || len(resp.Items) != 0 || !strings.Contains(text(resp.Meta.Message), want) {
			t.Errorf("%s: %d results, message %q, %v; want none, and %q", asked, len(resp.Items), text(resp.Meta.Message),
				err, want)
		}
	}
}
