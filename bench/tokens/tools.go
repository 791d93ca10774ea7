package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What an agent does at most with the tools.
const (
	mostPages = 4 // of one list
	mostReads = 5 // hits of one search
)

// A worth is what a policy came to.
type worth struct {
	tokens, calls int
	met           float64
	right         bool
}

// A task is a question with what is right.
type task struct {
	c       *corpus
	q       question
	want    truth
	verbose bool // print all that is seen
}

// An agent asks a `ragnav mcp` process.
type agent struct {
	*mcp.ClientSession
	*seen
	task
}

func askTools(ctx context.Context, program string, t task) (worth, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "bench"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.CommandContext(ctx, program, "mcp", t.c.root)},
		nil)
	if err != nil {
		return worth{}, err
	}
	defer func() { _ = session.Close() }()
	a := &agent{session, newSeen(), t}
	switch t.q.Kind {
	case whereIs:
		err = a.find(ctx)
	case whoUses:
		err = a.list(ctx, "where_used", map[string]any{"symbol": t.q.Name})
	case breaks:
		err = a.list(ctx, "lineage", map[string]any{"symbol": t.q.Name, "direction": "upstream", "depth": 2})
	case how:
		err = a.read(ctx)
	}
	return a.worth(a.seen), err
}

// worth is what has been reached.
func (t task) worth(s *seen) worth {
	met := t.want.met(t.q, s, t.c)
	return worth{s.tokens, s.calls, met, met >= t.q.enough()}
}

func (a *agent) done() bool { return a.worth(a.seen).right }

// call calls a tool of the repository and takes in what it says.
func (a *agent) call(ctx context.Context, tool string, args map[string]any) (string, error) {
	res, err := a.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return "", err
	}
	text := res.Content[0].(*mcp.TextContent).Text
	given, err := json.Marshal(args)
	a.take(a.c, tool+string(given), text)
	if a.verbose {
		fmt.Printf("--- %s %s (%d tokens so far)\n%s", tool, given, a.tokens, text)
	}
	return text, err
}

// list follows a list to its end: the reply says the call that goes on.
func (a *agent) list(ctx context.Context, tool string, args map[string]any) error {
	for range mostPages {
		text, err := a.call(ctx, tool, args)
		if err != nil || a.done() {
			return err
		}
		_, next, more := strings.Cut(text, "\nnext: "+tool+" ")
		if !more {
			return nil
		}
		args = map[string]any{}
		if err := json.Unmarshal([]byte(next), &args); err != nil {
			return err
		}
	}
	return nil
}

// query is what is searched for: the name, where the question has one.
func (a *agent) query() string {
	if a.q.Name != "" {
		return a.q.Name
	}
	return a.q.Text
}

// find searches for symbols, then for files, then for more symbols.
func (a *agent) find(ctx context.Context) error {
	for _, args := range []map[string]any{
		{"query": a.query(), "repo_filter": a.q.Repo, "level": "symbol"},
		{"query": a.query(), "repo_filter": a.q.Repo, "level": "file"},
		{"query": a.query(), "repo_filter": a.q.Repo, "level": "symbol", "limit": 20},
	} {
		if _, err := a.call(ctx, "search_code", args); err != nil || a.done() {
			return err
		}
	}
	return nil
}

var hit = regexp.MustCompile(`(?m)^\d+\. (?:\S+ )?(\S+?):(\d+)(?:-(\d+))?(?: |$)`)

// read searches for symbols and reads the hits one after another; what they
// don't show is asked once more, of files.
func (a *agent) read(ctx context.Context) error {
	for _, level := range []string{"symbol", "file"} {
		text, err := a.call(ctx, "search_code", map[string]any{"query": a.query(), "repo_filter": a.q.Repo, "level": level})
		if err != nil {
			return err
		}
		for i, m := range hit.FindAllStringSubmatch(text, -1) {
			if i == mostReads || a.done() {
				break
			}
			args := map[string]any{"file_path": m[1], "start_line": number(m[2])}
			if m[3] != "" {
				args["end_line"] = number(m[3])
			}
			if _, err := a.call(ctx, "get_file", args); err != nil {
				return err
			}
		}
		if a.done() {
			break
		}
	}
	return nil
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
