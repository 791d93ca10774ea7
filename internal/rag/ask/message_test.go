package ask

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestMessageOf(t *testing.T) {
	for question, want := range map[string]string{
		"TypeError: max or ttl is required":              "typeerror max or ttl is required",
		`why do I get "max or ttl is required"?`:         "max or ttl is required",
		"what does 'cannot open the file' mean":          "cannot open the file",
		"why does `connection reset by peer` come twice": "connection reset by peer",
		"why is the user's file not the group's one?":    "", // no quotes
		"what does `fence` do":                           "",
		"max required":                                   "",
		"how is a file opened":                           "",
		"cannot open the file\nwhat now":                 "",
	} {
		if got := strings.Join(messageOf(question), " "); got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}

// Code that gives a message comes before what speaks of its words, comments too.
func TestGiven(t *testing.T) {
	quotes := []extract.Quote{
		{Text: "// max or ttl is required, both may be\nmax int"},
		{Text: "Max or ttl is required.", Doc: models.Document{Heading: "Limits"}},
		{Text: `assert "max or ttl is required"`, Doc: models.Document{Header: models.Header{Test: true}}},
		{Text: "if max == 0 {\n\treturn errors.New(\"max or ttl is required\")\n}"},
		{Text: "ttl is required"},
	}
	for question, want := range map[string]int{
		"Error: max or ttl is required":               3,
		`why does "max or ttl is required" come up?`:  3,
		"how are max or ttl required":                 0,
		"Error: max or ttl is never to be given as 0": 0, // most of it is something else
	} {
		got := inquiry{req: Request{Query: question}}.given(quotes)
		if got[0].Text != quotes[want].Text || len(got) != len(quotes) {
			t.Errorf("%s: begins with %q", question, got[0].Text)
		}
	}
}
