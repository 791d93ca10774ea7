package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/client"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// release is set by the linker for a release: -X main.release=v1.2.3.
var release string

type versionReply = models.Result[models.Version]

func newVersion(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print what program this is, or with --server what the server is",
		Example: `  ragnav version
  ragnav version --server http://127.0.0.1:8080 --json`,
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			resp, err := s.version(cmd)
			if err != nil {
				return err
			}
			if s.json {
				return s.printJSON(&resp)
			}
			viewVersion(s.screen, resp)
			return nil
		},
	}
}

// version asks the server that was named, and opens no store.
func (s *session) version(cmd *cobra.Command) (versionReply, error) {
	if s.server != "" {
		if _, err := s.open(cmd.Context()); err != nil {
			return versionReply{}, err
		}
		return s.client.Version(cmd.Context(), client.Nothing{})
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
	stamp(&resp.Meta, start)
	return resp
}

func viewVersion(s *screen, resp versionReply) {
	for _, v := range resp.Items {
		s.printf("ragnav %s\n", or(v.Version, "(unknown version)"))
		s.table(
			[]string{"commit", or(v.Commit, "-")}, []string{"go", v.GoVersion},
			[]string{"embedder", or(v.Embedder, "-")}, []string{"schema", thousands(v.SchemaVersion)},
		)
	}
}
