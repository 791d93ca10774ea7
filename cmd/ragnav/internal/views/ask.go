package views

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Answer prints the answer, the places it rests on, and what it lacks.
func Answer(s *term.Screen, resp ask.Response) {
	for _, a := range resp.Items {
		text := term.Markdown{Screen: s}
		text.Feed(a.Answer)
		text.End()
		Sources(s, a)
	}
}

// Sources lists what an answer cites, save what the answer itself names as it
// quotes it, and what it lacks.
func Sources(s *term.Screen, a models.Answer) {
	headed := false
	for _, c := range a.Citations {
		place := c.FilePath + lineRange(&c.StartLine, &c.EndLine)
		if c.Verified && quoted(a.Answer, c, place) {
			continue
		}
		if !headed {
			headed = true
			s.Printf("\n%s\n", s.Styled(term.Bold, "Sources"))
		}
		checked := s.Styled(term.Dim, "checked")
		if !c.Verified {
			checked = s.Styled(term.Red, "NOT confirmed by the file")
		}
		s.Printf("[%d] %s %s  (%s)\n", c.N, c.RepoID, s.Styled(term.Bold, s.Safe(place)), checked)
	}
	if len(a.Gaps) > 0 {
		s.Printf("\n%s\n", s.Styled(term.Bold, "Gaps"))
	}
	for _, gap := range a.Gaps {
		s.Printf("- %s\n", s.Safe(gap))
	}
}

// An AnswerView prints an answer as it comes: its text on the screen, what the
// model looks up beside it.
type AnswerView struct {
	Text  term.Markdown
	Quiet bool
}

// Event shows what happens while an answer is made.
func (v *AnswerView) Event(e ask.Event) {
	switch {
	case e.Delta != nil:
		v.Text.Feed(e.Delta.Text)
	case e.ToolCall != nil && !v.Quiet:
		v.Text.Note("%s %s", e.ToolCall.Name, e.ToolCall.Arguments)
	}
}

// quoted reports whether an answer names a place where it quotes it; of one
// repository without that.
func quoted(answer string, c models.Citation, place string) bool {
	return strings.Contains(answer, fmt.Sprintf("[%d] %s `%s`", c.N, c.RepoID, place)) ||
		strings.Contains("\n"+answer, fmt.Sprintf("\n[%d] `%s`", c.N, place))
}
