package arrange

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Code that gives a message comes before what speaks of its words, comments too.
func TestGiven(t *testing.T) {
	quotes := []extract.Quote{
		{Text: "// max or ttl is required, both may be\nmax int"},
		{Text: "Max or ttl is required.", Doc: models.Document{Heading: "Limits"}},
		{Text: `assert "max or ttl is required"`, Doc: models.Document{Header: models.Header{Test: true}}},
		{Text: "if max == 0 {\n\treturn errors.New(\"max or ttl is required\")\n}"},
		{Text: "ttl is required"},
	}
	for text, want := range map[string]int{
		"Error: max or ttl is required":               3,
		`why does "max or ttl is required" come up?`:  3,
		"how are max or ttl required":                 0,
		"Error: max or ttl is never to be given as 0": 0, // most of it is something else
	} {
		got := Arranger{Asked: question.New(text, "", "", nil)}.given(quotes)
		if got[0].Text != quotes[want].Text || len(got) != len(quotes) {
			t.Errorf("%s: begins with %q", text, got[0].Text)
		}
	}
}
