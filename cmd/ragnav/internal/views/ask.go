package views

import (
	"strings"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Answer prints the answer, the places it rests on, and what it lacks.
func Answer(s *term.Screen, resp ask.Response) {
	for _, a := range resp.Items {
		s.Printf("%s\n", s.Safe(strings.TrimRight(a.Answer, "\n")))
		Sources(s, a)
	}
}

// Sources lists what an answer cites.
func Sources(s *term.Screen, a models.Answer) {
	if len(a.Citations) > 0 {
		s.Printf("\n%s\n", s.Styled(term.Bold, "Sources"))
	}
	for _, c := range a.Citations {
		checked := "checked"
		if !c.Verified {
			checked = "NOT confirmed by the file"
		}
		s.Printf("[%d] %s %s%s  (%s)\n", c.N, c.RepoID, s.Safe(c.FilePath), lineRange(&c.StartLine, &c.EndLine), checked)
	}
	for _, gap := range a.Gaps {
		s.Printf("- %s\n", s.Safe(gap))
	}
}

// An AnswerView prints an answer as it comes: its text on the screen, what the
// model looks up beside it. The line ends behind it are left to be printed.
type AnswerView struct {
	*term.Screen

	Quiet bool
	ends  string
}

// Event shows what happens while an answer is made.
func (v *AnswerView) Event(e ask.Event) {
	switch {
	case e.Delta != nil:
		text := v.ends + e.Delta.Text
		shown := strings.TrimRight(text, "\n")
		v.ends = text[len(shown):]
		v.Printf("%s", v.Safe(shown))
	case e.ToolCall != nil && !v.Quiet:
		v.Note("%s %s", e.ToolCall.Name, e.ToolCall.Arguments)
	}
}
