package mcpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/tool"
	"github.com/ragnav/ragnav/internal/view"
)

// A caller does the calls of one tool.
type caller struct {
	Options

	tool  tool.Tool
	known *known
}

// call is a mcp.ToolHandler. What is wrong with a call is a result that says
// so, as the model must see it; it is never an error of the protocol.
func (c caller) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	limit := c.Timeout
	if c.tool.Row.About().Name == op.Ask.Name {
		limit = max(limit, askTimeout)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer c.report(ctx, req)()
	var env models.Envelope
	var text string
	err := parallel.Call(func() (err error) {
		env, text, err = c.do(ctx, req.Params.Arguments)
		return err
	})
	if err != nil {
		c.Failed(c.tool.Name(), err)
		return failed(ctx, err), nil
	}
	res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	if c.Structured {
		res.StructuredContent = env
	}
	return res, nil
}

// do does a call.
func (c caller) do(ctx context.Context, args json.RawMessage) (models.Envelope, string, error) {
	args = c.relative(ctx, args)
	env, text, err := c.once(ctx, args)
	if fault.CodeOf(err) != fault.PathNotFound || c.Below == "" {
		return env, text, err
	}
	if below, ok := c.below(ctx, args); ok { // a path of where the agent works, not of the root
		if env, text, missed := c.once(ctx, below); missed == nil {
			return env, text, nil
		}
	}
	return env, text, err
}

// once does a call whose paths are taken from the root. A search that names no repository
// is of the one that the agent works in, and of all where that has nothing like it, or its
// text names another one.
func (c caller) once(ctx context.Context, args json.RawMessage) (models.Envelope, string, error) {
	var assumed models.RepoID
	t, args := c.tool.For(args)
	request := func() (any, int, error) {
		return t.Request(args, func() (id models.RepoID, err error) {
			assumed, err = c.repository(ctx)
			return assumed, err
		})
	}
	req, tokens, err := request()
	if err != nil {
		return nil, "", err
	}
	row, narrowed := op.MCP.Row(t.Row), c.narrow(ctx, req)
	env, text, err := c.carryOut(ctx, row, req, tokens)
	if err == nil && narrowed {
		here, maybe := fits(env), models.RepoID("")
		var others []models.RepoID
		if here {
			others, maybe = c.named(ctx, req)
		}
		if !here || len(others) > 0 {
			if req, tokens, err = request(); err != nil {
				return nil, "", err
			}
			switch all, said, missed := c.carryOut(ctx, row, req, tokens); {
			case !here:
				env, text, err = all, said, missed
			case missed == nil && slices.Contains(others, only(all)):
				if env, text = all, said; row.About().Name == op.Ask.Name { // a search says so itself
					text += fmt.Sprintf("note: the question names %s, so that was asked; repo_filter chooses\n", only(all))
				}
			}
		} else if maybe != "" {
			text += fmt.Sprintf("note: is it about the repository %s? repo_filter asks that\n", maybe)
		}
	}
	if err != nil {
		env, text, err = c.live(ctx, req, err)
	}
	return c.asked(ctx, assumed, env, text, err)
}

// carryOut does an operation, once more where its index is soon ready.
func (c caller) carryOut(ctx context.Context, row op.Row, req any, tokens int) (models.Envelope, string, error) {
	env, text, err := view.Do(ctx, c.Ops, row, req, tokens)
	if fault.CodeOf(err) == fault.IndexNotReady && c.await(ctx) {
		return view.Do(ctx, c.Ops, row, req, tokens)
	}
	return env, text, err
}

// pathArgs are the arguments that are paths of a repository.
var pathArgs = []string{"file_path", "file", "path", "path_filter"}

// relative are arguments in which paths of files are relative to the repository that
// they are in, where it is the one that is asked.
func (c caller) relative(ctx context.Context, args json.RawMessage) json.RawMessage {
	given := map[string]any{}
	if c.Root == "" || json.Unmarshal(args, &given) != nil {
		return args
	}
	if asked, ok := given["repo_id"]; ok && asked != nil {
		if id, err := c.repository(ctx); !bytes.Contains(args, []byte(c.Root)) || err != nil || asked != string(id) {
			return args
		}
	}
	for _, name := range pathArgs {
		if p, _ := given[name].(string); p == c.Root {
			given[name] = "."
		} else if below, ok := strings.CutPrefix(p, c.Root+"/"); ok {
			given[name] = below
		}
	}
	c.within(ctx, given)
	if changed, err := json.Marshal(given); err == nil {
		return changed
	}
	return args
}

// within has a path in one of several repositories, which the agent's folder holds, be
// one of that repository.
func (c caller) within(ctx context.Context, given map[string]any) {
	if c.Holds == nil || given["repo_id"] != nil {
		return
	}
	for _, name := range pathArgs {
		p, _ := given[name].(string)
		p = strings.TrimPrefix(p, "./")
		for folder := p; folder != "." && folder != "/" && folder != ""; folder = path.Dir(folder) {
			if id := c.Holds(ctx)[folder]; id != "" {
				rest := strings.TrimPrefix(strings.TrimPrefix(p, folder), "/")
				given["repo_id"], given[name] = string(id), cmp.Or(rest, ".")
				return
			}
		}
	}
}

// below are arguments whose paths are taken from the folder that the agent works in, if
// they are of its repository.
func (c caller) below(ctx context.Context, args json.RawMessage) (json.RawMessage, bool) {
	given := map[string]any{}
	if json.Unmarshal(args, &given) != nil {
		return nil, false
	}
	if asked := given["repo_id"]; asked != nil {
		if id, err := c.repository(ctx); err != nil || asked != string(id) {
			return nil, false
		}
	}
	found := false
	for _, name := range pathArgs {
		if p, _ := given[name].(string); p != "" {
			given[name], found = path.Join(c.Below, p), true
		}
	}
	changed, err := json.Marshal(given)
	return changed, found && err == nil
}

// asked has a reply that found nothing say which of several repositories it is about,
// where the call left that out.
func (c caller) asked(ctx context.Context, assumed models.RepoID, env models.Envelope, text string, err error) (
	models.Envelope, string, error,
) {
	code := fault.CodeOf(err)
	missed := code == fault.PathNotFound || code == fault.SymbolNotFound
	if assumed == "" || !missed && (err != nil || env.Shown() > 0 || !elsewhere(env)) {
		return env, text, err
	}
	known, unknown := op.Repos.By(ctx, c.Ops, repos.Request{Limit: new(1)})
	if unknown != nil || !known.Meta.Truncated {
		return env, text, err
	}
	only := fmt.Sprintf("repo_id was left out, and only %s asked; list_repos tells of others", assumed)
	if missed {
		return env, text, fault.Wrap(code, err, "%s (%s)", fault.MessageOf(err), only)
	}
	return env, text + "note: " + only + "\n", nil
}

// elsewhere reports whether what a reply has nothing of may be in other repositories. Edits,
// and what is in a file or folder that was found, are of this one.
func elsewhere(env models.Envelope) bool {
	switch env.(type) {
	case *nav.ImpactResponse, *outline.Response, *structure.Response:
		return false
	}
	return true
}

// failed is an error as a result: its code, what happened and what to do next.
func failed(ctx context.Context, err error) *mcp.CallToolResult {
	code, message := fault.CodeOf(err), fault.MessageOf(err)
	if code == fault.Internal && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code, message = fault.Timeout, "it took too long; ask for less: a path_filter, a smaller limit"
	}
	text := fmt.Sprintf("%s %s %s: %s\n", models.StatusError, models.SourceNone, code, op.MCP.Say(message))
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// repository is what a call without repo_id means.
func (o Options) repository(ctx context.Context) (models.RepoID, error) {
	if o.Repo != nil {
		if id, err := o.Repo(ctx); err != nil || id != "" {
			return id, err
		}
	}
	if o.Holds != nil {
		if held := o.Holds(ctx); len(held) > 0 {
			return "", tool.RepositoryNeeded(slices.Sorted(maps.Values(held)), true)
		}
	}
	return tool.Repository(ctx, o.Ops)
}

// report tells a client that waits, and has asked for it, that the call is
// under way. The result ends it.
func (c caller) report(ctx context.Context, req *mcp.CallToolRequest) (end func()) {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := parallel.Start(func() error {
		tick := time.NewTicker(c.Progress)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
			}
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ // it fails when the client has gone
				ProgressToken: token, Progress: float64(n), Message: c.doing(ctx),
			})
		}
	})
	return func() {
		cancel()
		if err := <-ended; err != nil {
			c.Failed(c.tool.Name(), err)
		}
	}
}

// doing says what a call waits for: the first index of its repository, or what it does itself.
func (c caller) doing(ctx context.Context) string {
	still := c.tool.Name() + " is still at it"
	if c.patience() == 0 {
		return still
	}
	ctx, cancel := context.WithTimeout(ctx, c.Progress)
	defer cancel()
	id, err := c.repository(ctx)
	if err != nil {
		return still
	}
	job, err := c.running(ctx, id)
	if err != nil || job == nil || job.Total == 0 {
		return still
	}
	return fmt.Sprintf("%s is being indexed (%d of %d files)", id, job.Done, job.Total)
}
