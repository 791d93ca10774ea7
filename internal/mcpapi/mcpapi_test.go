package mcpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/mcpapi"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/tool"
	"github.com/ragnav/ragnav/internal/view"
)

const hits = 40

// operations have one repository, o/r, with forty hits for every query.
func operations() *op.Table {
	t := &op.Table{}
	op.Bind(t, op.Repos, func(context.Context, repos.Request) (repos.Response, error) {
		return repos.Response{Result: models.OKResult(
			[]models.RepoInfo{{
				RepoID: "o/r", DocCount: 3, FileCount: 1, Languages: []string{"Go"},
				FreshnessState: models.Fresh,
			}})}, nil
	})
	op.Bind(t, op.Search, func(_ context.Context, req search.Request) (search.Response, error) {
		switch req.Query {
		case "building":
			return search.Response{}, fault.New(fault.IndexNotReady, "o/r is being indexed")
		case "panic":
			panic("s3cret")
		}
		start, err := models.CursorOffset(req.Cursor, req.Query)
		if err != nil {
			return search.Response{}, fault.Wrap(fault.InvalidRequest, err, "%v", err)
		}
		limit := models.Or(req.Limit, 5)
		end := min(hits, start+limit)
		var items []models.SearchResult
		for i := start; i < end; i++ {
			items = append(items, models.SearchResult{
				RepoID: "o/r", FilePath: new(fmt.Sprintf("f%d.go", i)), SymbolName: new("F"), Content: "func F()\n\nF does.",
				StartLine: new(1), EndLine: new(3),
			})
		}
		resp := search.Response{Result: models.OKResult(items), Query: req.Query, Level: models.LevelFile}
		if end < hits {
			resp.Meta.Truncated, resp.Meta.NextCursor = true, models.Cursor(end, req.Query)
		}
		return resp, nil
	})
	op.Bind(t, op.File, func(_ context.Context, req filefetch.Request) (filefetch.Response, error) {
		item := models.FileContent{RepoID: req.RepoID, FilePath: req.FilePath, StartLine: 1, EndLine: 500, TotalLines: 500}
		if req.StartLine != nil {
			item.StartLine = *req.StartLine
		}
		for n := item.StartLine; n <= item.EndLine; n++ {
			item.Code += fmt.Sprintf("line %d\n", n)
		}
		return filefetch.Response{Result: models.OKResult([]models.FileContent{item})}, nil
	})
	op.Bind(t, op.NavSearch, func(ctx context.Context, req nav.SearchRequest) (nav.SearchResponse, error) {
		if req.Query == "forever" {
			<-ctx.Done()
			return nav.SearchResponse{}, ctx.Err()
		}
		snippet := models.Snippet{
			Text:     "building it",
			Location: models.SnippetLocation{Path: "b.go", StartLine: 7, EndLine: 7},
		}
		return nav.SearchResponse{
			Result: models.OKResult([]models.NavItem{{FilePath: "b.go", Line: 7, Snippet: snippet}}),
			Query:  req.Query,
		}, nil
	})
	return t
}

// connect joins a client to a server in this process.
func connect(t *testing.T, o mcpapi.Options, co *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	if o.Ops == nil {
		o.Ops = operations()
	}
	near, far := mcp.NewInMemoryTransports()
	if _, err := mcpapi.New(o).Connect(t.Context(), far, nil); err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, co).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// call is the text of a result, and whether it is an error.
func call(t *testing.T, c *mcp.ClientSession, tool string, args map[string]any) (string, bool) {
	t.Helper()
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Content) != 1 || res.StructuredContent != nil {
		t.Fatalf("%d contents, structured %v", len(res.Content), res.StructuredContent)
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

var toolName = regexp.MustCompile(`^[a-z_]{1,24}$`)

// What is listed is paid for in every conversation.
func TestTools(t *testing.T) {
	for _, test := range []struct {
		core   bool
		tools  int
		tokens int
	}{{false, 10, 2500}, {true, 5, 1000}} {
		c := connect(t, mcpapi.Options{Core: test.core}, nil)
		list, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		tokens, seen := 0, map[string]bool{}
		for _, tool := range list.Tools {
			text, err := json.Marshal(tool)
			if err != nil {
				t.Fatal(err)
			}
			tokens += len(text) * 2 / 7 // of JSON, 3.5 bytes make one
			if !toolName.MatchString(tool.Name) || seen[tool.Name] || !tool.Annotations.ReadOnlyHint ||
				!strings.Contains(tool.Description, ".") {
				t.Errorf("%s: %+v", tool.Name, tool.Annotations)
			}
			seen[tool.Name] = true
			if !strings.Contains(c.InitializeResult().Instructions, tool.Name) {
				t.Errorf("the instructions say nothing of %s", tool.Name)
			}
		}
		if len(list.Tools) != test.tools || tokens > test.tokens {
			t.Errorf("%d tools of %d tokens, want %d of at most %d", len(list.Tools), tokens, test.tools, test.tokens)
		}
		again, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(list.Tools, again.Tools); diff != "" {
			t.Error(diff)
		}
		if text := c.InitializeResult().Instructions; len(text) > 1500 {
			t.Errorf("instructions of %d bytes", len(text))
		}
		said := c.InitializeResult().Instructions
		for _, p := range []string{"top_down", "bottom_up", "structural"} {
			got, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: p, Arguments: map[string]string{"topic": "x"}})
			if err != nil {
				t.Fatal(err)
			}
			said += got.Messages[0].Content.(*mcp.TextContent).Text
		}
		for _, served := range list.Tools {
			said += served.Description
		}
		for _, other := range tool.All() { // an agent that calls what it is told of gets an error
			if !seen[other.Name()] && regexp.MustCompile(`\b`+other.Name()+`\b`).MatchString(said) {
				t.Errorf("%s is named, and is not served", other.Name())
			}
		}
	}
}

// What is slow to start waits for the list of tools, not for the handshake before it.
func TestListedIsTold(t *testing.T) {
	told := 0
	c := connect(t, mcpapi.Options{Listed: func() { told++ }}, nil)
	if err := c.Ping(t.Context(), nil); err != nil || told != 0 {
		t.Errorf("told %d times before the list, %v", told, err)
	}
	if _, err := c.ListTools(t.Context(), nil); err != nil || told != 1 {
		t.Errorf("told %d times after the list, %v", told, err)
	}
}

func TestCalls(t *testing.T) {
	c := connect(t, mcpapi.Options{}, nil)
	for _, test := range []struct {
		name, tool string
		args       map[string]any
		failed     bool
		want       string // in the text
	}{
		{
			"first line", "search_code",
			map[string]any{"query": "x", "limit": 1},
			false,
			"OK RAG_GRAPH UNKNOWN · 1 hit at level file in o/r\n",
		},
		{
			"a hit", "search_code",
			map[string]any{"query": "x", "limit": 1},
			false,
			"\n1. f0.go:1-3 F\n   func F()\n   F does.\n",
		},
		{
			"tokens as text, null for what is left out", "search_code",
			map[string]any{"query": "x", "max_tokens": "500", "limit": 2, "language": nil},
			false, "2 hits",
		},
		{"numbers as text", "search_code", map[string]any{"query": "x", "limit": "2"}, false, "2 hits"},
		{"whole numbers with a point", "search_code", map[string]any{"query": "x", "limit": 2.0}, false, "2 hits"},
		{
			"repo_id left out", "get_file",
			map[string]any{"file_path": "a.go", "start_line": 499},
			false,
			"o/r a.go:499-500 of 500\n499\tline 499\n500\tline 500\n",
		},
		{
			"a list as text, a number in it too", "get_file",
			map[string]any{"spans": `[{"file_path": "a.go", "start_line": "499", "symbol": null}]`},
			false, "o/r :1-500 of 500", // spans are read
		},
		{
			"one item in place of a list", "get_file",
			map[string]any{"spans": map[string]any{"file_path": "a.go", "start_line": "500"}},
			false, "o/r :1-500 of 500", // spans are read
		},
		{
			"unknown argument", "search_code",
			map[string]any{"query": "x", "lim": 1},
			true,
			`ERROR NONE INVALID_REQUEST: search_code has no argument "lim"; it has cursor, language`,
		},
		{
			"an argument of other tools", "search_code",
			map[string]any{"q": "x", "repo_id": "o/r", "top_k": 1},
			false,
			"1 hit at level file in o/r",
		},
		{
			"by both names", "search_code",
			map[string]any{"query": "x", "repo_filter": "o/r", "repo_id": "o/r"},
			true,
			`search_code has no argument "repo_id", but repo_filter; it has cursor`,
		},
		{
			"by two other names", "search_code",
			map[string]any{"query": "x", "repo": "o/r", "repository": "o/r"},
			true,
			`search_code has no argument "repository", but repo_filter; it has cursor`,
		},
		{
			"a name of two", "where_used",
			map[string]any{"symbol": "F", "path": "a.go"},
			true,
			`where_used has no argument "path", but file and path_filter; it has column`,
		},
		{
			"where to begin and how many lines", "get_file",
			map[string]any{"path": "a.go", "offset": 499, "limit": "1"},
			false, "o/r a.go:499-500 of 500\n499\tline 499\n",
		},
		{
			"lines as a range", "get_file",
			map[string]any{"file_path": "a.go", "lines": "L499-L500"},
			false, "o/r a.go:499-500 of 500\n",
		},
		{
			"lines as two numbers", "get_file",
			map[string]any{"file_path": "a.go", "line_range": []any{499, "500"}},
			false, "o/r a.go:499-500 of 500\n",
		},
		{
			"no range", "get_file",
			map[string]any{"file_path": "a.go", "lines": "all"},
			true, `get_file has no argument "lines"; it has commit`,
		},
		{
			"a level by another name", "search_code",
			map[string]any{"query": "x", "level": "function", "path_filter": []any{"src"}},
			false, "hits at level",
		},
		{
			"an argument that is a pattern", "explore_structure",
			map[string]any{"depth": 2},
			true, `explore_structure has no argument "depth": pattern "**" lists what is below too; it has commit`,
		},
		{
			"an edit's argument", "impact",
			map[string]any{"symbol": "F"},
			true, `impact has no argument "symbol": it is about an edit that was made; lineage upstream`,
		},
		{"missing argument", "search_code", map[string]any{}, true, "query is required"},
		{"wrong type", "search_code", map[string]any{"query": 5}, true, "query must be a string"},
		{"out of bounds", "search_code", map[string]any{"query": "x", "limit": 1000}, true, "limit"},
		{"tokens out of bounds", "search_code", map[string]any{"query": "x", "max_tokens": 1}, true, "max_tokens must be"},
		{"a panic", "search_code", map[string]any{"query": "panic"}, true, "ERROR NONE INTERNAL: "},
		{"no index yet", "search_code", map[string]any{"query": "building"}, false, "FALLBACK LOCAL_FALLBACK"},
		{"no index yet: lines", "search_code", map[string]any{"query": "building"}, false, "b.go\n 7: building it\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, failed := call(t, c, test.tool, test.args)
			if strings.Contains(text, "s3cret") || failed != test.failed || !strings.Contains(text, test.want) {
				t.Errorf("failed %v, want %v with %q:\n%s", failed, test.failed, test.want, text)
			}
		})
	}
}

// A reply that is cut says the next call once, on its last line; the calls put together
// give everything, once.
func TestCut(t *testing.T) {
	c := connect(t, mcpapi.Options{}, nil)
	for _, test := range []struct {
		tool string
		args map[string]any
		item *regexp.Regexp
		want int
	}{
		{"search_code", map[string]any{"query": "x", "limit": 20, "max_tokens": 300}, regexp.MustCompile(`f\d+\.go`), hits},
		{"get_file", map[string]any{"file_path": "a.go", "max_tokens": 400}, regexp.MustCompile(`\tline \d+`), 500},
	} {
		t.Run(test.tool, func(t *testing.T) {
			seen, calls := map[string]bool{}, 0
			for args := test.args; args != nil; calls++ {
				tokens := test.args["max_tokens"].(int)
				args["max_tokens"] = tokens
				text, failed := call(t, c, test.tool, args)
				if failed || view.Tokens(text) > tokens || calls > 100 {
					t.Fatalf("call %d, failed %v, %d tokens:\n%s", calls, failed, view.Tokens(text), text)
				}
				for _, item := range test.item.FindAllString(text, -1) {
					if seen[item] {
						t.Fatalf("%s is there twice", item)
					}
					seen[item] = true
				}
				all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
				last, ok := strings.CutPrefix(all[len(all)-1], "next: ")
				if !ok {
					break
				}
				if strings.Count(text, "next: ") != 1 {
					t.Fatalf("the next call is there several times:\n%s", text)
				}
				args = nil
				if err := json.Unmarshal([]byte(strings.TrimPrefix(last, test.tool+" ")), &args); err != nil {
					t.Fatal(err)
				}
			}
			if len(seen) != test.want || calls < 2 {
				t.Errorf("%d items by %d calls, want %d", len(seen), calls, test.want)
			}
		})
	}
}

// Messages name what an agent has, not a command or a route.
func TestErrorsNameTools(t *testing.T) {
	ops := operations()
	op.Bind(ops, op.Structure, func(context.Context, structure.Request) (structure.Response, error) {
		return structure.Response{}, fault.New(fault.IndexNotReady, "try again, see `ragnav jobs`; `ragnav repos`")
	})
	c := connect(t, mcpapi.Options{Ops: ops}, nil)
	text, failed := call(t, c, "explore_structure", map[string]any{"repo_id": "o/r"})
	if !failed || strings.Contains(text, "ragnav") || strings.Count(text, "list_repos") != 2 {
		t.Errorf("%q", text)
	}
}

// A repository's map is a reading of its structure, by an argument that says so.
func TestMapByStructure(t *testing.T) {
	ops := operations()
	op.Bind(ops, op.Structure, func(context.Context, structure.Request) (structure.Response, error) {
		return structure.Response{}, fault.New(fault.PathNotFound, "the structure")
	})
	var asked nav.MapRequest
	op.Bind(ops, op.Map, func(_ context.Context, req nav.MapRequest) (nav.MapResponse, error) {
		asked = req
		item := models.RepoMap{RepoID: req.RepoID, EntryPoints: []string{"main.go"}}
		return nav.MapResponse{Result: models.OKResult([]models.RepoMap{item})}, nil
	})
	c := connect(t, mcpapi.Options{Ops: ops}, nil)
	for _, test := range []struct {
		name string
		args map[string]any
		want string
	}{
		{"a map", map[string]any{"repo_id": "o/r", "path": "src/", "map": "true", "max_tokens": 500}, "begins: main.go"},
		{"no map", map[string]any{"repo_id": "o/r", "pattern": "*", "map": false}, "the structure"},
		{"neither", map[string]any{"repo_id": "o/r", "map": "perhaps"}, "map must be true or false"},
		{
			"of structure only",
			map[string]any{"repo_id": "o/r", "map": true, "pattern": "*"},
			`explore_structure has no argument "pattern" like that; it has max_tokens, path, repo_id`,
		},
	} {
		if text, _ := call(t, c, "explore_structure", test.args); !strings.Contains(text, test.want) {
			t.Errorf("%s: %q, want %q", test.name, text, test.want)
		}
	}
	if want := (nav.MapRequest{RepoID: "o/r", Path: "src/", MaxTokens: 500}); asked != want {
		t.Errorf("asked for %+v, want %+v", asked, want)
	}
}

// A client that waits is told so, and one that leaves ends the work.
func TestProgressAndCancel(t *testing.T) {
	told := make(chan struct{}, 100)
	c := connect(t, mcpapi.Options{Progress: time.Millisecond}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { told <- struct{}{} },
	})
	ctx, cancel := context.WithCancel(t.Context())
	params := &mcp.CallToolParams{Name: "nav_search", Arguments: map[string]any{"query": "forever"}}
	params.SetProgressToken("p")
	ended := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, params)
		ended <- err
	}()
	<-told
	<-told
	cancel()
	if err := <-ended; err == nil {
		t.Error("a cancelled call has a result")
	}
	slow := connect(t, mcpapi.Options{Timeout: 10 * time.Millisecond}, nil)
	if text, failed := call(t, slow, "nav_search", map[string]any{"query": "forever"}); !failed ||
		!strings.Contains(text, "TIMEOUT") {
		t.Errorf("a call over its limit gives %q", text)
	}
}

func TestResourcesAndPrompts(t *testing.T) {
	c := connect(t, mcpapi.Options{}, nil)
	res, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ragnav://o/r/dir/a.go"})
	if err != nil || !strings.HasPrefix(res.Contents[0].Text, "line 1\n") {
		t.Fatalf("%v, %v", res, err)
	}
	for _, uri := range []string{"ragnav://r/dir/a.go", "ragnav://o/r/dir/a%2ego"} {
		short, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || short.Contents[0].Text != res.Contents[0].Text {
			t.Errorf("%s: %v, %v", uri, short, err)
		}
	}
	for uri, want := range map[string]string{
		"ragnav://x/y/a.go": "list_repos", "ragnav://o/r": "names no file", "ragnav://o/r/": "names no file",
	} {
		_, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || !strings.Contains(wire.Message, want) {
			t.Errorf("%s: %v, want a message with %q", uri, err, want)
		}
	}
	prompts, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(prompts.Prompts) != 3 {
		t.Fatalf("%v, %v", prompts, err)
	}
	for _, p := range prompts.Prompts {
		got, err := c.GetPrompt(t.Context(),
			&mcp.GetPromptParams{Name: p.Name, Arguments: map[string]string{"topic": "retries"}})
		if err != nil || !strings.Contains(got.Messages[0].Content.(*mcp.TextContent).Text, `"retries"`) {
			t.Errorf("%s: %v, %v", p.Name, got, err)
		}
		_, err = c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: p.Name})
		if err == nil || !strings.Contains(err.Error(), "needs a topic") {
			t.Errorf("%s about nothing: %v", p.Name, err)
		}
	}
}

// Clients of old and new revisions are served at the same address.
func TestHTTP(t *testing.T) {
	srv := httptest.NewServer(mcpapi.Handler(mcpapi.New(mcpapi.Options{Ops: operations()})))
	t.Cleanup(srv.Close)
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
			c, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: srv.URL},
				&mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			if text, failed := call(t, c, "search_code", map[string]any{"query": "x"}); failed ||
				!strings.HasPrefix(text, "OK ") {
				t.Error(text)
			}
		})
	}
}
