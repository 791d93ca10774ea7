package main

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
)

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
