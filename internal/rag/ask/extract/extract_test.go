package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/ask/inert"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// With little room lines of the file come before who uses it, and that before what
// its comment says.
func TestBriefBeginnings(t *testing.T) {
	doc := models.Document{
		Header:        models.Header{RepoID: "o/r", FilePath: "a.go", SymbolName: "Brew", QualifiedName: "Brew"},
		SummarySource: models.SummaryDocstring,
		Content:       "func Brew()\n\n" + strings.Repeat("It makes coffee and ", 8) + "tea. More.",
	}
	uses := " It is used by " + strings.Repeat("`Serve`, ", 20) + "and others."
	for _, test := range []struct {
		room       int
		says, uses bool
	}{{2000, true, true}, {900, true, false}, {600, false, false}} {
		c := Answer{
			Quotes: []Quote{{Doc: doc, Start: 1, End: 2, Text: "// Brew brews.\nfunc Brew() {}"}}, Room: test.room,
			Weights: map[string]float64{}, Uses: uses,
		}
		text := c.Text()
		if len(text) > test.room || !strings.Contains(text, "func Brew() {}") {
			t.Errorf("%d bytes of %d, or no lines:\n%s", len(text), test.room, text)
		}
		if says, used := strings.Contains(text, "coffee"), strings.Contains(text, "Serve"); says != test.says ||
			used != test.uses {
			t.Errorf("%d bytes: comment %v, users %v:\n%s", test.room, says, used, text)
		}
	}
}

// Who asks about a project as a whole is told what it is, and its folders.
func TestFoldersOfAProject(t *testing.T) {
	item := models.SearchResult{Content: "o/r\nr: A teapot (go.mod)\n\nFolders:\n.ci/: a\ninternal/: brew/, pour/\n" +
		"web/: Pages <of> it\n\nFiles:\nmain.go: x"}
	want := "\nIts folders:\n\n- `internal/`: brew/, pour/\n- `web/`: " + inert.Prose("Pages <of> it") + "\n"
	if got := Folders([]models.SearchResult{item}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Folders([]models.SearchResult{item, item}); got != "" {
		t.Errorf("of two projects: %q", got)
	}
	for content, want := range map[string]string{
		item.Content: "o/r: r: A teapot (go.mod)", "o/r\n\nFolders:": "o/r", "": "", "A tea.\nMore": "A tea.",
	} {
		if got := gist(content); got != want {
			t.Errorf("gist of %q: %q, want %q", content, got, want)
		}
	}
}

// What a place is for is the first sentence of its comment, without what is there for
// tools.
func TestDocLine(t *testing.T) {
	for comment, want := range map[string]string{
		"It brews. It pours.":                          "It brews",
		"Takes tea (e.g. green) and milk. More.":       "Takes tea (e.g. green) and milk",
		"Takes one (ie. \"a\") of them. More.":         "Takes one (ie. \"a\") of them",
		"Whether it is hot! This is off by default.":   "Whether it is hot!",
		"Shorthand for:\n\nbrew(pot)\n\n@param {P} ..": "Shorthand for: brew(pot)",
		"Pours a {@link Tea} into {@code pot}. So.":    "Pours a Tea into pot",
		"@api private":                            "",
		"\\brief brews\n\\param pot where to":     "brews",
		":param pot: where to.\n:return: tea.":    "",
		":class:`Pot` is hot. So what.":           ":class:`Pot` is hot",
		": nicer names":                           "nicer names",
		"Brews tea.\n\nArgs:\n    pot: where to.": "Brews tea",
		"Brews\n\nReturns\n-------\ntea":          "Brews",
		"Mail a@b.c about :memory: databases":     "Mail a@b.c about :memory: databases",
	} {
		q := Quote{Doc: models.Document{SummarySource: models.SummaryDocstring, Content: "func Brew()\n\n" + comment}}
		if got := q.DocLine(); got != inert.Prose(want) {
			t.Errorf("%q: %q, want %q", comment, got, want)
		}
	}
}

// Where nothing fits, several places of one file say no more than its first.
func TestNearestAreOfDifferentFiles(t *testing.T) {
	at := func(path string, line int) Quote {
		return Quote{Doc: models.Document{Header: models.Header{RepoID: "o/r", FilePath: path}}, Start: line, End: line}
	}
	got := Nearest([]Quote{at("a.go", 9), at("a.go", 1), at("b.go", 2), at("c.go", 3), at("d.go", 4)})
	var places []string
	for _, q := range got {
		places = append(places, fmt.Sprintf("%s:%d", q.Doc.FilePath, q.Start))
	}
	if s := strings.Join(places, " "); s != "a.go:9 b.go:2 c.go:3" {
		t.Errorf("nearest are %s, want the first of each of three files", s)
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
	c := Answer{Quotes: []Quote{{Doc: doc, Start: 1, End: 1, Text: "x"}, {Doc: section, Start: 2, End: 2, Text: "y"}}}
	c.Room = 4000
	prose := ""
	for i, part := range strings.Split(c.Text(), "``") { // those names are code of two backticks
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
