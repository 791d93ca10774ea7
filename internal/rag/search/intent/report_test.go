package intent_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
)

const filledIn = `Cursor is lost when a page is reloaded

### Checklist

- [x] I have read the documentation
- [ ] I use the latest version

**Expected behaviour**
The cursor stays where it was, as it does in the other editor. See https://example.org/demo/cursor for a film.

` + "```ts" + `
import { Widget } from "mine"
class Mine extends Widget {}
` + "```" + `

What happens instead: the page is reloaded, and the cursor jumps to the beginning of the text. The text itself is kept, so
the state of the editor is written somewhere, and the cursor is not a part of it, or it is read too late.
`

func TestReportIsItsGist(t *testing.T) {
	t.Parallel()
	for _, text := range []string{filledIn, "Please fix the following issue:\n\n" + filledIn} {
		gist := intent.Subject(text)
		if gist != intent.Of(text).Words {
			t.Errorf("of %.20q… words are not looked for that are counted", text)
		}
		if !strings.HasPrefix(gist, "Cursor is lost when a page is reloaded Cursor is lost") {
			t.Errorf("gist of %.20q… begins with %.60q, want the title twice", text, gist)
		}
		for _, absent := range []string{"Checklist", "documentation", "Expected", "example", "Widget"} {
			if strings.Contains(gist, absent) {
				t.Errorf("gist of %.20q… has %q, which is of the form or of code", text, absent)
			}
		}
		for _, word := range []string{"editor", "state", "instead"} {
			if strings.Count(gist, word) != 1 {
				t.Errorf("gist of %.20q… has %q %d times, want once", text, word, strings.Count(gist, word))
			}
		}
	}
}

func TestReportIsOfFiles(t *testing.T) {
	t.Parallel()
	if level := intent.Level(filledIn, ""); level != models.LevelFile {
		t.Errorf("level %s, want file: what a form says of documentation and classes is beside the point", level)
	}
}

func TestNoReports(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("the cursor jumps to the beginning of the text\n", 8)
	for name, text := range map[string]string{
		"one line":           strings.ReplaceAll("Cursor is lost "+many, "\n", " "),
		"few words":          "Cursor is lost\n\nwhen a page is reloaded",
		"code for a title":   "func (c *Cursor) reset() {\n" + many,
		"nothing but a name": "CursorLost\n" + many,
		"nothing but code":   "Cursor is lost again\n\n```\n" + many + "```\n",
	} {
		if gist := intent.Subject(text); gist != text {
			t.Errorf("%s: %.40q… was taken for a report", name, gist)
		}
	}
}
