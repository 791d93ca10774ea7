package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
)

// previewTimeout is the limit for a dry run unless another is given: it reads
// as much as a run.
const previewTimeout = time.Hour

func newIndex(s *session) *cobra.Command {
	var req index.StartRequest
	var page pageFlags
	cmd := &cobra.Command{
		Use:   "index FOLDER-or-git-URL...",
		Short: "Index repositories, or bring their index up to date",
		Long: `Index local folders, or git URLs, which are cloned first; several run one after
another. A second run reads only the files that changed. It ends with exit code 0
when the repository is searchable.

Ctrl-C stops the run and leaves a usable index of what was done (exit code 130);
the same command goes on from there. A second Ctrl-C quits at once.

With --dry-run it only tells, file by file, what would be indexed and what would be
left out by which rule, what that costs, and writes nothing.

While an api-server owns the data directory, the run is a job of that server.`,
		Example: `  ragnav index .
  ragnav index --repo-id golang/go /usr/local/go/src
  ragnav index https://github.com/go-chi/chi
  ragnav index --dry-run --only skipped .`,
		Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.RepoID != "" && len(args) > 1 {
				return fault.New(fault.InvalidRequest, "--repo-id names one repository; index the %d targets one by one", len(args))
			}
			req.Limit, req.Cursor = page.limitOf(cmd), page.cursor
			if req.DryRun {
				return previewIndex(cmd, s, req, args)
			}
			for _, target := range args {
				req.Targets = []string{app.Target(target)}
				if err := runIndex(cmd, s, req); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar((*string)(&req.RepoID), "repo-id", "", "name of the repository (default: of its git remote, else the folder's)")
	cmd.Flags().BoolVar(&req.Full, "full", false, "read every file again, changed or not")
	cmd.Flags().BoolVar(&req.DryRun, "dry-run", false, "tell what the run would do, and write nothing")
	cmd.Flags().StringVar(&req.Only, "only", "", "with --dry-run: indexed or skipped")
	page.add(cmd, "files of a dry run (1-1000, default 100)")
	complete(cmd, "only", "indexed", "skipped")
	addSettings(cmd, false, indexOnly...)
	return cmd
}

// previewIndex shows what a run over all targets would do.
func previewIndex(cmd *cobra.Command, s *session, req index.StartRequest, targets []string) error {
	for _, target := range targets {
		req.Targets = append(req.Targets, app.Target(target))
	}
	if !cmd.Flags().Changed("timeout") {
		s.timeout = previewTimeout // a server has a limit of its own
	}
	return show(cmd, s, backend.PreviewIndex, req, viewPreview)
}
