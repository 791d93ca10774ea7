// Package mcpapi serves operations as MCP tools, over standard input and output
// or HTTP. Replies are the text of package view: structured content is left out
// unless it is asked for, as clients then show it in place of the text.
package mcpapi

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/tool"
)

// Options say what is served. Ops is required.
type Options struct {
	Ops     op.Caller
	Version string
	// Repo is the repository that a call without repo_id means; without it that
	// is the only one there is.
	Repo func(context.Context) (models.RepoID, error)
	// Root is its folder, if that is on the client's machine: absolute paths in it are
	// taken for those in the repository.
	Root string
	// Below is the folder in Root that the agent works in, "" for Root itself: a path that
	// is not there is looked for in it.
	Below string
	// Holds are the repositories that Root holds, where it is none itself, by their paths in
	// Root.
	Holds func(context.Context) map[string]models.RepoID
	Core  bool // only the five tools of spec 003
	// Structured adds the reply as JSON beside the text.
	Structured bool
	// Timeout is the limit of a call; default 30 s, and 50 s for ask_codebase.
	Timeout time.Duration
	// Progress is the time between two notes to a client that waits; default 5 s.
	Progress time.Duration
	// Failed is told of calls that ended with an error, to log those that are
	// the program's own; nil tells nobody.
	Failed func(tool string, err error)
	// Listed is told each time that a client was given the list of tools: what is
	// slow to start can begin then. Nil tells nobody.
	Listed func()
}

const (
	defaultTimeout  = 30 * time.Second
	askTimeout      = 50 * time.Second
	defaultProgress = 5 * time.Second
	// listTTL is for how long a client may keep the lists: they change with the program only.
	listTTL = time.Hour
)

// New returns a server of the tools.
func New(o Options) *mcp.Server {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Progress <= 0 {
		o.Progress = defaultProgress
	}
	if o.Failed == nil {
		o.Failed = func(string, error) {}
	}
	s := mcp.NewServer(&mcp.Implementation{
		Name: "ragnav", Title: "ragnav: find, read and follow code",
		Version: o.Version,
	}, &mcp.ServerOptions{
		Instructions: tool.Instructions(o.Core),
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{},
			Resources: &mcp.ResourceCapabilities{},
		},
		SetCacheable: cacheable,
	})
	repositories := &known{turn: make(chan struct{}, 1)}
	for _, t := range tool.All() {
		if o.Core && !t.Core {
			continue
		}
		s.AddTool(&mcp.Tool{
			Name: t.Name(), Description: t.Description(o.Core), InputSchema: t.Schema(),
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)},
		}, caller{o, t, repositories}.call)
	}
	addResources(s, o)
	addPrompts(s, o.Core)
	if o.Listed != nil {
		s.AddReceivingMiddleware(o.tellListed)
	}
	return s
}

func (o Options) tellListed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if method == "tools/list" && err == nil {
			o.Listed()
		}
		return res, err
	}
}

// cacheable says for how long a result may be kept: lists until the program
// changes, content not at all.
func cacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	if _, reads := req.(*mcp.ReadResourceRequest); !reads {
		c.TTLMs = int(listTTL.Milliseconds())
	}
}
