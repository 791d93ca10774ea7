package ask

import (
	"context"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A page is the text of every file.
type page string

func (p page) Lines(context.Context, models.RepoID, string, int, int) (string, []models.Warning, error) {
	return string(p), nil, nil
}

// The answer begins with the sentence, and the quote with it, which is cited.
func TestPurposeIsCited(t *testing.T) {
	readme := page("# P\n\n![x](y)\n\n## Sponsors\n\nThanks!\n\n## About\n\nP is a parser of many things.\nIt is fast.\n")
	r := run{reader: reader{lines: readme, notes: newNotes(nil)}}
	quoted := func(path string, start, end int) extract.Quote {
		d := models.Document{Header: models.Header{RepoID: "o/p", FilePath: path}, Heading: "P"}
		return extract.Quote{Doc: d, Start: start, End: end}
	}
	for _, path := range []string{"README.md", "p/README.md", "other/README.md"} {
		c := extract.Answer{
			Summaries: []models.SearchResult{{RepoID: "o/p", Content: "o/p."}}, Room: 2000,
			Quotes: []extract.Quote{quoted("a.go", 1, 2), quoted(path, 1, 3)},
		}
		if err := r.introduced(t.Context(), &c); err != nil {
			t.Fatal(err)
		}
		cited, text := c.Citations()[0], c.Text()
		told := strings.Contains(text, "o/p: P is a parser of many things [1].\n“About” in ")
		if want := path != "other/README.md"; told != want || (cited.StartLine == 11 && cited.EndLine == 12) != want {
			t.Errorf("%s: %+v\n%s", path, cited, text)
		}
	}
}

// What a README says first of something else does not stand in for the description of a manifest.
func TestVaguePurpose(t *testing.T) {
	readme := page("# P\n\nAn efficient server needs fewer machines of all kinds.\n")
	r := run{reader: reader{lines: readme, notes: newNotes(nil)}}
	doc := models.Document{Header: models.Header{RepoID: "o/p", FilePath: "README.md"}}
	for summary, told := range map[string]string{
		"o/p\np: A fast parser (package.json)": "o/p: p: A fast parser (package.json).",
		"o/p\nsrc/: a.go":                      "o/p: An efficient server needs fewer machines of all kinds [1].",
	} {
		c := extract.Answer{
			Summaries: []models.SearchResult{{RepoID: "o/p", Content: summary}}, Room: 2000,
			Quotes: []extract.Quote{{Doc: doc, Start: 1, End: 3}},
		}
		if err := r.introduced(t.Context(), &c); err != nil {
			t.Fatal(err)
		}
		if text := c.Text(); !strings.Contains(text, told) {
			t.Errorf("%q: no %q in\n%s", summary, told, text)
		}
	}
}
