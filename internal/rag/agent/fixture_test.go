package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/llm/scripted"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/agent"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// tree is files of repositories by "repo/path", as they are now.
type tree map[string]string

const (
	client = "package app\n\n// Limit bounds retries.\nconst Limit = 3\n\nfunc Retry() {\n\tfor range Limit {\n" +
		"\t\tsend()\n\t}\n}\n"
	caller = "package app\n\nfunc Serve() {\n\tRetry()\n}\n"
)

func files() tree {
	return tree{
		"o/app/client.go": client, "o/app/serve.go": caller,
		"o/other/secret.go": "package other\n\nconst Launch = \"code 7741\"\n",
	}
}

// ops are the operations over a tree.
func (f tree) ops() *op.Table {
	t := &op.Table{}
	op.Bind(t, op.Repos, func(context.Context, repos.Request) (repos.Response, error) {
		return repos.Response{Result: models.OKResult([]models.RepoInfo{{RepoID: "o/app"}, {RepoID: "o/other"}})}, nil
	})
	op.Bind(t, op.Search, func(_ context.Context, req search.Request) (search.Response, error) {
		if req.Query == "panic" {
			panic("s3cret")
		}
		hit := models.SearchResult{
			RepoID: "o/app", FilePath: new("client.go"), SymbolName: new("Retry"),
			Content: "func Retry()", StartLine: new(6), EndLine: new(10),
		}
		return search.Response{Result: models.OKResult([]models.SearchResult{hit}), Query: req.Query, Level: req.Level}, nil
	})
	op.Bind(t, op.File, func(_ context.Context, req filefetch.Request) (filefetch.Response, error) {
		text, ok := f[string(req.RepoID)+"/"+req.FilePath]
		if !ok {
			return filefetch.Response{}, fault.New(fault.PathNotFound, "%s has no file %s", req.RepoID, req.FilePath)
		}
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		start, end := 1, len(lines)
		if req.StartLine != nil {
			start = *req.StartLine
		}
		if req.EndLine != nil {
			end = min(end, *req.EndLine)
		}
		if start > end {
			return filefetch.Response{}, fault.New(fault.LineOutOfRange, "%s has %d lines", req.FilePath, len(lines))
		}
		return filefetch.Response{Result: models.OKResult([]models.FileContent{{
			RepoID: req.RepoID, FilePath: req.FilePath, Code: strings.Join(lines[start-1:end], ""), StartLine: start,
			EndLine: end, TotalLines: len(lines),
		}})}, nil
	})
	op.Bind(t, op.WhereUsed, func(_ context.Context, req nav.WhereUsedRequest) (nav.WhereUsedResponse, error) {
		use := models.NavItem{FilePath: "serve.go", Line: 4, Symbol: "Serve", Edge: "calls", Snippet: models.Snippet{
			Text: caller, Location: models.SnippetLocation{Path: "serve.go", StartLine: 2, EndLine: 5},
		}}
		return nav.WhereUsedResponse{Result: models.OKResult([]models.NavItem{use}), Symbol: req.Symbol}, nil
	})
	return t
}

// found is the extractive answer to any question.
func found(context.Context, ask.Request) (ask.Response, error) {
	return ask.Response{Query: "q", Result: models.OKResult([]models.Answer{{
		Answer: "Extractive answer: **Retry** [1]", Gaps: []string{}, LevelsSearched: []models.Level{models.LevelSymbol},
		Confidence: 1,
		Citations: []models.Citation{{
			N: 1, RepoID: "o/app", FilePath: "client.go", StartLine: 6, EndLine: 10,
			Verified: true,
		}},
		Steps: []models.Step{{Operation: "search_code", Detail: "q", Items: 1}},
	}})}, nil
}

// asked is the answer to a question, with the events on the way.
func asked(t *testing.T, f tree, o agent.Options, req ask.Request) (ask.Response, []ask.Event) {
	t.Helper()
	o.Ops, o.Extract = f.ops(), found
	if req.Query == "" {
		req.Query = "how often is sending tried again?"
	}
	var events []ask.Event
	resp, err := agent.New(o).Ask(t.Context(), req, func(e ask.Event) { events = append(events, e) })
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.Items) != 1 {
		t.Fatalf("%d items", len(resp.Items))
	}
	said := ""
	for _, e := range events {
		if e.Delta != nil {
			said += e.Delta.Text
		}
	}
	if said != resp.Items[0].Answer {
		t.Errorf("the events say %q, the answer %q", said, resp.Items[0].Answer)
	}
	return resp, events
}

func script(turns ...scripted.Turn) *scripted.Model { return &scripted.Model{Turns: turns} }

const readClient = `{"repo_id":"o/app","file_path":"client.go"}`
