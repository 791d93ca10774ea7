package web_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/web"
)

// evil is text that is no text in a page that forgets to escape it.
const evil = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`

// fake does operations over one repository with a few files.
type fake struct {
	op.Table

	files map[string]string

	searching sync.Mutex // a page searches several levels at once
	last      search.Request

	diff    string
	started []index.StartRequest
	removed []models.RepoID
}

func (f *fake) WatchJob(context.Context, index.JobRequest, func(index.Job)) (index.JobsResponse, error) {
	return index.JobsResponse{}, nil
}

func (f *fake) AskStream(ctx context.Context, req ask.Request, _ func(ask.Event)) (ask.Response, error) {
	return op.Ask.By(ctx, f, req)
}

func newFake(files map[string]string) *fake {
	f := &fake{files: files}
	op.Bind(&f.Table, op.Repos, func(context.Context, repos.Request) (repos.Response, error) {
		return repos.Response{Result: models.OKResult([]models.RepoInfo{{
			RepoID: "a/b", Languages: []string{"Go", evil}, FileCount: 1234, FreshnessState: models.Fresh,
			LastIndexedAt: new("2026-01-31T12:00:00Z"),
		}})}, nil
	})
	op.Bind(&f.Table, op.Search, f.search)
	op.Bind(&f.Table, op.File, f.file)
	op.Bind(&f.Table, op.Outline, func(_ context.Context, req outline.Request) (outline.Response, error) {
		item := models.OutlineItem{
			Symbol: evil, Qualified: "T." + evil, Kind: "method", Signature: evil, Line: 2, EndLine: 3,
			Depth: 1,
		}
		if strings.HasSuffix(req.FilePath, ".md") {
			item = models.OutlineItem{Symbol: "Use", Qualified: "use", Kind: "section", Line: 1, EndLine: 3}
		}
		if req.Commit == oldCommit {
			item.Symbol = "Since"
		}
		return outline.Response{Result: models.OKResult([]models.OutlineItem{item})}, nil
	})
	op.Bind(&f.Table, op.Structure, func(_ context.Context, req structure.Request) (structure.Response, error) {
		if strings.HasPrefix(string(req.RepoID), "nope") {
			return structure.Response{}, fault.New(fault.RepoNotFound, "no repository %q", req.RepoID)
		}
		if req.Path != "" && !strings.HasPrefix(req.Path, "dir") {
			return structure.Response{}, fault.New(fault.PathNotFound, "no folder %q", req.Path)
		}
		if req.Commit == "1111111" {
			return structure.Response{}, fault.New(fault.InvalidRequest, "no commit %q", req.Commit)
		}
		info := models.StructureInfo{
			Commit: req.Commit,
			RepoID: req.RepoID, Path: req.Path, Directories: []string{"dir/"},
			KeyFiles: map[string]string{"readme": "README.md"}, Summary: new(evil),
		}
		for name := range f.files {
			info.Files = append(info.Files, models.FileInfo{Name: name, Path: name, Language: "Go", LineCount: 1000})
		}
		resp := structure.Response{Result: models.OKResult([]models.StructureInfo{info})}
		if req.Path == "dir/submodule" {
			resp.Items[0] = models.StructureInfo{RepoID: req.RepoID, Path: req.Path}
			resp.Meta.Message = new("the folder is empty: a submodule that is not checked out")
		}
		if req.Commit == oldCommit {
			resp.Meta.FreshnessState = models.Stale
		}
		return resp, nil
	})
	op.Bind(&f.Table, op.NavSearch, func(_ context.Context, req nav.SearchRequest) (nav.SearchResponse, error) {
		resp := nav.SearchResponse{Result: models.OKResult([]models.NavItem{})}
		for _, name := range slices.Sorted(maps.Keys(f.files)) {
			if regexp.MustCompile("(?i)" + req.Query).MatchString(name) {
				resp.Items = append(resp.Items, models.NavItem{RepoID: "a/b", FilePath: name})
			}
		}
		return resp, nil
	})
	f.bindMore()
	op.Bind(&f.Table, op.WhereUsed, func(_ context.Context, req nav.WhereUsedRequest) (nav.WhereUsedResponse, error) {
		if req.File != "" {
			return nav.WhereUsedResponse{}, fault.New(fault.SymbolNotFound, "%q is not defined there", req.Symbol)
		}
		item := models.NavItem{
			FilePath: "x.go", Line: 2, Symbol: evil, Edge: "calls",
			Snippet: models.Snippet{
				Text:     "a\n\t" + evil + "\nc",
				Location: models.SnippetLocation{Path: "x.go", StartLine: 1, EndLine: 3},
			},
		}
		return nav.WhereUsedResponse{Result: models.OKResult([]models.NavItem{item}), Symbol: req.Symbol}, nil
	})
	return f
}

func (f *fake) bindMore() {
	op.Bind(&f.Table, op.Ask, func(_ context.Context, req ask.Request) (ask.Response, error) {
		if req.Query == "fail" {
			return ask.Response{}, fault.New(fault.LLMUnavailable, "%s", evil)
		}
		answer := models.Answer{
			Answer:    "It is `[1]` so [1], not [2].\n\n" + evil + "\n\n[out](https://example.org/leak) [file](x.go)",
			Citations: []models.Citation{{N: 1, RepoID: "a/b", FilePath: "x.go", StartLine: 1, EndLine: 2, Verified: true}},
			Gaps:      []string{evil}, Steps: []models.Step{{Operation: "search", Detail: evil, Items: 3}},
		}
		return ask.Response{Result: models.OKResult([]models.Answer{answer}), Query: req.Query}, nil
	})
	op.Bind(&f.Table, op.Jobs, func(context.Context, index.JobsRequest) (index.JobsResponse, error) {
		return index.JobsResponse{Result: models.OKResult([]index.Job{
			{ID: "j1", RepoID: "a/b", Target: evil, State: index.JobParsing, Total: 200, Done: 100, ETASeconds: 61, Rate: 10},
			{ID: "j2", Target: "https://x", State: index.JobFailed, Error: new(evil)},
		})}, nil
	})
	op.Bind(&f.Table, op.StartIndex, func(_ context.Context, req index.StartRequest) (index.JobsResponse, error) {
		f.started = append(f.started, req)
		return index.JobsResponse{}, nil
	})
	op.Bind(&f.Table, op.CancelJob, func(_ context.Context, req index.JobRequest) (index.JobsResponse, error) {
		return index.JobsResponse{}, fault.New(fault.JobNotFound, "no job %s", req.ID)
	})
	op.Bind(&f.Table, op.Remove, func(_ context.Context, req index.RemoveRequest) (index.RemoveResponse, error) {
		f.removed = append(f.removed, req.RepoID)
		return index.RemoveResponse{}, nil
	})
	op.Bind(&f.Table, op.PreviewIndex, func(_ context.Context, req index.StartRequest) (index.PreviewResponse, error) {
		item := index.PreviewItem{
			RepoID:       "a/b",
			CoverageItem: index.CoverageItem{FilePath: evil, Reason: models.SkipBinary, Detail: evil, Size: 2048},
		}
		return index.PreviewResponse{
			Result: models.OKResult([]index.PreviewItem{item}),
			Repositories: []index.Previewed{{
				RepoID: "a/b", Target: req.Targets[0], Indexed: 3,
				Skipped: map[models.SkipReason]int{models.SkipBinary: 2},
			}},
		}, nil
	})
	op.Bind(&f.Table, op.Coverage, func(_ context.Context, req index.CoverageRequest) (index.CoverageResponse, error) {
		items := []index.CoverageItem{
			{FilePath: evil, Reason: models.SkipSecret, Detail: evil, Language: "Go", Size: 100},
			{FilePath: "b", Language: "C", Size: 300},
		}
		resp := index.CoverageResponse{
			Result: models.OKResult(items), Indexed: 2,
			Skipped: map[models.SkipReason]int{models.SkipSecret: 1},
		}
		resp.Meta.IndexStatus = &models.IndexStatus{LastError: new("the last run was interrupted")}
		return resp, nil
	})
	op.Bind(&f.Table, op.NavStatus, func(_ context.Context, req nav.StatusRequest) (nav.StatusResponse, error) {
		status := models.NavStatus{
			RepoID: req.RepoID, Reason: evil, Graph: &models.GraphInfo{Symbols: 7, Edges: 9},
			Changes: &models.NavChanges{
				Changed: 2, Files: []string{evil},
				Since: map[string]string{evil: "2026-01-31T12:00:00Z"},
			},
		}
		if req.Modules {
			status.Modules, status.DependsOn, status.Dependents = []string{"go:" + evil}, []models.RepoID{"c/low"},
				[]models.RepoID{"c/-/high"}
		}
		return nav.StatusResponse{Result: models.OKResult([]models.NavStatus{status})}, nil
	})
	op.Bind(&f.Table, op.Map, func(_ context.Context, req nav.MapRequest) (nav.MapResponse, error) {
		uses := func(folder string, n int) models.FolderUse { return models.FolderUse{Path: folder, Uses: n} }
		return nav.MapResponse{Result: models.OKResult([]models.RepoMap{{
			RepoID: req.RepoID,
			Folders: []models.MapFolder{
				{Path: ".", Files: 1, UsesOf: []models.FolderUse{uses("dir", 3), uses("dir/low", 1)}},
				{Path: "dir", Purpose: evil, Files: 1, UsesOf: []models.FolderUse{uses("dir/low", 9), uses(".", 2)}},
				{Path: "dir/low", Files: 1, UsesOf: []models.FolderUse{uses("dir", 1)}},
				{Path: "alone", Files: 1},
			},
			EntryPoints: []string{"x.go"},
			Symbols:     []models.MapSymbol{{FilePath: "x.go", Line: 3, Symbol: evil, Signature: evil, Uses: 7}},
		}})}, nil
	})
	op.Bind(&f.Table, op.Impact, func(_ context.Context, req nav.ImpactRequest) (nav.ImpactResponse, error) {
		f.diff = req.Diff
		item := models.ImpactItem{
			Change: "removed", Symbol: evil, Kind: "func", FilePath: "x.go", Line: 3, Total: 60,
			Affected: []models.Affected{{
				RepoID: req.RepoID, FilePath: "x.go", Line: 1, Symbol: req.Diff, Depth: 1,
				Edge: "calls", Test: true,
			}},
		}
		return nav.ImpactResponse{
			Result: models.OKResult([]models.ImpactItem{item}),
			Tests:  []models.TestToRun{{FilePath: "x.go", Symbol: evil}}, Commands: []string{"go test " + evil},
		}, nil
	})
	op.Bind(&f.Table, op.Lineage, func(_ context.Context, req nav.LineageRequest) (nav.LineageResponse, error) {
		far := models.NavItem{
			FilePath: "x.go", Line: 2, Symbol: evil, Edge: "calls", Depth: 2,
			Path: []string{"x.go:A", "x.go:" + req.Direction, evil + ":" + evil}, Test: true,
		}
		near := models.NavItem{FilePath: "x.go", Line: 1, Symbol: "B", Edge: "calls", Depth: 1, Path: far.Path[:2]}
		return nav.LineageResponse{
			Result:      models.OKResult([]models.NavItem{near, far}),
			Definitions: []models.Definition{{ID: "x.go:A", FilePath: "x.go", Line: 1}},
		}, nil
	})
	op.Bind(&f.Table, op.Definition, func(_ context.Context, req nav.DefinitionRequest) (nav.DefinitionResponse, error) {
		return nav.DefinitionResponse{Result: models.OKResult([]models.DefinitionItem{{
			RepoID: "a/b", FilePath: "x.go", Line: 3, EndLine: 3, Symbol: evil, Kind: "var", Signature: evil, Doc: evil,
			Confidence: 0.9, Tier: "C",
		}, {Symbol: "Println", External: "std@go1.26"}})}, nil
	})
}

func (f *fake) search(_ context.Context, req search.Request) (search.Response, error) {
	if _, err := query.Parse(req.Query); err != nil {
		return search.Response{}, err
	}
	if *req.Limit > 1 {
		f.searching.Lock()
		f.last = req
		f.searching.Unlock()
	}
	hit := models.SearchResult{
		DocType: models.TypeSymbol, RepoID: "a/b", FilePath: new("x.go"), SymbolName: new(evil), Language: "Go",
		Content: evil,
		Score:   1.5, StartLine: new(1), EndLine: new(3), Weak: true, Freshness: models.Stale,
		Explain: map[string]float64{"lexical": 1, "penalty": 0.5},
		Kind:    "func", Container: evil,
		Lines: []models.MatchLine{{Line: 1, Text: "// Ä package x", Matches: [][2]int{{5, 12}}}, {Line: 3, Text: evil}},
	}
	items := []models.SearchResult{
		hit, hit,
		{DocType: models.TypeModule, RepoID: "a/b", FilePath: new("."), Content: evil},
	}
	resp := search.Response{Result: models.OKResult(items), Query: req.Query, Level: models.LevelSymbol}
	resp.Meta.Message, resp.Meta.Total, resp.Meta.TotalAtLeast, resp.Meta.NextCursor = new(evil), new(41), true, "next"
	resp.Meta.Warnings = []models.Warning{{Code: "X", Message: evil}}
	return resp, nil
}

// The commits of the fake: the one that is indexed, with the files as they are,
// and one from which all have changed.
const indexedCommit, oldCommit = "0123456789abcdef", "fedcba9876543210"

func (f *fake) file(_ context.Context, req filefetch.Request) (filefetch.Response, error) {
	commit, freshness := "", models.Freshness("")
	switch req.Commit {
	case "":
	case indexedCommit, indexedCommit[:7]:
		commit = indexedCommit
	case oldCommit:
		commit, freshness = oldCommit, models.Stale
	default:
		return filefetch.Response{}, fault.New(fault.InvalidRequest, "no commit %q", req.Commit)
	}
	if req.Picture {
		item := models.FileContent{
			RepoID: req.RepoID, FilePath: req.FilePath, Commit: commit,
			Picture: &models.Picture{Media: "image/png", Data: []byte("PNG")},
		}
		return filefetch.Response{Result: models.OKResult([]models.FileContent{item})}, nil
	}
	if strings.HasPrefix(string(req.RepoID), "nope") {
		return filefetch.Response{}, fault.New(fault.RepoNotFound, "no repository %q", req.RepoID)
	}
	spans := req.Spans
	if len(spans) == 0 {
		spans = []filefetch.Span{{FilePath: req.FilePath, StartLine: req.StartLine, EndLine: req.EndLine}}
	}
	var items []models.FileContent
	for _, s := range spans {
		text, ok := f.files[s.FilePath]
		switch {
		case s.FilePath == "dir":
			return filefetch.Response{}, fault.New(fault.InvalidPath, "%q is a folder", s.FilePath)
		case s.FilePath == "dir/bin":
			return filefetch.Response{}, fault.New(fault.BinaryFile, "%q is not text", s.FilePath)
		case !ok:
			return filefetch.Response{}, fault.New(fault.PathNotFound, "no file %q", s.FilePath)
		}
		lines := strings.SplitAfter(text, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		start, end := 1, len(lines)
		if s.StartLine != nil {
			start = *s.StartLine
		}
		if s.EndLine != nil {
			end = min(end, *s.EndLine)
		}
		if start > max(1, len(lines)) {
			return filefetch.Response{}, fault.New(fault.LineOutOfRange, "%q has %d lines", s.FilePath, len(lines))
		}
		items = append(items, models.FileContent{
			RepoID: req.RepoID, FilePath: s.FilePath, Code: strings.Join(lines[start-1:end], ""), StartLine: start, EndLine: end,
			TotalLines: len(lines), Language: "Go", Commit: commit, Freshness: freshness,
		})
	}
	resp := filefetch.Response{Result: models.OKResult(items)}
	resp.Meta.IndexStatus = &models.IndexStatus{LastIndexedCommit: new(indexedCommit)}
	return resp, nil
}

var fewFiles = map[string]string{
	"x.go": "package x\n\nvar a = `" + evil + "` // " + evil + "\n",
	"README.md": "# Use\n\n" + evil +
		"\n\n[go](x.go#L3) ![p](p.png) [up](../../x) [js](javascript:alert(1)) <javascript:alert(1)>\n\n|a|b|\n|:-|-:|\n" +
		"|1|2|\n",
}

// A page is a reply, parsed.
type page struct {
	*httptest.ResponseRecorder

	doc  *html.Node
	text string // of the page
}

func open(t testing.TB, s http.Handler, address string) page {
	t.Helper()
	address, _, _ = strings.Cut(address, "#") // browsers don't send that
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody))
	doc, err := html.Parse(strings.NewReader(w.Body.String()))
	if err != nil {
		t.Fatal(err)
	}
	return page{w, doc, textOf(doc)}
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// all lists the elements of a name.
func (p page) all(name string) []*html.Node {
	var found []*html.Node
	for d := range p.doc.Descendants() {
		if d.Type == html.ElementNode && d.Data == name {
			found = append(found, d)
		}
	}
	return found
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// links are the addresses that a page leads to, by text.
func (p page) links() map[string]string {
	all := map[string]string{}
	for _, a := range p.all("a") {
		all[strings.Join(strings.Fields(textOf(a)), " ")] = attr(a, "href")
	}
	return all
}

func newSite(files map[string]string) (*web.Site, *fake) {
	f := newFake(files)
	checks := func(context.Context) []models.Check {
		return []models.Check{{Name: "store", OK: true, Degraded: true, Message: evil}}
	}
	hour := func(now time.Time) []models.Minute {
		return []models.Minute{
			{Begin: now},
			{Begin: now, Requests: 4, Errors: 1, Took: 80 * time.Millisecond, Slowest: 50 * time.Millisecond},
		}
	}
	return web.New(web.Options{Ops: f, Ready: checks, Traffic: hour}), f
}
