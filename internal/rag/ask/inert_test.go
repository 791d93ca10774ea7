package ask

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestInert(t *testing.T) {
	for text, want := range map[string]string{
		"Retries a request":                  "Retries a request",
		"a [link](http://e.example/x) there": "a [link] (http://e.example/x) there",
		"![p](http://e.example/p.png?d=1)":   "![p] (http://e.example/p.png?d=1)",
		`in <img src="//e.example/p"> line`:  "in  line",
		"<im<img>g src=x>":                   "",
		"<scr<script>ipt>":                   "",
		"of Map<String, List<T>>":            "of Map<String, List<T>>",
		"one\nline":                          "one line",
	} {
		if got := Inert(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	deep := "<img>"
	for range 12 {
		deep = "<im" + deep + "g>"
	}
	if got := Inert(deep); strings.Contains(got, "<") {
		t.Errorf("%q", got)
	}
}

func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"a.go": "`a.go`", "a`b": "`` a`b ``", "a``b`": "``` a``b` ```", "a\nb": "`a b`",
	} {
		if got := Code(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What a repository calls its files, symbols and headings, and says of them, is
// neither an image nor a link in an answer.
func TestNamesAreInert(t *testing.T) {
	const pixel = "` ![p](http:/e.example/p.png) `"
	doc := models.Document{
		Header:        models.Header{RepoID: "o/r", FilePath: "src/" + pixel + ".go", QualifiedName: "f" + pixel},
		SummarySource: models.SummaryDocstring,
		Content:       "func f()\n\nPays ![p](http://e.example/p.png) <img src=http://e.example/i> well",
	}
	section := doc
	section.Heading = "Use ![p](http://e.example/p.png)"
	c := composition{quotes: []quote{{doc: doc, start: 1, end: 1, text: "x"}, {doc: section, start: 2, end: 2, text: "y"}}}
	c.room = 4000
	prose := ""
	for i, part := range strings.Split(c.text(), "``") { // those names are code of two backticks
		if i%2 == 0 {
			prose += part
		}
	}
	for _, live := range []string{"](", "<img"} {
		if strings.Contains(prose, live) {
			t.Errorf("%s is live in\n%s", live, prose)
		}
	}
}
