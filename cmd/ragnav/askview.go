package main

import (
	"strings"

	"github.com/ragnav/ragnav/internal/rag/ask"
)

// viewAnswer prints the answer, the places it rests on, and what it lacks.
func viewAnswer(s *screen, resp ask.Response) {
	for _, a := range resp.Items {
		s.printf("%s\n", s.safe(strings.TrimRight(a.Answer, "\n")))
		if len(a.Citations) > 0 {
			s.printf("\n%s\n", s.styled(bold, "Sources"))
		}
		for _, c := range a.Citations {
			checked := "checked"
			if !c.Verified {
				checked = "NOT confirmed by the file"
			}
			s.printf("[%d] %s %s%s  (%s)\n", c.N, c.RepoID, s.safe(c.FilePath), lineRange(&c.StartLine, &c.EndLine), checked)
		}
		for _, gap := range a.Gaps {
			s.printf("- %s\n", s.safe(gap))
		}
	}
}
