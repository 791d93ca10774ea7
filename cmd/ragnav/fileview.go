package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// pipeFile prints lines as they are, however many there are, in pieces.
func pipeFile(cmd *cobra.Command, s *session, req filefetch.Request) error {
	b, err := s.openFor(cmd.Context(), &req)
	if err != nil {
		return err
	}
	for {
		resp, err := do(cmd.Context(), s, b, op.File, req)
		if err != nil {
			return err
		}
		if req.Cursor = resp.Meta.NextCursor; req.Cursor != "" {
			resp.Meta = models.Meta{} // nothing is cut, and the last piece has the warnings, too
		}
		if err := present(s, op.File, resp, viewFile); err != nil || req.Cursor == "" || s.screen.failed != nil {
			return err
		}
	}
}

// viewFile prints a file's lines: numbered on a terminal, else as they are.
func viewFile(s *screen, resp filefetch.Response) {
	for _, item := range resp.Items {
		if s.terminal {
			numbered(s, item)
			continue
		}
		s.printf("%s", item.Code)
	}
}

func numbered(s *screen, item models.FileContent) {
	s.printf("%s\n", s.styled(bold, s.safe(fmt.Sprintf("%s %s  lines %d-%d of %d",
		item.RepoID, item.FilePath, item.StartLine, item.EndLine, item.TotalLines))))
	width, n := len(fmt.Sprint(item.EndLine)), item.StartLine
	for line := range strings.Lines(item.Code) {
		s.printf("%s  %s\n", s.styled(dim, fmt.Sprintf("%*d", width, n)), s.safe(strings.TrimRight(line, "\r\n")))
		n++
	}
}
