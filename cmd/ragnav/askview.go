package main

import (
	"strings"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// viewAnswer prints the answer, the places it rests on, and what it lacks.
func viewAnswer(s *screen, resp ask.Response) {
	for _, a := range resp.Items {
		s.printf("%s\n", s.safe(strings.TrimRight(a.Answer, "\n")))
		viewSources(s, a)
	}
}

func viewSources(s *screen, a models.Answer) {
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

// An answerView prints an answer as it comes: its text on the screen, what the
// model looks up beside it. The line ends behind it are left to be printed.
type answerView struct {
	*screen

	quiet bool
	ends  string
}

func (v *answerView) event(e ask.Event) {
	switch {
	case e.Delta != nil:
		text := v.ends + e.Delta.Text
		shown := strings.TrimRight(text, "\n")
		v.ends = text[len(shown):]
		v.printf("%s", v.safe(shown))
	case e.ToolCall != nil && !v.quiet:
		v.note("%s %s", e.ToolCall.Name, e.ToolCall.Arguments)
	}
}
