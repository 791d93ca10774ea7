package main

import (
	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
)

func newIndex(s *session) *cobra.Command {
	var req index.StartRequest
	cmd := &cobra.Command{
		Use:   "index FOLDER-or-git-URL...",
		Short: "Index repositories, or bring their index up to date",
		Long: `Index local folders, or git URLs, which are cloned first; several run one after
another. A second run reads only the files that changed. It ends with exit code 0
when the repository is searchable.

Ctrl-C stops the run and leaves a usable index of what was done (exit code 130);
the same command goes on from there. A second Ctrl-C quits at once.

While an api-server owns the data directory, the run is a job of that server.`,
		Example: `  ragnav index .
  ragnav index --repo-id golang/go /usr/local/go/src
  ragnav index https://github.com/go-chi/chi`,
		Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.RepoID != "" && len(args) > 1 {
				return fault.New(fault.InvalidRequest, "--repo-id names one repository; index the %d targets one by one", len(args))
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
	addSettings(cmd, false, indexOnly...)
	return cmd
}
