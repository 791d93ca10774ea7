package mcpapi

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

const scheme = "ragnav://"

// addResources serves files and symbols by name: ragnav://{repo}/{path}#{symbol}.
func addResources(s *mcp.Server, o Options) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "file", Title: "A file, or a symbol in it", URITemplate: scheme + "{+repo}/{+path}{#symbol}",
		MIMEType:    "text/plain",
		Description: "Real lines of a file of an indexed repository; behind # a symbol such as Type.Method, or a heading.",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		text, err := o.read(ctx, req.Params.URI)
		if err != nil {
			return nil, refused(err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
			URI: req.Params.URI, MIMEType: "text/plain",
			Text: text,
		}}}, nil
	})
}

// refused is an error of the protocol with a text that a client may see.
func refused(err error) error {
	code := int64(jsonrpc.CodeInvalidParams) // also of what is not there, as newer revisions have it
	if fault.CodeOf(err) == fault.Internal {
		code = jsonrpc.CodeInternalError
	}
	return &jsonrpc.Error{Code: code, Message: op.MCP.Say(fault.MessageOf(err))}
}

// read is the content of a resource.
func (o Options) read(ctx context.Context, uri string) (string, error) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return "", fault.New(fault.InvalidRequest, "%q is no resource of ragnav", uri)
	}
	name, symbol, _ := strings.Cut(rest, "#")
	name, err := url.PathUnescape(name)
	if err == nil {
		symbol, err = url.PathUnescape(symbol)
	}
	if err != nil {
		return "", fault.Wrap(fault.InvalidRequest, err, "%q is malformed", uri)
	}
	id, path, err := o.split(ctx, name)
	if err != nil {
		return "", err
	}
	if path == "" {
		return "", fault.New(fault.InvalidRequest, "%q names no file; write %s%s/PATH, explore_structure has the paths", uri,
			scheme, id)
	}
	resp, err := op.File.By(ctx, o.Ops, filefetch.Request{RepoID: id, FilePath: path, Symbol: symbol})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, item := range resp.Items {
		b.WriteString(item.Code)
	}
	return b.String(), nil
}

// split takes the longest id of a repository off the front of a name, or else the
// last segment of the only id that ends so.
func (o Options) split(ctx context.Context, name string) (id models.RepoID, path string, err error) {
	first, behind, _ := strings.Cut(name, "/")
	var short []models.RepoID
	for req := (repos.Request{Limit: new(1000)}); ; {
		known, err := op.Repos.By(ctx, o.Ops, req)
		if err != nil {
			return "", "", err
		}
		for _, r := range known.Items {
			rest, ok := strings.CutPrefix(name+"/", string(r.RepoID)+"/")
			if ok && len(r.RepoID) > len(id) {
				id, path = r.RepoID, strings.TrimSuffix(rest, "/")
			}
			if strings.HasSuffix(string(r.RepoID), "/"+first) {
				short = append(short, r.RepoID)
			}
		}
		if req.Cursor = known.Meta.NextCursor; req.Cursor == "" {
			break
		}
	}
	if id == "" && len(short) == 1 {
		id, path = short[0], behind
	}
	if id == "" {
		return "", "", fault.New(fault.RepoNotFound, "no indexed repository is at the start of %q; list_repos has them", name)
	}
	return id, path, nil
}

// A pattern is one of spec 003's ways from a question to code.
type pattern struct{ name, title, about, steps, core string }

var patterns = []pattern{
	{
		"top_down", "From the overview to the details", "What a project does, then how one part of it works",
		"1. ask_codebase with the question and level \"repo\"\n2. search_code at level \"module\" for the topic\n" +
			"3. explore_structure of the folder that was found\n" +
			"4. outline and get_file (path#symbol) of the files that matter",
		"1. ask_codebase with the question and level \"repo\"\n2. search_code at level \"module\" for the topic\n" +
			"3. explore_structure of the folder that was found\n4. get_file (path#symbol) of what matters",
	},
	{
		"bottom_up", "From one symbol to its context", "What a function or type does and who depends on it",
		"1. search_code at level \"symbol\"\n2. get_file of the hit's document_id\n" +
			"3. where_used of the symbol; lineage when it is used by few\n4. explore_structure of its folder",
		"1. search_code at level \"symbol\"\n2. get_file of the hit's document_id\n" +
			"3. ask_codebase who uses the symbol\n4. explore_structure of its folder",
	},
	{
		"structural", "Along the structure", "Find your way in a repository that you don't know",
		"1. list_repos\n2. explore_structure of the root, then of the source folder with include_summaries\n" +
			"3. search_code for the entry point\n4. outline of what was found",
		"1. list_repos\n2. explore_structure of the root, then of the source folder with include_summaries\n" +
			"3. search_code for the entry point\n4. get_file of what was found",
	},
}

func addPrompts(s *mcp.Server, core bool) {
	for _, p := range patterns {
		steps := p.steps
		if core {
			steps = p.core
		}
		s.AddPrompt(&mcp.Prompt{
			Name: p.name, Title: p.title, Description: p.about,
			Arguments: []*mcp.PromptArgument{
				{Name: "topic", Description: "what you want to know", Required: true},
				{Name: "repo_id", Description: "in this repository"},
			},
		}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			about := strings.TrimSpace(req.Params.Arguments["topic"])
			if about == "" {
				return nil, refused(fault.New(fault.InvalidRequest, "%s needs a topic: what you want to know", p.name))
			}
			topic, err := json.Marshal(about)
			if err != nil {
				return nil, err
			}
			text := "Find out about " + string(topic)
			if repo := req.Params.Arguments["repo_id"]; repo != "" {
				text += " in the repository " + repo
			}
			text += " with ragnav's tools, in this order, and stop as soon as you know:\n" + steps +
				"\nName path and lines of what you rely on."
			return &mcp.GetPromptResult{
				Description: p.about,
				Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
			}, nil
		})
	}
}
