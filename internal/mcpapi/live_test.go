package mcpapi_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/mcpapi"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// indexing is a repository whose first index is there once its job was looked
// at so often; never with 0.
func indexing(looks int32, job jobs.Job, lines ...models.NavItem) *op.Table {
	t, looked := operations(), new(atomic.Int32)
	ready := func() bool { return looks > 0 && looked.Load() >= looks }
	op.Bind(t, op.Jobs, func(context.Context, index.JobsRequest) (index.JobsResponse, error) {
		looked.Add(1)
		job := job
		if ready() {
			job.FinishedAt = new(time.Now())
		}
		return index.JobsResponse{Result: models.OKResult([]jobs.Job{job})}, nil
	})
	op.Bind(t, op.Search, func(context.Context, search.Request) (search.Response, error) {
		if !ready() {
			return search.Response{}, fault.New(fault.IndexNotReady, "nothing is indexed yet")
		}
		return search.Response{Result: models.OKResult([]models.SearchResult{{RepoID: "o/r", FilePath: new("hit.go")}})}, nil
	})
	op.Bind(t, op.Ask, func(context.Context, ask.Request) (ask.Response, error) {
		if !ready() {
			return ask.Response{}, fault.New(fault.IndexNotReady, "nothing is indexed yet")
		}
		return ask.Response{Result: models.OKResult([]models.Answer{{Answer: "It is so."}})}, nil
	})
	op.Bind(t, op.NavSearch, func(_ context.Context, req nav.SearchRequest) (nav.SearchResponse, error) {
		resp := nav.SearchResponse{Result: models.OKResult([]models.NavItem{})}
		for _, line := range lines {
			if strings.Contains(line.Snippet.Text, req.Query) {
				resp.Items = append(resp.Items, line)
			}
		}
		return resp, nil
	})
	return t
}

// What needs the first index waits for it while it is made.
func TestFirstIndexIsAwaited(t *testing.T) {
	for tool, want := range map[string]string{"search_code": "hit.go", "ask_codebase": "It is so."} {
		c := connect(t, mcpapi.Options{Ops: indexing(3, jobs.Job{Done: 3, Total: 9, ETASeconds: .1})}, nil)
		text, failed := call(t, c, tool, map[string]any{"query": "how are cookies stored"})
		if failed || !strings.Contains(text, want) {
			t.Errorf("%s: failed %v\n%s", tool, failed, text)
		}
	}
}

// A client that waits for an index is told how far it is.
func TestProgressOfTheFirstIndex(t *testing.T) {
	told := make(chan string, 1000)
	ops := indexing(4, jobs.Job{Done: 3, Total: 9, ETASeconds: .1})
	c := connect(t, mcpapi.Options{Ops: ops, Progress: 20 * time.Millisecond}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, n *mcp.ProgressNotificationClientRequest) {
			told <- n.Params.Message
		},
	})
	params := &mcp.CallToolParams{Name: "ask_codebase", Arguments: map[string]any{"query": "how are cookies stored"}}
	params.SetProgressToken("p")
	if _, err := c.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-told:
		if want := "o/r is being indexed (3 of 9 files)"; got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	case <-time.After(10 * time.Second):
		t.Error("nothing was told")
	}
}

// An index that takes long is not waited for: the reply has lines of the files
// that have the rare words, code before prose.
func TestLiveLines(t *testing.T) {
	line := func(file string, n int, text string) models.NavItem {
		at := models.SnippetLocation{Path: file, StartLine: n, EndLine: n}
		return models.NavItem{FilePath: file, Line: n, Snippet: models.Snippet{Text: text, Location: at}}
	}
	lines := []models.NavItem{
		line("CHANGELOG.md", 1, "cookies are stored"), line("CHANGELOG.md", 2, "stored cookies"),
		line("a.go", 5, "stored"), line("b.go", 5, "stored"), line("c.go", 5, "stored"), line("d.go", 5, "stored"),
		line("jar.go", 7, "cookies"), line("jar.go", 9, "stored"), line("jar_test.go", 3, "cookies stored"),
		line("tin.go", 2, "a jar"),
	}
	ops := indexing(0, jobs.Job{Done: 3, Total: 900, ETASeconds: 1000}, lines...)
	c := connect(t, mcpapi.Options{Ops: ops}, nil)
	text, failed := call(t, c, "search_code", map[string]any{"query": "walruses nobody wrote"})
	if !failed || !strings.Contains(text, "INDEX_NOT_READY") {
		t.Errorf("words that nothing has: failed %v\n%s", failed, text)
	}
	if text, failed = call(t, c, "search_code", map[string]any{"query": "jar"}); failed ||
		!strings.Contains(text, "tin.go\n 2: a jar") {
		t.Errorf("a short word: failed %v\n%s", failed, text)
	}
	for _, tool := range []string{"search_code", "ask_codebase"} {
		ops := indexing(0, jobs.Job{Done: 3, Total: 900, ETASeconds: 1000}, lines...)
		c := connect(t, mcpapi.Options{Ops: ops}, nil)
		text, failed := call(t, c, tool, map[string]any{"query": "how are cookies stored"})
		before, after, _ := strings.Cut(text, "jar_test.go")
		if failed || !strings.Contains(text, "being indexed for the first time (3 of 900 files)") ||
			!strings.Contains(text, "lines of the 5 files, of 7,") ||
			!strings.Contains(before, "jar.go\n 7: cookies\n 9: stored\n") || !strings.Contains(after, "CHANGELOG.md") {
			t.Errorf("%s: failed %v\n%s", tool, failed, text)
		}
	}
}
