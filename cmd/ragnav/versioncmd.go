package main

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// release is set by the linker for a release: -X main.release=v1.2.3.
var release string

type versionReply = models.Result[models.Version]

func newVersion(s *cli.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print what program this is, or with --server what the server is",
		Example: `  ragnav version
  ragnav version --server http://127.0.0.1:8080 --json`,
		Args: cli.Arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			resp, err := versions(s, cmd)
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(&resp)
			}
			viewVersion(s.Screen, resp)
			return nil
		},
	}
}

// versions asks the server that was named, and opens no store.
func versions(s *cli.Session, cmd *cobra.Command) (versionReply, error) {
	if s.Server != "" {
		if _, err := s.Open(cmd.Context()); err != nil {
			return versionReply{}, err
		}
		return s.Client.Version(cmd.Context())
	}
	start := time.Now()
	v, err := app.Version(release)
	if err != nil {
		return versionReply{}, err
	}
	return about(start, v), nil
}

// about is a reply about the program itself, as the server gives it.
func about[T any](start time.Time, items ...T) models.Result[T] {
	resp := models.OKResult(items)
	resp.Meta.Source = models.SourceNone
	cli.Stamp(&resp.Meta, start)
	return resp
}

func viewVersion(s *term.Screen, resp versionReply) {
	for _, v := range resp.Items {
		s.Printf("ragnav %s\n", cmp.Or(v.Version, "(unknown version)"))
		s.Table(
			[]string{"commit", cmp.Or(v.Commit, "-")}, []string{"go", v.GoVersion},
			[]string{"embedder", cmp.Or(v.Embedder, "-")}, []string{"schema", term.Thousands(v.SchemaVersion)},
		)
	}
}
