package prose_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
)

func TestSlug(t *testing.T) {
	for heading, want := range map[string]string{
		"Install": "install", "Install & Run": "install--run", "C++ / Go": "c--go", "`code` here": "code-here",
		"snake_case-x": "snake_case-x",
		"Größe":        "größe", "日本語 です": "日本語-です", "1.2.3": "123", "[link](x) text": "link-text", "🎉": "section",
		"!!!":                                  "section",
		`<img src="https://x" alt="The Logo">`: "the-logo",
	} {
		out := reader.Parse(parse.File{Path: "a.md", Text: "# " + heading + "\n"})
		if len(out.Sections) != 1 || out.Sections[0].Slug != want {
			t.Errorf("%q: %+v, want slug %q", heading, out.Sections, want)
		}
	}
}

func TestFrontMatter(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       parse.Section
	}{
		{
			"YAML", "---\ntitle: 'A: b' # c\ntags:\n  - x\n  - \"y z\"\ncreated: 2024-01-02 03:04\n---\ntext\n",
			parse.Section{Title: "A: b", Tags: []string{"x", "y z"}, CreatedDate: "2024-01-02T03:04:00Z"},
		},
		{
			"commas in quotes",
			"---\naliases: [\"Smith, John\", 'it''s', plain]\ntags:\n  - 'a, b'\n  - \"say \\\"x\\\"\"\n---\ntext\n",
			parse.Section{Title: "a", Aliases: []string{"Smith, John", "it's", "plain"}, Tags: []string{"a, b", `say "x"`}},
		},
		{
			"comma list", "---\ntags: x, y\nupdated: 2024-01-02T03:04:05+02:00\ndate: never\n---\ntext\n",
			parse.Section{Title: "a", Tags: []string{"x", "y"}, ModifiedDate: "2024-01-02T01:04:05Z"},
		},
		{
			"TOML", "+++\ntitle = \"A\"\ndate = 2024-01-02\n[extra]\n+++\ntext\n",
			parse.Section{Title: "A", CreatedDate: "2024-01-02T00:00:00Z"},
		},
		{"CRLF", "---\r\ntitle: A\r\n---\r\ntext\r\n", parse.Section{Title: "A"}},
		{"folded", "---\ntitle: >-\n  A long\n  title\n---\ntext\n", parse.Section{Title: "A long title"}},
		{"no title", "---\ntitle: null\naliases: ~\n---\ntext\n", parse.Section{Title: "a"}},
		{"escapes", "---\ntitle: \"\\U0001F649 a\\tb \\/\"\n---\ntext\n", parse.Section{Title: `\U0001F649 a\tb \/`}},
		{"an escape", "---\ntitle: \"\\U0001F649 \\\"x\\\"\"\n---\ntext\n", parse.Section{Title: "🙉 \"x\""}},
		{"not closed", "---\ntitle: A\n", parse.Section{Title: "a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sections := reader.Parse(parse.File{Path: "a.md", Text: tt.text}).Sections
			if len(sections) == 0 {
				t.Fatal("no section")
			}
			s := sections[0]
			got := parse.Section{
				Title: s.Title, Aliases: s.Aliases, Tags: s.Tags, CreatedDate: s.CreatedDate, ModifiedDate: s.ModifiedDate,
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestPlain shows what is left of the markup of Markdown.
func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "a *b* **c** ***d*** _e_ __f__": "a b c d e f",
		"snake_case_name and 2 * 3 * 4":     "snake_case_name and 2 * 3 * 4",
		"[text](http://x/(y)) [ref][1] [x]": "text ref [x]", "![alt *x*](y.png)": "alt x",
		"`a *b* [c](d)` *e*":           "a *b* [c](d) e",
		"<b>x</b> a < b <https://x.y>": "x a < b https://x.y", "&lt;x&gt; &amp;": "<x> &", `\*no\*`: "*no*",
		"[[a|b]] [[c#d]]":                         "b c#d",
		"[![Build](https://x/badge.svg)](b) text": "text", "[![npm](https://img.shields.io/npm/v/x?style=flat)](b)": "",
		"![Workflow](https://img.shields.io/y)": "", "[![state](a.svg?x=1)](b)[![c](d/badge)][e] it": "it",
		"[![drawing](a.png)](b) text": "drawing text", "![drawing](a.svg)": "drawing",
		"*not closed": "*not closed", "glob *.go": "glob *.go", "``a ` b``": "a ` b",
	} {
		out := reader.Parse(parse.File{Path: "a.md", Text: in + "\n"})
		if len(out.Sections) != 1 || out.Sections[0].Text != want {
			t.Errorf("%q: %+v, want text %q", in, out.Sections, want)
		}
	}
}
