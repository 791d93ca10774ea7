package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
)

// An agent is a client of a `ragnav mcp` process.
type agent struct {
	t   *testing.T
	cmd *exec.Cmd
	*mcp.ClientSession
}

func (sh shell) agent(folder string) agent {
	sh.t.Helper()
	cmd := sh.command(os.Executable, "mcp", folder)
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(sh.t.Context(),
		&mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		sh.t.Fatal(err)
	}
	sh.t.Cleanup(func() { _ = c.Close() })
	return agent{sh.t, cmd, c}
}

// ask calls a tool and returns its text.
func (a agent) ask(tool string, args map[string]any) string {
	a.t.Helper()
	res, err := a.CallTool(a.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Fatal(err)
	}
	text := res.Content[0].(*mcp.TextContent).Text
	if res.IsError {
		a.t.Fatalf("%s: %s", tool, text)
	}
	return text
}

// A member that has waited in vain does not have the next call wait as long: calls that
// wait for each other would end at their limit, and not say why.
func TestMemberIsRefusedAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it waits")
	}
	t.Parallel()
	sh := newShell(t)
	cfg, err := config.Resolve(nil, sh.getenv)
	if err != nil {
		t.Fatal(err)
	}
	holder, err := app.Open(t.Context(), cfg, app.Tool)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Close() }()
	s := cli.NewSession(term.New(io.Discard, io.Discard, sh.getenv), sh.getenv)
	s.Config, s.Role = cfg, app.Tool
	m, begun := &member{s: s, ctx: t.Context(), refused: time.Now()}, time.Now()
	if _, err := m.open(t.Context()); fault.CodeOf(err) != fault.Conflict || time.Since(begun) > ownerPatience*2/3 {
		t.Errorf("after %v: %v; want a CONFLICT soon", time.Since(begun), err)
	}
}

// Agents on one data directory that ask at once are all answered, also when the
// one that owns it is killed meanwhile, and another one after it.
func TestAgentsOutliveTheirOwner(t *testing.T) {
	sh := newShell(t)
	root := writeRepo(t, "clock", clockRepo)
	sh.run("index", "--quiet", "--no-graph", root)
	agents := []agent{sh.agent(root)}
	agents[0].ask("list_repos", nil) // it owns the directory now
	for range 3 {
		agents = append(agents, sh.agent(root))
	}
	for n := range 2 {
		kill, rest := agents[n], agents[n+1:]
		var asked sync.WaitGroup
		for _, a := range rest {
			for range 5 {
				asked.Go(func() {
					res, err := a.CallTool(t.Context(),
						&mcp.CallToolParams{
							Name:      "search_code",
							Arguments: map[string]any{"query": "parse a timestamp", "level": "symbol"},
						})
					if err != nil || res.IsError || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "ParseStamp") {
						t.Errorf("%v, %+v", err, res)
					}
				})
			}
		}
		if err := kill.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		asked.Wait()
	}
}

// Without any set-up an agent gets answers from the repository that it is in,
// at once from its files and then from its index. Several agents share a data
// directory, and the death of the one that owns it is not noticed.
func TestAgents(t *testing.T) {
	sh := newShell(t)
	root := writeRepo(t, "clock", clockRepo)
	first := sh.agent(root)
	if text := first.ask("search_code", map[string]any{"query": "retries backoff"}); !strings.Contains(text, "retry") {
		t.Errorf("the first answer is %s", text)
	}
	if text := first.ask("outline", map[string]any{"file_path": "clock/parse.go"}); !strings.Contains(text, "ParseStamp") {
		t.Errorf("outline: %s", text)
	}
	question := map[string]any{"query": "parse a timestamp", "level": "symbol", "repo_filter": "clock"}
	for text := ""; !strings.HasPrefix(text, "OK RAG_GRAPH"); {
		text = first.ask("search_code", question) // until the index is there
	}
	for text := ""; !strings.HasPrefix(text, "OK RAG_GRAPH"); {
		text = first.ask("where_used", map[string]any{"symbol": "ParseStamp"}) // until the graph is there, unasked
	}
	second := sh.agent(root)
	want := second.ask("search_code", question)
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if got := second.ask("search_code", question); !strings.Contains(got, "ParseStamp") {
		t.Errorf("after the owner died the answer is\n%s, it was\n%s", got, want)
	}
	if out := sh.run("search", "parse a timestamp"); !strings.Contains(out, "parse.go") {
		t.Errorf("the command line says %s", out)
	}
}

// A folder that holds several repositories is none: each of them is indexed, and none
// is meant by a call that names none.
func TestAgentsOfSeveralRepositories(t *testing.T) {
	sh := newShell(t)
	top := writeRepo(t, "src", map[string]string{
		"one/a.go": "package a\n\nfunc A() {}\n", "two/b.go": "package b\n", "deep/one/c.go": "package c\n",
	})
	gitInit(t, filepath.Join(top, "one"))
	gitInit(t, filepath.Join(top, "deep", "one"))
	gitInit(t, filepath.Join(top, "two"))
	a := sh.agent(top)
	for text := ""; strings.Count(text, " · Go · 1 file") < 3; {
		if text = a.ask("list_repos", nil); strings.Contains(text, "\nsrc ") {
			t.Fatal(text)
		}
	}
	file := map[string]any{"file_path": "a.go"}
	res, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_file", Arguments: file})
	const which = "repo_id is required: there are one, one-src, two"
	if err != nil || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, which) {
		t.Errorf("%v, %+v", err, res)
	}
	wantAll(t, a.ask("get_file", map[string]any{"file_path": "one/a.go"}), "a.go", "func A()")
	wantAll(t, a.ask("get_file", map[string]any{"file_path": "deep/one/c.go"}), "c.go", "package c")
	wantAll(t, a.ask("explore_structure", map[string]any{"path": filepath.Join(top, "two")}), "two /", "b.go")
	if err := a.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, errs, _ := sh.try("index", "--no-graph", top)
	wantAll(t, errs, "src holds 2 git repositories, and is indexed as one; --each")
	wantAll(t, sh.agent(top).ask("get_file", map[string]any{"file_path": "one/a.go"}), "func A()") // as it is known now
}
