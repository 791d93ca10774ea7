package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/golden"
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/httpapi/apitest"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/web"
)

// deps is an API over operations that each answer with one fixed item.
func deps() httpapi.Deps {
	return httpapi.Deps{
		Log: zap.NewNop(), Timeout: time.Minute, Ops: operations(),
		Ready: func(context.Context) []models.Check {
			return []models.Check{{Name: "store", OK: true, Message: "1 repository"}}
		},
		Pages:   pages(),
		Version: models.Version{Version: "v0.1.0", GoVersion: "go1.26.0", Embedder: "builtin/test", SchemaVersion: 1},
	}
}

func pages() []httpapi.Page {
	site := web.New(web.Options{Ops: operations()})
	var pages []httpapi.Page
	for _, r := range site.Routes() {
		pages = append(pages, httpapi.Page{Method: r.Method, Path: r.Path, Slow: r.Slow, Handler: site})
	}
	return pages
}

// fake implements op.Backend by functions.
type fake struct {
	op.Table

	watch func(context.Context, index.JobRequest, func(index.Job)) (index.JobsResponse, error)
	ask   func(context.Context, ask.Request, func(ask.Event)) (ask.Response, error)
}

// AskStream implements op.Backend.
func (f *fake) AskStream(ctx context.Context, req ask.Request, on func(ask.Event)) (ask.Response, error) {
	if f.ask != nil {
		return f.ask(ctx, req, on)
	}
	resp, err := op.Ask.By(ctx, f, req)
	on(ask.Event{Plan: &ask.Plan{Model: "m", Level: models.LevelFile, Steps: 8, Calls: 24, Tokens: 40000}})
	on(ask.Event{ToolCall: &ask.ToolCall{ID: "1", Name: "search_code", Arguments: []byte(`{"query":"a < b"}`)}})
	on(ask.Event{ToolResult: &ask.ToolResult{ID: "1", Name: "search_code", Head: "OK", Items: 1, TookMS: 1.5}})
	on(ask.Event{Citation: &resp.Items[0].Citations[0]})
	on(ask.Event{Delta: &ask.Delta{Text: "It does"}})
	on(ask.Event{Delta: &ask.Delta{Text: " [1]."}})
	on(ask.Event{Usage: &models.Usage{Model: "m", PromptTokens: 9, CompletionTokens: 4}})
	on(ask.Event{Warning: &models.Warning{Code: "CITATIONS_DROPPED", Message: "one"}})
	return resp, err
}

// WatchJob implements op.Backend.
func (f *fake) WatchJob(ctx context.Context, req index.JobRequest, progress func(index.Job)) (index.JobsResponse,
	error,
) {
	return f.watch(ctx, req, progress)
}

// bind has f do an operation of an API with a fake.
func bind[Req, Resp any](d httpapi.Deps, o op.Op[Req, Resp], f func(context.Context, Req) (Resp, error)) {
	op.Bind(&d.Ops.(*fake).Table, o, f)
}

func operations() *fake {
	f := &fake{watch: func(_ context.Context, _ index.JobRequest, progress func(index.Job)) (index.JobsResponse, error) {
		resp := jobs()
		progress(resp.Items[0])
		resp.Items[0].State, resp.Items[0].Done, resp.Items[0].ETASeconds = index.JobDone, 4, 0
		return resp, nil
	}}
	readOperations(&f.Table)
	indexOperations(&f.Table)
	navOperations(&f.Table)
	return f
}

// used is a place in a file with all that a place may have.
func used() models.NavItem {
	return models.NavItem{
		RepoID: "a/b", FilePath: "x.go", Line: 3, Column: 2, Symbol: "Use", Kind: "func", Edge: "calls", Confidence: 0.99,
		Tier:       "C",
		Definition: "t.go:T.M", Candidates: []string{"t.go:T.M", "u.go:U.M"}, Depth: 1,
		Path: []string{"t.go:T.M", "x.go:Use"}, Hub: true,
		Sites: []models.Site{{FilePath: "x.go", Line: 3, Column: 2}, {FilePath: "x.go", Line: 4, Column: 2}}, Test: true,
		Freshness: models.Stale, Source: models.SourceFallback,
		Snippet: models.Snippet{Text: "\tt.M()", Location: models.SnippetLocation{Path: "x.go", StartLine: 3, EndLine: 3}},
	}
}

func mapped(id models.RepoID) models.RepoMap {
	return models.RepoMap{
		RepoID: id, Path: "x", Folders: []models.MapFolder{{Path: "x", Purpose: "Package x is.", Files: 2}},
		Symbols:     []models.MapSymbol{{FilePath: "x/x.go", Line: 3, Symbol: "F", Signature: "func F()", Uses: 7}},
		EntryPoints: []string{"main.go"}, Commands: []string{"make test"},
	}
}

func navOperations(t *op.Table) {
	items := models.OKResult([]models.NavItem{used()})
	defined := []models.Definition{{
		ID: "t.go:T.M", FilePath: "t.go", Line: 5, EndLine: 6, Name: "M", Qualified: "T.M",
		Kind: "method", Signature: "func (T) M()", Doc: "M is one.", Uses: new(1), Tests: 1,
	}}
	info := models.GraphInfo{
		RepoID: "a/b", Files: 2, Symbols: 3, Edges: 4, BuiltAt: "2026-01-31T12:00:00Z",
		Commit: "e5b3307", JSON: ".llmc/rag_graph.json", Bytes: 9,
	}
	op.Bind(t, op.NavSearch, func(_ context.Context, req nav.SearchRequest) (nav.SearchResponse, error) {
		return nav.SearchResponse{
			Result: items, Query: req.Query, Files: []models.FileMatches{{RepoID: "a/b", FilePath: "x.go", Matches: 1}},
			FileCount: 1,
			Repositories: []models.RepoMatches{{
				RepoID: "a/b", Matches: 1, AtLeast: true, Freshness: models.Fresh,
				Source: models.SourceGraph,
			}},
		}, nil
	})
	op.Bind(t, op.WhereUsed, func(_ context.Context, req nav.WhereUsedRequest) (nav.WhereUsedResponse, error) {
		return nav.WhereUsedResponse{Result: items, Symbol: req.Symbol, Definitions: defined}, nil
	})
	op.Bind(t, op.Lineage, func(_ context.Context, req nav.LineageRequest) (nav.LineageResponse, error) {
		return nav.LineageResponse{Result: items, Symbol: req.Symbol, Direction: "upstream", Definitions: defined}, nil
	})
	op.Bind(t, op.Definition, func(_ context.Context, req nav.DefinitionRequest) (nav.DefinitionResponse, error) {
		return nav.DefinitionResponse{Symbol: "M", Result: models.OKResult([]models.DefinitionItem{{
			RepoID: req.RepoID, FilePath: "t.go", Line: 5, EndLine: 6, Column: 12, Symbol: "T.M", Kind: "method",
			Signature: "func (T) M()", Doc: "M is one.",
			Tier: "C", Confidence: 0.99, External: "example.com/t", Freshness: models.Stale,
		}})}, nil
	})
	op.Bind(t, op.Implementations,
		func(_ context.Context, req nav.ImplementationsRequest) (nav.ImplementationsResponse, error) {
			return nav.ImplementationsResponse{Result: items, Symbol: req.Symbol, Direction: "down", Definitions: defined}, nil
		})
	op.Bind(t, op.Impact, func(_ context.Context, req nav.ImpactRequest) (nav.ImpactResponse, error) {
		return nav.ImpactResponse{
			Result: models.OKResult([]models.ImpactItem{{
				Change: "signature", Symbol: "T.M", Kind: "method", FilePath: "t.go", Line: 5, Exported: true, Total: 1,
				Affected: []models.Affected{{
					RepoID: req.RepoID, FilePath: "x_test.go", Line: 3, Symbol: "TestM", Depth: 1,
					Edge: "calls", Test: true,
				}},
			}}),
			Tests:      []models.TestToRun{{FilePath: "x_test.go", Symbol: "TestM", Depth: 1, Tier: "B"}},
			TestsTotal: 1,
			Commands:   []string{"go test ./ -run '^(TestM)$'"},
		}, nil
	})
	op.Bind(t, op.Map, func(_ context.Context, req nav.MapRequest) (nav.MapResponse, error) {
		return nav.MapResponse{Result: models.OKResult([]models.RepoMap{mapped(req.RepoID)})}, nil
	})
	op.Bind(t, op.NavStatus, func(_ context.Context, req nav.StatusRequest) (nav.StatusResponse, error) {
		return nav.StatusResponse{Result: models.OKResult([]models.NavStatus{{
			RepoID: req.RepoID, Freshness: models.Stale, Reason: "HEAD moved", Head: "e5b3307", Graph: &info,
			Answers: models.SourceGraph,
			Changes: &models.NavChanges{Changed: 1, Files: []string{"x.go"}},
		}})}, nil
	})
	op.Bind(t, op.BuildGraph, func(context.Context, nav.BuildRequest) (nav.BuildResponse, error) {
		return nav.BuildResponse{Result: models.OKResult([]models.GraphInfo{info})}, nil
	})
}

func readOperations(t *op.Table) {
	op.Bind(t, op.Repos, func(context.Context, repos.Request) (repos.Response, error) {
		return repos.Response{Result: models.OKResult([]models.RepoInfo{{
			RepoID: "a/b", DocCount: 3, Languages: []string{"Go"}, FileCount: 2, FreshnessState: models.Unknown,
			LastIndexedAt: new("2026-01-31T12:00:00Z"),
		}})}, nil
	})
	op.Bind(t, op.Structure, func(_ context.Context, req structure.Request) (structure.Response, error) {
		return structure.Response{Result: models.OKResult([]models.StructureInfo{{
			RepoID: "a/b", Path: req.Path, Directories: []string{"cmd/"}, KeyFiles: map[string]string{"readme": "README.md"},
			Files: []models.FileInfo{{Name: "go.mod", Path: "go.mod", Language: "Go Module", LineCount: 3, HasSummary: true}},
		}})}, nil
	})
	op.Bind(t, op.Search, found)
	op.Bind(t, op.File, func(_ context.Context, req filefetch.Request) (filefetch.Response, error) {
		return filefetch.Response{Result: models.OKResult([]models.FileContent{{
			RepoID: "a/b", FilePath: req.FilePath, Code: "if a < b && b > c {\n", StartLine: 1, EndLine: 1, TotalLines: 1,
			Language: "Go",
		}})}, nil
	})
	op.Bind(t, op.Outline, func(_ context.Context, req outline.Request) (outline.Response, error) {
		item := models.OutlineItem{
			Symbol: "F", Qualified: "F", Kind: "func", Signature: "func F()", Line: 1, EndLine: 2,
			Exported: true,
		}
		return outline.Response{
			Result: models.OKResult([]models.OutlineItem{item}), RepoID: "a/b", FilePath: req.FilePath,
			Language: "Go", TotalLines: 2,
		}, nil
	})
	op.Bind(t, op.Ask, func(_ context.Context, req ask.Request) (ask.Response, error) {
		return ask.Response{Query: req.Query, Result: models.OKResult([]models.Answer{{
			Answer:    "It does [1].",
			Citations: []models.Citation{{N: 1, RepoID: "a/b", FilePath: "x.go", StartLine: 1, EndLine: 2, Verified: true}},
			Gaps:      []string{}, Confidence: 1, LevelsSearched: []models.Level{models.LevelFile},
			Steps: []models.Step{{Operation: "search_code", Detail: "level file", Items: 1}},
		}})}, nil
	})
}

func indexOperations(t *op.Table) {
	job := func(context.Context, index.JobRequest) (index.JobsResponse, error) { return jobs(), nil }
	op.Bind(t, op.Remove, func(context.Context, index.RemoveRequest) (index.RemoveResponse, error) {
		return index.RemoveResponse{Result: models.OKResult([]index.Removed{{RepoID: "a/b", Documents: 3}})}, nil
	})
	op.Bind(t, op.StartIndex, func(context.Context, index.StartRequest) (index.JobsResponse, error) { return jobs(), nil })
	op.Bind(t, op.PreviewIndex, func(_ context.Context, req index.StartRequest) (index.PreviewResponse, error) {
		item := index.CoverageItem{
			FilePath: "x.go", Indexed: true, Language: "Go", Method: "go/parser", Size: 99,
			Documents: 2,
		}
		ignored := index.CoverageItem{
			FilePath: "build/", Reason: models.SkipIgnored,
			Detail: `rule "build/" in .gitignore line 3`,
		}
		return index.PreviewResponse{
			Result: models.OKResult([]index.PreviewItem{
				{RepoID: "a/b", CoverageItem: item, Changed: true, Tokens: 25},
				{RepoID: "a/b", CoverageItem: ignored},
			}),
			Repositories: []index.Previewed{{
				RepoID: "a/b", Target: req.Targets[0], Commit: "e5b3307", Indexed: 1,
				Skipped: map[models.SkipReason]int{models.SkipIgnored: 1},
				Changed: 1, Bytes: 99, Documents: 2, Tokens: 25,
			}},
		}, nil
	})
	op.Bind(t, op.Jobs, func(context.Context, index.JobsRequest) (index.JobsResponse, error) { return jobs(), nil })
	op.Bind(t, op.Job, job)
	op.Bind(t, op.CancelJob, job)
	op.Bind(t, op.Coverage, func(context.Context, index.CoverageRequest) (index.CoverageResponse, error) {
		return index.CoverageResponse{
			Indexed: 1, Skipped: map[models.SkipReason]int{models.SkipBinary: 1},
			Result: models.OKResult(
				[]index.CoverageItem{{FilePath: "logo.png", Reason: models.SkipBinary, Detail: "image/png", Size: 9}}),
		}, nil
	})
}

func found(_ context.Context, req search.Request) (search.Response, error) {
	return search.Response{Query: req.Query, Level: models.LevelSymbol, Result: models.OKResult([]models.SearchResult{{
		DocumentID: "symbol:a/b:x.go:F", DocType: models.TypeSymbol, RepoID: "a/b", FilePath: new("x.go"),
		SymbolName: new("F"),
		Language:   "Go", Content: "func F()", Score: 0.5, ParentID: new(models.DocumentID("file:a/b:x.go")),
		ChildrenIDs: []models.DocumentID{}, StartLine: new(1), EndLine: new(2),
	}})}, nil
}

func jobs() index.JobsResponse {
	return index.JobsResponse{Result: models.OKResult([]index.Job{{
		ID: "j1", RepoID: "a/b", Target: "/src/b", State: index.JobParsing, Total: 4, Done: 2, Rate: 8, ETASeconds: 0.25,
		StartedAt: new(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)),
	}})}
}

// A request is one call of the API. POSTs are JSON unless header says otherwise.
type request struct {
	method, path, body string
	header             map[string]string
	host               string // default localhost
	chunked            bool   // the body's length is not announced
}

// do sends a request and compares the reply with the API document.
func do(t *testing.T, d httpapi.Deps, req request) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), req.method, req.path, strings.NewReader(req.body))
	r.Host = "localhost:8080"
	if req.host != "" {
		r.Host = req.host
	}
	if req.method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("X-Request-Id", "test")
	for name, v := range req.header {
		r.Header.Set(name, v)
	}
	if req.chunked {
		r.ContentLength = -1
	}
	w := httptest.NewRecorder()
	httpapi.New(d).ServeHTTP(w, r)
	if req.method != http.MethodHead && w.Header().Get("Content-Type") == "application/json" {
		apitest.Check(t, req.method, r.URL.EscapedPath(), w.Code, w.Body.Bytes())
	}
	return w
}

var took = regexp.MustCompile(`"(took_ms|created)":[0-9.]+`)

// compare compares a reply with testdata/NAME.golden; -update rewrites the file.
func compare(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	got := http.StatusText(w.Code) + "\n" + took.ReplaceAllString(w.Body.String(), `"$1":0`)
	golden.File(t, filepath.Join("testdata", filepath.FromSlash(t.Name())+".golden"), got)
}
