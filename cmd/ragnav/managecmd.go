package main

import (
	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/indexing"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/views"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func newRemove(s *cli.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "remove REPO_ID",
		Short: "Remove a repository from the index",
		Long: `Remove a repository and everything that belongs to it from the index. A local
folder is not touched; it can be indexed again. The clone of a URL is deleted.`,
		Example:           `  ragnav remove golang/go`,
		Args:              cli.Arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: cli.FirstRepo(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.Role = app.Tool
			return cli.Show(cmd, s, op.Remove, index.RemoveRequest{RepoID: models.RepoID(args[0])}, views.Removed)
		},
	}
}

func newCoverage(s *cli.Session) *cobra.Command {
	var req index.CoverageRequest
	cmd := &cobra.Command{
		Use:   "coverage [REPO_ID] [PATH]",
		Short: "Tell which files are indexed, and why others are not",
		Long: `Tell which files of a repository are indexed, and for each other one why it is
not: ignored, binary, too large, a secret store … A PATH is a file, of which it also
tells whether it was changed or deleted since, or a folder, whose files are listed.
Without a repository it is the one around the working directory, or a path from there.`,
		Example: `  ragnav coverage
  ragnav coverage golang/go
  ragnav coverage golang/go --only skipped
  ragnav coverage golang/go testdata/big.bin`,
		Args:              cli.Arguments(cobra.MaximumNArgs(2)),
		ValidArgsFunction: cli.FirstRepo(s),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if req.RepoID, req.Path, err = cli.Locate(cmd.Context(), s, args, true); err != nil {
				return err
			}
			return cli.Show(cmd, s, op.Coverage, req, views.Coverage)
		},
	}
	cmd.Flags().StringVar(&req.Only, "only", "", "indexed or skipped")
	cli.AddPage(cmd, &req.Limit, &req.Cursor, "files (1-1000, default 100)")
	cli.AddTokens(cmd, &req.MaxTokens)
	cli.Complete(cmd, "only", "indexed", "skipped")
	return cmd
}

func newJobs(s *cli.Session) *cobra.Command {
	var req index.JobsRequest
	cmd := &cobra.Command{
		Use:   "jobs [ID]",
		Short: "List index jobs, look at one, or cancel one",
		Long: `List the index jobs of the running server, newest first, or look at one of them.
Jobs live in the process that runs them.`,
		Example: `  ragnav jobs
  ragnav jobs 7
  ragnav jobs watch 7
  ragnav jobs cancel 7`,
		Args: cli.Arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return cli.Show(cmd, s, op.Job, index.JobRequest{ID: args[0]}, views.Jobs)
			}
			return cli.Show(cmd, s, op.Jobs, req, views.Jobs)
		},
	}
	cmd.Flags().StringVarP((*string)(&req.RepoID), "repo-id", "r", "", "only jobs of this repository")
	cli.AddPage(cmd, &req.Limit, &req.Cursor, "jobs (1-1000, default 100)")
	cli.CompleteRepos(cmd, s, "repo-id")
	cmd.AddCommand(&cobra.Command{
		Use:   "watch ID",
		Short: "Follow an index job to its end",
		Long: `Follow an index job to its end, whoever started it. Ctrl-C ends the watching, not
the job. Exit code 0 when the job is done, 1 when it failed, 5 when it was cancelled.`,
		Example: `  ragnav jobs watch 7`,
		Args:    cli.Arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return indexing.WatchJob(cmd, s, index.JobRequest{ID: args[0]})
		},
	})
	cmd.AddCommand(&cobra.Command{
		Use:     "cancel ID",
		Short:   "Cancel an index job; what it indexed so far stays usable",
		Example: `  ragnav jobs cancel 7`,
		Args:    cli.Arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return cli.Show(cmd, s, op.CancelJob, index.JobRequest{ID: args[0]}, views.Jobs)
		},
	})
	return cmd
}
