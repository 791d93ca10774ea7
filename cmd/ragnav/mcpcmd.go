package main

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/mcpapi"
	"github.com/ragnav/ragnav/internal/parallel"
)

func newMCP(s *cli.Session) *cobra.Command {
	var set string
	var structured bool
	cmd := &cobra.Command{
		Use:   "mcp [FOLDER]",
		Short: "Serve agents (MCP) on standard input and output",
		Long: `Serve the operations as MCP tools on standard input and output, for Claude Code,
Cursor, VS Code, Codex and other agents.

The repository of the folder (default: the current one), or each in it where it
holds several, is indexed in the background and watched from then on; until its
index is there, answers come from its files. All other indexed repositories can
be asked too. Any number of agents may use one data directory: one of them owns
it, the others go through it, and when it ends another one takes its place.`,
		Example: `  claude mcp add ragnav -- ragnav mcp
  ragnav mcp --tools core ~/src/project`,
		Args: cli.Arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if set != "all" && set != "core" {
				return cli.UsageError(cmd, fault.New(fault.InvalidRequest, "--tools must be all or core, not %q", set))
			}
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			root, err := cli.WorkRoot(folder)
			if err != nil {
				return err
			}
			s.Role = app.Tool
			return serveAgent(cmd, s, &member{s: s, ctx: cmd.Context(), root: root},
				mcpapi.Options{Core: set == "core", Structured: structured, Below: below(root, folder)})
		},
	}
	cmd.Flags().StringVar(&set, "tools", "all", "all, or core: the five tools that are enough to search and read")
	cmd.Flags().BoolVar(&structured, "structured", false, "add each reply as JSON; some clients then show no text")
	cli.Complete(cmd, "tools", "all", "core")
	cli.AddSettings(cmd, false, cli.IndexOnly...)
	return cmd
}

// below is the path of a folder from the root of its repository, "" for that itself.
func below(root, folder string) string {
	dir, err := filepath.Abs(folder)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// listPatience is for how long a client may take to ask for the tools before its
// repository is opened without that.
const listPatience = 2 * time.Second

// serveAgent serves one agent until it closes the input, or ctx ends.
func serveAgent(cmd *cobra.Command, s *cli.Session, m *member, o mcpapi.Options) error {
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	m.ctx, o.Ops, o.Version = ctx, m, app.Release(release)
	if m.root != "" {
		o.Repo, o.Root, o.Holds = m.repository, m.root, m.holds
	}
	listed := make(chan struct{})
	o.Listed = sync.OnceFunc(func() { close(listed) })
	_ = parallel.Start(func() error { // so that the first call finds it open; that call reports what is wrong
		select {
		case <-listed: // the agent starts when it has the tools, so reading the store comes after them
		case <-time.After(listPatience):
		case <-ctx.Done():
			return nil
		}
		_, err := m.open(ctx)
		return err
	})
	err := mcpapi.New(o).Run(ctx, mcpapi.Stdio(cmd.InOrStdin(), s.Screen.Out))
	cancel()
	if closed := m.Close(); err == nil || ctx.Err() != nil && cmd.Context().Err() == nil {
		err = closed
	}
	return err
}
