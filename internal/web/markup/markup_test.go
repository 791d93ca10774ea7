package markup

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/ragnav/ragnav/internal/highlight"
	"github.com/ragnav/ragnav/internal/rag/models"
)

var (
	bare    = []string{"html", "head", "body", "pre", "mark"}
	colours = []string{"k", "s", "c", "m", "f", "t"}
	active  = strings.Fields("script style iframe img object embed form input svg math base meta link")
)

// What becomes HTML by hand is the text again when it is read as HTML, has no
// element but those of colours and marks, and no attribute but a class.
func FuzzMarkup(f *testing.F) {
	for _, file := range []string{"x.go", "x.py", "x.html", "x.tsx", "x.sh", "x.md", "none"} {
		f.Add(file, "<script>alert(1)</script>\n\"'&amp;\x00\u202e\n", 3, 5)
		f.Add(file, "func a() { /* İ */ }\nreturn `x\n", 0, 100)
	}
	f.Fuzz(func(t *testing.T, file, code string, from, to int) {
		code = strings.ToValidUTF8(code, "?")
		lines := highlight.Lines(file, "", code)
		var text strings.Builder
		for _, line := range lines {
			shown, more := Cut(line)
			if more == 0 && len(line) != len(shown) {
				t.Fatal("a part of a line is gone, and nothing says so")
			}
			for _, s := range line {
				text.WriteString(s.Text)
			}
			text.WriteByte('\n')
			checkMarkup(t, line, models.MatchLine{Matches: [][2]int{{from, to}}})
		}
		if got := text.String(); strings.TrimSuffix(got, "\n") != strings.TrimSuffix(code, "\n") {
			t.Fatalf("%q is shown as %q", code, got)
		}
	})
}

func checkMarkup(t *testing.T, line []highlight.Span, match models.MatchLine) {
	t.Helper()
	for _, s := range line {
		match.Text += s.Text
	}
	doc, err := html.Parse(strings.NewReader("<!doctype html><body><pre>\n" + string(Line(line, Places(match))) +
		"</pre>"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got strings.Builder
	for _, s := range line {
		want.WriteString(hidden.Replace(s.Text))
	}
	for d := range doc.Descendants() {
		switch {
		case d.Type == html.TextNode:
			got.WriteString(d.Data)
		case d.Type != html.ElementNode || slices.Contains(bare, d.Data) && len(d.Attr) == 0:
		case d.Data == "i" && len(d.Attr) == 1 && d.Attr[0].Key == "class" && slices.Contains(colours, d.Attr[0].Val):
		default:
			t.Fatalf("<%s %v> in %q", d.Data, d.Attr, want.String())
		}
	}
	if got.String() != want.String() {
		t.Fatalf("%q reads as %q", want.String(), got.String())
	}
}

// A document may have no element that does anything, and lead only within the
// site and to the web.
func FuzzRender(f *testing.F) {
	for _, source := range []string{
		"<script>x</script>", "[a](javascript:x)", "![a](data:text/html,x)", "<javascript:x>", "# <b onclick=x>",
		"[a]: JaVaScRiPt:x\n[a]", "---\na: <b>\n---\n",
		"|a|\n|-|\n|<i>|", "www.a.b ftp://x http://a\"b", "[a](//evil.example)", "[a](&#106;avascript:x)", "```<x>\n```",
		"- [ ] x", "# a\n# a\n# main",
		"# שלום {dir=x}\n\n- مرحبا\n\n> |a|\n> |-|\n> |ب|",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		doc, err := Render("a/b", "docs/x.md", source, "")
		if err != nil {
			t.Skip(err)
		}
		root, err := html.Parse(strings.NewReader(string(doc.HTML)))
		if err != nil {
			t.Fatal(err)
		}
		for d := range root.Descendants() {
			if d.Type == html.ElementNode && slices.Contains(active, d.Data) {
				t.Fatalf("<%s> from %q", d.Data, source)
			}
			for _, a := range d.Attr {
				checkAttribute(t, a, source)
			}
		}
	})
}

// A document in Hebrew or Arabic has its words and full stops where they belong; one in
// another script is not told which way it runs.
func TestRightToLeft(t *testing.T) {
	const source = "# %s\n\n%[1]s `x()`.\n\n- %[1]s\n\n> %[1]s\n\n|%[1]s|\n|-|\n|1|\n\n```\n%[1]s\n```\n"
	for word, want := range map[string]map[string]int{
		"שלום":  {"h1": 1, "p": 2, "ul": 1, "li": 1, "blockquote": 1, "table": 1, "th": 1, "td": 1},
		"مرحبا": {"h1": 1, "p": 2, "ul": 1, "li": 1, "blockquote": 1, "table": 1, "th": 1, "td": 1},
		"世界":    {}, "hello": {},
	} {
		doc, err := Render("a/b", "x.md", fmt.Sprintf(source, word), "")
		if err != nil {
			t.Fatal(err)
		}
		root, err := html.Parse(strings.NewReader(string(doc.HTML)))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for d := range root.Descendants() {
			for _, a := range d.Attr {
				if a.Key == "dir" && a.Val == "auto" {
					got[d.Data]++
				}
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: elements that run as their letters do: %v, want %v\n%s", word, got, want, doc.HTML)
		}
	}
}

func checkAttribute(t *testing.T, a html.Attribute, source string) {
	t.Helper()
	switch a.Key {
	case "class", "align", "title", "start":
	case "dir":
		if a.Val != "auto" {
			t.Fatalf("dir %q from %q", a.Val, source)
		}
	case "id":
		if !strings.HasPrefix(a.Val, "doc-") {
			t.Fatalf("id %q from %q", a.Val, source)
		}
	case "href":
		ok := a.Val == ""
		for _, begin := range []string{"/r/a/b", "#doc-", "http:", "https:", "mailto:", "ftp:"} {
			ok = ok || strings.HasPrefix(a.Val, begin)
		}
		if !ok {
			t.Fatalf("href %q from %q", a.Val, source)
		}
	default:
		t.Fatalf("%s=%q from %q", a.Key, a.Val, source)
	}
}
