// Package indexing has the commands that index, and that watch indexing.
package indexing

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// previewTimeout is the limit for a dry run unless another is given: it reads
// as much as a run.
const previewTimeout = time.Hour

const indexHelp = `Index local folders, or git URLs, which are cloned first; several run one after
another. A second run reads only the files that changed. It ends with exit code 0
when the repository is searchable.

With --each the arguments are folders of repositories: every git repository at or
below them is indexed, not what is nested in another one, such as submodules; a
second clone of one repository gets its folder's name behind its id. With
--from the folders and URLs are lines of a file ("-" for the standard input); blank
lines and those that begin with "#" don't count. Of several repositories one that
fails stops nobody, and the exit code is 1 when any did.

Ctrl-C stops the run and leaves a usable index of what was done (exit code 130);
the same command goes on from there. A second Ctrl-C quits at once.

Once a repository is searchable its graph is built, as "ragnav nav build-graph" does,
so that uses and lineage are complete and fast; with --no-graph it is not. Where it
can't be, as in a folder that is only readable, the run says so and is done.

With --summarise the language model (RAGNAV_LLM_URL) then writes summaries, of files
with their symbols that have no comment, of folders and of the repository, where it
has written none of the same content before. With --dry-run it tells how many tokens
that takes, and what they cost (RAGNAV_LLM_PRICE).

With --reembed, and nothing else, all vectors are made again by the embedder that is
configured now, beside those in use, which are searched until the new ones take
their place. Stopped or cut off, the same command goes on from there. Where an earlier
version's built-in table made the vectors, any run does so first.

With --dry-run it only tells, file by file, what would be indexed and what would be
left out by which rule, what that costs, and writes nothing.

While an api-server owns the data directory, the run is a job of that server. Behind
another run, of the same repository or on the same data directory, it waits until that
has ended, with --timeout no longer than that.`

// NewIndex is the command "index".
func NewIndex(s *cli.Session, share cli.Share) *cobra.Command {
	var req index.StartRequest
	var from string
	var noGraph bool
	cmd := &cobra.Command{
		Use:   "index {FOLDER-or-git-URL... | --from FILE | --reembed}",
		Short: "Index repositories, or bring their index up to date",
		Long:  indexHelp,
		Example: `  ragnav index .
  ragnav index --repo-id golang/go /usr/local/go/src
  ragnav index https://github.com/go-chi/chi
  ragnav index --each ~/src
  ragnav index --from repositories.txt
  ragnav index --no-graph ~/src/project
  ragnav index --dry-run --only skipped .`,
		Args: cli.Arguments(func(cmd *cobra.Command, args []string) error {
			return indexArguments(cmd, args, req.Reembed, from)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.Collect(cli.IndexCollector)
			s.Role, s.Share = app.Tool, share
			req.NoGraph = !req.DryRun // of a server: it is built here
			req.GraphNext = !req.DryRun && !noGraph && !req.Reembed
			if req.Reembed {
				return runIndex(cmd, s, req, false)
			}
			targets, err := targetsOf(cmd, args, from)
			if err != nil {
				return err
			}
			if len(targets) == 1 && !req.Each && from == "" && !req.DryRun {
				req.Targets = []string{targets[0].path}
				if n := cli.Holds(targets[0].path); n > 1 && !s.Quiet {
					s.Screen.Note("%s holds %d git repositories, and is indexed as one; --each indexes each of them",
						targets[0].path, n)
				}
				if id, root := cli.Around(cmd.Context(), s, targets[0].path); id != "" && !s.Quiet {
					s.Screen.Note("%s is a folder of %s, and becomes a repository of its own; `ragnav index %s` indexes that one",
						targets[0].path, id, root)
				}
				return runIndex(cmd, s, req, !noGraph)
			}
			return indexSeveral(cmd, s, req, targets, !noGraph)
		},
	}
	cmd.Flags().StringVar((*string)(&req.RepoID), "repo-id", "",
		"name of the repository (default: of its git remote, else the folder's)")
	cmd.Flags().BoolVar(&req.Full, "full", false, "read every file again, changed or not")
	cmd.Flags().BoolVar(&req.Summarise, "summarise", false, "have the language model write the summaries that are missing")
	cmd.Flags().IntVar(&req.SummaryTokens, "summary-tokens", 0,
		"with --summarise: tokens to spend at most (default 2000000)")
	cmd.Flags().BoolVar(&req.Reembed, "reembed", false, "make all vectors again by the configured embedder")
	cmd.Flags().BoolVar(&req.Each, "each", false, "index every git repository at or below the folders")
	cmd.Flags().StringVar(&from, "from", "", "`FILE` with a folder or git URL a line")
	cmd.Flags().BoolVar(&noGraph, "no-graph", false, "do not build the graph, into .llmc/ of the repository")
	cmd.Flags().BoolVar(&req.DryRun, "dry-run", false, "tell what the run would do, and write nothing")
	cmd.Flags().StringVar(&req.Only, "only", "", "with --dry-run: indexed or skipped")
	cli.AddPage(cmd, &req.Limit, &req.Cursor, "files of a dry run (1-1000, default 100)")
	cli.Complete(cmd, "only", "indexed", "skipped")
	cli.AddSettings(cmd, false, cli.IndexOnly...)
	return cmd
}

// indexArguments checks what is named: a run makes all vectors again, or has
// its targets from a file, or as arguments.
func indexArguments(cmd *cobra.Command, args []string, reembed bool, from string) error {
	switch {
	case reembed:
		return cobra.NoArgs(cmd, args)
	case from == "":
		return cobra.MinimumNArgs(1)(cmd, args)
	case len(args) > 0:
		return fault.New(fault.InvalidRequest,
			"--from names a file with all folders and URLs; add %q to it, or leave --from out", args[0])
	}
	return nil
}

// indexSeveral runs all targets, or shows what that would do.
func indexSeveral(cmd *cobra.Command, s *cli.Session, req index.StartRequest, targets []target, graph bool) error {
	switch {
	case req.RepoID != "" && len(targets) > 1:
		return fault.New(fault.InvalidRequest, "--repo-id names one repository; index the %d targets one by one",
			len(targets))
	case req.DryRun:
		return previewIndex(cmd, s, req, targets)
	}
	return runAll(cmd, s, req, targets, graph)
}

// previewIndex shows what a run over all targets would do.
func previewIndex(cmd *cobra.Command, s *cli.Session, req index.StartRequest, targets []target) error {
	for _, t := range targets {
		req.Targets = append(req.Targets, t.path)
	}
	s.Allow(cmd, previewTimeout) // a server has a limit of its own
	return cli.Show(cmd, s, op.PreviewIndex, req, views.Preview)
}
