package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// pipeFile prints lines as they are, however many there are, in pieces.
func pipeFile(cmd *cobra.Command, s *cli.Session, req filefetch.Request) error {
	b, err := s.OpenFor(cmd.Context(), &req)
	if err != nil {
		return err
	}
	for {
		resp, err := cli.Do(cmd.Context(), s, b, op.File, req)
		if err != nil {
			return err
		}
		if req.Cursor = resp.Meta.NextCursor; req.Cursor != "" {
			resp.Meta = models.Meta{} // nothing is cut, and the last piece has the warnings, too
		}
		if err := cli.Present(s, op.File, resp, viewFile); err != nil || req.Cursor == "" || s.Screen.Failed != nil {
			return err
		}
	}
}

// viewFile prints a file's lines: numbered on a terminal, else as they are.
func viewFile(s *term.Screen, resp filefetch.Response) {
	for _, item := range resp.Items {
		if s.Terminal {
			numbered(s, item)
			continue
		}
		s.Printf("%s", item.Code)
	}
}

func numbered(s *term.Screen, item models.FileContent) {
	head := fmt.Sprintf("%s %s  lines %d-%d of %s", item.RepoID, item.FilePath, item.StartLine, item.EndLine,
		term.Thousands(item.TotalLines))
	if item.Commit != "" {
		head += fmt.Sprintf("  in commit %.12s", item.Commit)
	}
	s.Printf("%s\n", s.Styled(term.Bold, s.Safe(head)))
	width, n := len(fmt.Sprint(item.EndLine)), item.StartLine
	for _, line := range s.Code(item.FilePath, item.Language, item.Code) {
		number := s.Styled(term.Dim, fmt.Sprintf("%*d", width, n))
		for _, row := range s.Broken(line, s.Width-width-2) {
			s.Printf("%s\n", strings.TrimRight(number+"  "+row, " "))
			number = strings.Repeat(" ", width)
		}
		n++
	}
}
