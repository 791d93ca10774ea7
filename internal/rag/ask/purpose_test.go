package ask

import (
	"context"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A page is the text of every file.
type page string

func (p page) Lines(context.Context, models.RepoID, string, int, int) (string, []models.Warning, error) {
	return string(p), nil, nil
}

func TestPurposeOfAProject(t *testing.T) {
	for _, test := range []struct {
		name, readme, says string
		line               int
	}{
		{
			"badges", "# Slim\n\n[![B](x.svg)](y)\n[![C][c]][d]\n\nSlim is a micro-framework that helps you. More.\n",
			"Slim is a micro-framework that helps you.", 6,
		},
		{
			"picture", "# P\n\n![Banner of all](a.png)\n\n## What is P\nP is a framework to [build systems](x). So.\n",
			"P is a framework to build systems.", 6,
		},
		{
			"HTML", "<div align=\"center\">\n  <h1>Actix Web</h1>\n  <p>\n    <strong>Actix Web is a fast web framework" +
				"</strong>\n  </p>\n</div>\n", "Actix Web is a fast web framework", 4,
		},
		{
			"table of contents", "# P\n\n- [What is it all about](#a)\n- b\n\n[Home](a) | [All of the docs](b)\n\n" +
				"A parser of many things for you.\n", "A parser of many things for you.", 8,
		},
		{
			"what is said first is of something else", "# P\n\nP was once licensed under the GPL.\n\n## More\n\n" +
				"p is a fast converter of text,\ne.g. Markdown. Yes.\n", "p is a fast converter of text, e.g. Markdown.", 7,
		},
		{
			"underlined", "Okio\n====\n\nSee the [website][okio] for documentation and APIs.\n\n" +
				"Okio is a library that complements x.\n", "Okio is a library that complements x.", 6,
		},
		{
			"code and comments", "# P\n\n<!-- this is a comment of many words -->\n<!--\nThis is a longer comment.\n-->\n" +
				"```\nThis is a piece of code\n```\n\nIt draws pictures of many things.\n",
			"It draws pictures of many things.", 11,
		},
		{
			"a part far down", "# Q\n\n## A\n\n## B\n\nThe Vim plugin of p provides two functions.\n\n" +
				"It draws many small pictures.\n", "", 0,
		},
		{
			"nothing", "# P\n\n[![B](x.svg)](y)\n\n| a | table of a few words |\n\nJoin us in the chat today.\n", "", 0,
		},
	} {
		p, ok := purposeOf(strings.Split(test.readme, "\n"), "p")
		if ok != (test.says != "") || p.text != test.says || ok && p.start != test.line {
			t.Errorf("%s: %q in line %d, %v; want %q in line %d", test.name, p.text, p.start, ok, test.says, test.line)
		}
	}
}

// The answer begins with the sentence, and the quote with it, which is cited.
func TestPurposeIsCited(t *testing.T) {
	readme := page("# P\n\n![x](y)\n\n## Sponsors\n\nThanks!\n\n## About\n\nP is a parser of many things.\nIt is fast.\n")
	r := run{reader: reader{lines: readme, notes: newNotes(nil)}}
	quoted := func(path string, start, end int) quote {
		d := models.Document{Header: models.Header{RepoID: "o/p", FilePath: path}, Heading: "P"}
		return quote{doc: d, start: start, end: end}
	}
	for _, path := range []string{"README.md", "p/README.md", "other/README.md"} {
		c := composition{
			summaries: []models.SearchResult{{RepoID: "o/p", Content: "o/p."}}, room: 2000,
			quotes: []quote{quoted("a.go", 1, 2), quoted(path, 1, 3)},
		}
		if err := r.introduced(t.Context(), &c); err != nil {
			t.Fatal(err)
		}
		cited, text := c.citations()[0], c.text()
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
		c := composition{
			summaries: []models.SearchResult{{RepoID: "o/p", Content: summary}}, room: 2000,
			quotes: []quote{{doc: doc, start: 1, end: 3}},
		}
		if err := r.introduced(t.Context(), &c); err != nil {
			t.Fatal(err)
		}
		if text := c.text(); !strings.Contains(text, told) {
			t.Errorf("%q: no %q in\n%s", summary, told, text)
		}
	}
}
