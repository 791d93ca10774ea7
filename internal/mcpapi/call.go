package mcpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/valid"
	"github.com/ragnav/ragnav/internal/view"
)

const repoID = "repo_id"

// The bounds of max_tokens.
const (
	leastTokens = 200
	mostTokens  = 20_000
)

// A caller does the calls of one tool.
type caller struct {
	Options

	tool tool
}

// call is a mcp.ToolHandler. What is wrong with a call is a result that says
// so, as the model must see it; it is never an error of the protocol.
func (c caller) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	limit := c.Timeout
	if c.tool.row.About().Name == op.Ask.Name {
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
		c.Failed(c.tool.row.About().Tool, err)
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
	req, tokens, err := c.request(ctx, args)
	if err != nil {
		return nil, "", err
	}
	env, text, err := view.Do(ctx, c.Ops, c.tool.row, req, tokens)
	if err != nil {
		return c.live(ctx, req, err)
	}
	return env, text, nil
}

// failed is an error as a result: its code, what happened and what to do next.
func failed(ctx context.Context, err error) *mcp.CallToolResult {
	code, message := fault.CodeOf(err), fault.MessageOf(err)
	if code == fault.Internal && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code, message = fault.Timeout, "it took too long; ask for less: a path_filter, a smaller limit"
	}
	text := fmt.Sprintf("%s %s %s: %s\n", models.StatusError, models.SourceNone, code, message)
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// request reads the arguments of a call into a request of the operation.
func (c caller) request(ctx context.Context, args json.RawMessage) (req any, tokens int, err error) {
	given := map[string]any{}
	if len(args) > 0 && string(args) != "null" {
		if err := json.Unmarshal(args, &given); err != nil {
			return nil, 0, fault.New(fault.InvalidRequest, "the arguments must be a JSON object")
		}
	}
	req = c.tool.row.NewRequest()
	fields := fieldsOf(reflect.TypeOf(req).Elem())
	names := []string{maxTokens}
	for _, a := range c.tool.args {
		names = append(names, a.name)
	}
	for name, v := range given {
		if !slices.Contains(names, name) {
			slices.Sort(names)
			return nil, 0, fault.New(fault.InvalidRequest, "%s has no argument %.60q; it has %s", c.tool.row.About().Tool, name, strings.Join(names, ", "))
		}
		if f, ok := fields[name]; ok {
			given[name] = lenient(f.Type, v)
		}
	}
	if tokens, err = tokensOf(given); err != nil {
		return nil, 0, err
	}
	if err := c.defaults(ctx, given, names); err != nil {
		return nil, 0, err
	}
	text, err := json.Marshal(given)
	if err != nil {
		return nil, 0, err
	}
	if err := valid.Decode(text, req); err != nil {
		return nil, 0, err
	}
	return req, tokens, valid.Check(req)
}

func tokensOf(given map[string]any) (int, error) {
	v, ok := lenient(reflect.TypeFor[int](), given[maxTokens]).(int64)
	switch {
	case given[maxTokens] == nil:
		v = view.DefaultTokens
	case !ok || v < leastTokens || v > mostTokens:
		return 0, fault.New(fault.InvalidRequest, "%s must be a whole number from %d to %d", maxTokens, leastTokens, mostTokens)
	}
	delete(given, maxTokens)
	return int(v), nil
}

// defaults fills in the repository, and the direction of lineage, which
// a call may leave out.
func (c caller) defaults(ctx context.Context, given map[string]any, names []string) error {
	if given["direction"] == nil && slices.Contains(names, "direction") {
		given["direction"] = "upstream"
	}
	if given[repoID] != nil || !slices.Contains(names, repoID) || given["document_id"] != nil {
		return nil
	}
	id, err := c.repository(ctx)
	if err != nil {
		return err
	}
	given[repoID] = id
	return nil
}

// repository is what a call without repo_id means.
func (c Options) repository(ctx context.Context) (models.RepoID, error) {
	if c.Repo != nil {
		if id, err := c.Repo(ctx); err != nil || id != "" {
			return id, err
		}
	}
	known, err := op.Repos.By(ctx, c.Ops, repos.Request{Limit: new(10)})
	if err != nil {
		return "", err
	}
	if len(known.Items) == 1 {
		return known.Items[0].RepoID, nil
	}
	var ids []string
	for _, r := range known.Items {
		ids = append(ids, string(r.RepoID))
	}
	if len(ids) == 0 {
		return "", fault.New(fault.RepoNotFound, "no repository is indexed yet; index one with `ragnav index PATH`")
	}
	return "", fault.New(fault.InvalidRequest, "repo_id is required: there are %s; list_repos tells more", strings.Join(ids, ", "))
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
				ProgressToken: token, Progress: float64(n), Message: fmt.Sprintf("%s is still at it", c.tool.row.About().Tool),
			})
		}
	})
	return func() {
		cancel()
		if err := <-ended; err != nil {
			c.Failed(c.tool.row.About().Tool, err)
		}
	}
}
