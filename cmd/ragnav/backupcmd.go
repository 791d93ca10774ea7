package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
)

func newBackup(s *cli.Session) *cobra.Command {
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
		Args: cli.Arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			made := copying{
				app.BackUp, "wrote %s: %s (%s), %s, of %s\n",
				"clones of URLs are not in a backup; after it was restored, `ragnav index URL` fetches them again",
			}
			return made.run(cmd, s, args[0])
		},
	}
}

func newRestore(s *cli.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE.tar.gz",
		Short: "Make a data directory from a backup",
		Long: `Make a data directory from a file that "ragnav backup" wrote. The directory must be
missing or empty. All of the backup is compared with its checksums first; one that
was cut off or changed is refused, and nothing is written.

Clones of URLs are not in a backup: "ragnav index URL" fetches them again.`,
		Example: `  ragnav restore ragnav-monday.tar.gz
  ragnav restore ragnav-monday.tar.gz --store embedded:/srv/ragnav-restored`,
		Args: cli.Arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			restored := copying{
				app.Restore, "restored %s: %s (%s), %s, to %s\n",
				"clones of URLs were not in it: `ragnav index URL` fetches them again",
			}
			return restored.run(cmd, s, args[0])
		},
	}
}

// A copying makes a backup, or restores one.
type copying struct {
	do         func(context.Context, config.Config, string) (app.Backup, error)
	said, hint string
}

// run prints what the backup has.
func (c copying) run(cmd *cobra.Command, s *cli.Session, file string) error {
	if file == "-" {
		return cli.UsageError(cmd, fault.New(fault.InvalidRequest,
			"%s needs a file, which is compared with its checksums; - is none", cmd.Name()))
	}
	if s.Server != "" {
		return fault.New(fault.InvalidRequest,
			"a backup is of a data directory; run this where that is, with --store embedded:DIR and without --server")
	}
	start := time.Now()
	path, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	b, err := c.do(cmd.Context(), s.Config, path)
	if err != nil {
		return err
	}
	if s.JSON {
		resp := about(start, b)
		return s.PrintJSON(&resp)
	}
	s.Screen.Printf(c.said, s.Screen.Safe(b.File), term.Counted(len(b.Files), "file"), term.Counted(int(b.Bytes), "byte"),
		term.Counted(len(b.Repositories), "repository"), s.Screen.Safe(b.DataDir))
	if !s.Quiet && (b.Clones == nil || len(b.Clones) > 0) {
		s.Screen.Note("%s", c.hint)
	}
	return nil
}
