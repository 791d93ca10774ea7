package mcpapi_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/mcpapi"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// What is not found in the repository that a call didn't name may be in another.
func TestLeftOutRepository(t *testing.T) {
	ops := func(more bool) *op.Table {
		table := &op.Table{}
		op.Bind(table, op.Repos, func(context.Context, repos.Request) (repos.Response, error) {
			resp := repos.Response{Result: models.OKResult([]models.RepoInfo{{RepoID: "o/r"}})}
			resp.Meta.Truncated = more
			return resp, nil
		})
		op.Bind(table, op.File, func(context.Context, filefetch.Request) (filefetch.Response, error) {
			return filefetch.Response{}, fault.New(fault.PathNotFound, "there is no such file")
		})
		op.Bind(table, op.NavSearch, func(_ context.Context, req nav.SearchRequest) (nav.SearchResponse, error) {
			var items []models.NavItem
			if req.Query == "there" {
				items = []models.NavItem{{FilePath: "b.go", Line: 7}}
			}
			return nav.SearchResponse{Result: models.OKResult(items), Query: req.Query}, nil
		})
		op.Bind(table, op.Impact, func(context.Context, nav.ImpactRequest) (nav.ImpactResponse, error) {
			return nav.ImpactResponse{}, nil
		})
		op.Bind(table, op.Outline, func(context.Context, outline.Request) (outline.Response, error) {
			return outline.Response{}, nil
		})
		return table
	}
	const says = "only o/r asked"
	for name, test := range map[string]struct {
		tool string
		args map[string]any
		more bool // repositories
		want bool
	}{
		"a file":             {"get_file", map[string]any{"file_path": "a.go"}, true, true},
		"of a repository":    {"get_file", map[string]any{"file_path": "a.go", "repo_id": "o/r"}, true, false},
		"of the only one":    {"get_file", map[string]any{"file_path": "a.go"}, false, false},
		"no line":            {"nav_search", map[string]any{"query": "gone"}, true, true},
		"no line of the one": {"nav_search", map[string]any{"query": "gone"}, false, false},
		"a line":             {"nav_search", map[string]any{"query": "there"}, true, false},
		"no edits":           {"impact", map[string]any{}, true, false},
		"no symbols":         {"outline", map[string]any{"file_path": "a.txt"}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			here := func(context.Context) (models.RepoID, error) { return "o/r", nil }
			c := connect(t, mcpapi.Options{Ops: ops(test.more), Repo: here}, nil)
			res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool, Arguments: test.args})
			if err != nil {
				t.Fatal(err)
			}
			text := res.Content[0].(*mcp.TextContent).Text
			if strings.Contains(text, says) != test.want {
				t.Errorf("said: %v, want %v: %s", !test.want, test.want, text)
			}
		})
	}
}

// Agents write absolute paths: in the folder of their repository these are its own.
func TestAbsolutePaths(t *testing.T) {
	asked := ""
	table := &op.Table{}
	op.Bind(table, op.File, func(_ context.Context, req filefetch.Request) (filefetch.Response, error) {
		asked = string(req.RepoID) + " " + req.FilePath
		return filefetch.Response{}, fault.New(fault.PathNotFound, "there is no such file")
	})
	here := func(context.Context) (models.RepoID, error) { return "o/r", nil }
	c := connect(t, mcpapi.Options{Ops: table, Repo: here, Root: "/home/me/r"}, nil)
	for args, want := range map[[2]string]string{
		{"", "/home/me/r/a/b.go#F"}:      "o/r a/b.go#F",
		{"o/r", "/home/me/r/a.go"}:       "o/r a.go",
		{"o/other", "/home/me/r/a.go"}:   "o/other /home/me/r/a.go",
		{"", "/home/me/r"}:               "o/r .",
		{"", "/home/me/rest/a.go"}:       "o/r /home/me/rest/a.go",
		{"", "a/home/me/r/a.go"}:         "o/r a/home/me/r/a.go",
		{"", "/home/me/r/../secret.txt"}: "o/r ../secret.txt",
	} {
		given := map[string]any{"file_path": args[1]}
		if args[0] != "" {
			given["repo_id"] = args[0]
		}
		if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_file", Arguments: given}); err != nil {
			t.Fatal(err)
		}
		if asked != want {
			t.Errorf("%v: asked for %q, want %q", args, asked, want)
		}
	}
}

// Who reads a class to edit it wants its private methods too, and asks once.
func TestOutlineHasWhatIsPrivate(t *testing.T) {
	var asked []bool
	table := &op.Table{}
	op.Bind(table, op.Outline, func(_ context.Context, req outline.Request) (outline.Response, error) {
		asked = append(asked, req.Private)
		return outline.Response{}, nil
	})
	c := connect(t, mcpapi.Options{Ops: table}, nil)
	for _, args := range []map[string]any{
		{"repo_id": "o/r", "file_path": "a.go"},
		{"repo_id": "o/r", "file_path": "a.go", "private": "false"},
	} {
		if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "outline", Arguments: args}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(asked, []bool{true, false}) {
		t.Errorf("private %v", asked)
	}
}

// A search that names no repository is of the one that the agent works in, and of all
// where that has nothing like it, where the text says which, and where it asks which.
func TestSearchIsOfTheRepositoryAtHand(t *testing.T) {
	var asked []string
	table := &op.Table{}
	op.Bind(table, op.Search, func(_ context.Context, req search.Request) (search.Response, error) {
		asked = append(asked, req.RepoFilter)
		var hits []models.SearchResult
		if req.Query != "none" || req.RepoFilter == "" {
			hits = []models.SearchResult{{RepoID: "o/r", Weak: req.Query == "weak"}}
		}
		return search.Response{Result: models.OKResult(hits)}, nil
	})
	op.Bind(table, op.Ask, func(_ context.Context, req ask.Request) (ask.Response, error) {
		asked = append(asked, req.RepoFilter)
		return ask.Response{Result: models.OKResult([]models.Answer{{OutOfScope: req.Query == "weak"}})}, nil
	})
	here := func(context.Context) (models.RepoID, error) { return "o/r", nil }
	c := connect(t, mcpapi.Options{Ops: table, Repo: here}, nil)
	for _, test := range []struct {
		tool string
		args map[string]any
		want []string
	}{
		{"search_code", map[string]any{"query": "x"}, []string{"o/r"}},
		{"search_code", map[string]any{"query": "weak"}, []string{"o/r", ""}},
		{"search_code", map[string]any{"query": "none"}, []string{"o/r", ""}},
		{"search_code", map[string]any{"query": "none", "repo_filter": "*"}, []string{"*"}},
		{"search_code", map[string]any{"query": "x repo:other"}, []string{""}},
		{"search_code", map[string]any{"query": "x", "level": "repo"}, []string{""}},
		{"ask_codebase", map[string]any{"query": "x"}, []string{"o/r"}},
		{"ask_codebase", map[string]any{"query": "weak"}, []string{"o/r", ""}},
	} {
		asked = nil
		if text, _ := call(t, c, test.tool, test.args); !slices.Equal(asked, test.want) {
			t.Errorf("%s %v: asked of %q, want %q: %s", test.tool, test.args, asked, test.want, text)
		}
	}
}

// A search whose text names another repository is of that, unless the one at hand has what
// is called so, or is named too, or what was found elsewhere is not of that one alone.
func TestSearchIsOfTheRepositoryNamed(t *testing.T) {
	table := &op.Table{}
	op.Bind(table, op.Repos, func(context.Context, repos.Request) (repos.Response, error) {
		return repos.Response{Result: models.OKResult(
			[]models.RepoInfo{{RepoID: "o/gin"}, {RepoID: "o/starlette"}, {RepoID: "o/chi"}, {RepoID: "o/arrow"}})}, nil
	})
	has := map[string][]models.SearchResult{ // at hand, by names
		"chi": {{RepoID: "o/gin", SymbolName: new("Chi"), FilePath: new("tree.go")}},
	}
	op.Bind(table, op.Search, func(_ context.Context, req search.Request) (search.Response, error) {
		hits := []models.SearchResult{{RepoID: "o/gin", FilePath: new("gin.go")}}
		switch {
		case req.RepoFilter == "":
			hits[0].RepoID = "o/starlette"
			if strings.Contains(req.Query, "arrow") {
				hits[0].RepoID = "o/arrow"
			}
			if strings.Contains(req.Query, "mixed") {
				hits = append(hits, models.SearchResult{RepoID: "o/chi", FilePath: new("chi.go")})
			}
		case !strings.Contains(req.Query, " "):
			hits = has[req.Query]
		}
		return search.Response{Result: models.OKResult(hits)}, nil
	})
	op.Bind(table, op.NavSearch, func(_ context.Context, req nav.SearchRequest) (nav.SearchResponse, error) {
		var lines []models.NavItem
		if req.Query == "arrow" && req.Word {
			lines = []models.NavItem{{FilePath: "keys.go", Line: 1}}
		}
		return nav.SearchResponse{Result: models.OKResult(lines)}, nil
	})
	op.Bind(table, op.Ask, func(_ context.Context, req ask.Request) (ask.Response, error) {
		of := models.RepoID("o/starlette")
		if req.RepoFilter != "" {
			of = models.RepoID(req.RepoFilter)
		}
		return ask.Response{Result: models.OKResult([]models.Answer{{Citations: []models.Citation{{RepoID: of}}}})}, nil
	})
	here := func(context.Context) (models.RepoID, error) { return "o/gin", nil }
	c := connect(t, mcpapi.Options{Ops: table, Repo: here}, nil)
	const note = "note: the question names o/starlette, so that was asked"
	for _, test := range []struct {
		tool string
		args map[string]any
		want models.RepoID
	}{
		{"search_code", map[string]any{"query": "how does starlette route requests"}, "o/starlette"},
		{"search_code", map[string]any{"query": "how does starlette route mixed requests"}, "o/gin"},
		{"search_code", map[string]any{"query": "how does chi route requests"}, "o/gin"},
		{"search_code", map[string]any{"query": "what has gin that starlette has not"}, "o/gin"},
		{"search_code", map[string]any{"query": "routes of requests"}, "o/gin"},
		{"search_code", map[string]any{"query": "starlette TestClient"}, "o/gin"},
		{"search_code", map[string]any{"query": "move with the arrow keys"}, "o/gin"},
		{"search_code", map[string]any{"query": "how does arrow parse zones"}, "o/arrow"},
		{"ask_codebase", map[string]any{"query": "how does starlette route requests?"}, "o/starlette"},
		{"ask_codebase", map[string]any{"query": "how are requests routed?"}, "o/gin"},
	} {
		text, _ := call(t, c, test.tool, test.args)
		if maybe := strings.Contains(test.args["query"].(string), "TestClient"); maybe !=
			strings.Contains(text, "note: is it about the repository o/starlette?") {
			t.Errorf("%s %v: %s, want that it may be about another: %t", test.tool, test.args, text, maybe)
		}
		told := strings.Contains(text, note)
		if !strings.Contains(text, "in "+string(test.want)) ||
			told != (test.want != "o/gin" && test.tool == "ask_codebase") {
			t.Errorf("%s %v: %s, want what %s has", test.tool, test.args, text, test.want)
		}
	}
}

// A text of which very many words are names of repositories costs a few searches.
func TestManyNamesCostLittle(t *testing.T) {
	const many = 100
	table := &op.Table{}
	infos, words := []models.RepoInfo{{RepoID: "o/gin"}}, []string{}
	for i := range many {
		word := fmt.Sprintf("word%c%c", 'a'+i/26, 'a'+i%26)
		infos, words = append(infos, models.RepoInfo{RepoID: models.RepoID("o/" + word)}), append(words, word)
	}
	op.Bind(table, op.Repos, func(context.Context, repos.Request) (repos.Response, error) {
		return repos.Response{Result: models.OKResult(infos)}, nil
	})
	op.Bind(table, op.Search, func(context.Context, search.Request) (search.Response, error) {
		hits := []models.SearchResult{{RepoID: "o/gin", FilePath: new("gin.go")}}
		return search.Response{Result: models.OKResult(hits)}, nil
	})
	asked := 0
	op.Bind(table, op.NavSearch, func(context.Context, nav.SearchRequest) (nav.SearchResponse, error) {
		asked++
		return nav.SearchResponse{Result: models.OKResult([]models.NavItem{{FilePath: "gin.go", Line: 1}})}, nil
	})
	here := func(context.Context) (models.RepoID, error) { return "o/gin", nil }
	c := connect(t, mcpapi.Options{Ops: table, Repo: here}, nil)
	call(t, c, "search_code", map[string]any{"query": strings.Join(words, " ")})
	if asked == 0 || asked > 10 {
		t.Errorf("%d searches for %d words, want a few", asked, many)
	}
}

// Agents write paths from the folder they work in, and from one that holds repositories.
func TestPathsOfTheWorkingFolder(t *testing.T) {
	table := &op.Table{}
	op.Bind(table, op.File, func(_ context.Context, req filefetch.Request) (filefetch.Response, error) {
		if req.FilePath != "sub/a.go" && req.FilePath != "b.go" {
			return filefetch.Response{}, fault.New(fault.PathNotFound, "there is no %q", req.FilePath)
		}
		item := models.FileContent{RepoID: req.RepoID, FilePath: req.FilePath, StartLine: 1, EndLine: 1, TotalLines: 1}
		return filefetch.Response{Result: models.OKResult([]models.FileContent{item})}, nil
	})
	here := func(context.Context) (models.RepoID, error) { return "o/r", nil }
	below := connect(t, mcpapi.Options{Ops: table, Repo: here, Root: "/home/me/r", Below: "sub"}, nil)
	none := func(context.Context) (models.RepoID, error) { return "", nil }
	held := func(context.Context) map[string]models.RepoID {
		return map[string]models.RepoID{"one": "o/one", "two": "two", "in/one": "in-one"}
	}
	above := connect(t, mcpapi.Options{Ops: table, Repo: none, Root: "/home/me", Holds: held}, nil)
	for _, test := range []struct {
		c    *mcp.ClientSession
		path string
		want string
	}{
		{below, "./a.go", "o/r sub/a.go:1"},
		{below, "b.go", "o/r b.go:1"},
		{below, "c.go", `there is no "c.go"`},
		{above, "one/b.go", "o/one b.go:1"},
		{above, "/home/me/two/b.go", "two b.go:1"},
		{above, "in/one/b.go", "in-one b.go:1"},
		{above, "b.go", "repo_id is required: there are in-one, o/one, two; and others"},
	} {
		text, _ := call(t, test.c, "get_file", map[string]any{"file_path": test.path})
		if !strings.Contains(text, test.want) {
			t.Errorf("%s: %s, want %s", test.path, text, test.want)
		}
	}
}

// What implements an interface is said to extend it in some languages.
func TestImplementationsAreFound(t *testing.T) {
	var asked []string
	table := &op.Table{}
	op.Bind(table, op.Lineage, func(_ context.Context, req nav.LineageRequest) (nav.LineageResponse, error) {
		asked = req.Edges
		return nav.LineageResponse{}, nil
	})
	c := connect(t, mcpapi.Options{Ops: table}, nil)
	for _, test := range []struct {
		edges any
		want  []string
	}{
		{"implements", []string{"implements", "extends"}},
		{[]any{"implements"}, []string{"implements", "extends"}},
		{"extends,implements", []string{"extends", "implements"}},
		{"calls", []string{"calls"}},
	} {
		call(t, c, "lineage", map[string]any{"repo_id": "o/r", "symbol": "I", "edges": test.edges})
		if !slices.Equal(asked, test.want) {
			t.Errorf("%v: asked for %v, want %v", test.edges, asked, test.want)
		}
	}
}
