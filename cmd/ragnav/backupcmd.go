package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
)

func newBackup(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE.tar.gz",
		Short: "Copy the data directory into a file, also while it is in use",
		Long: `Copy the index into a new file, as it was after its last change. A server may have
the data directory open and an index run may write. What the file has was compared
with its checksums before.

Clones of URLs are not in it: they are fetched again. Nor is what a run that is
not over has prepared.`,
		Example: `  ragnav backup ragnav-monday.tar.gz
  ragnav backup --store embedded:/srv/ragnav /backup/ragnav.tar.gz`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.copied(cmd.Context(), app.BackUp, args[0], "wrote %s: %s (%s), %s, of %s\n",
				"clones of URLs are not in a backup; after it was restored, `ragnav index URL` fetches them again")
		},
	}
}

func newRestore(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE.tar.gz",
		Short: "Make a data directory from a backup",
		Long: `Make a data directory from a file that "ragnav backup" wrote. The directory must be
missing or empty. All of the backup is compared with its checksums first; one that
was cut off or changed is refused, and nothing is written.

Clones of URLs are not in a backup: "ragnav index URL" fetches them again.`,
		Example: `  ragnav restore ragnav-monday.tar.gz
  ragnav restore ragnav-monday.tar.gz --store embedded:/srv/ragnav-restored`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.copied(cmd.Context(), app.Restore, args[0], "restored %s: %s (%s), %s, to %s\n",
				"clones of URLs were not in it: `ragnav index URL` fetches them again")
		},
	}
}

// copied prints what a backup has that was made or restored.
func (s *session) copied(ctx context.Context, run func(context.Context, config.Config, string) (app.Backup, error), file, said, hint string) error {
	if s.server != "" {
		return fault.New(fault.InvalidRequest, "a backup is of a data directory; run this where that is, with --store embedded:DIR and without --server")
	}
	start := time.Now()
	path, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	b, err := run(ctx, s.cfg, path)
	if err != nil {
		return err
	}
	if s.json {
		resp := about(start, b)
		return s.printJSON(&resp)
	}
	s.screen.printf(said, s.screen.safe(b.File), counted(len(b.Files), "file"), counted(int(b.Bytes), "byte"), counted(len(b.Repositories), "repository"), s.screen.safe(b.DataDir))
	if !s.quiet {
		s.screen.note("%s", hint)
	}
	return nil
}
