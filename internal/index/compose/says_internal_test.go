package compose

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
)

// A document is summed up by the first words that say something, not by what badges,
// menus, notes and thanks say before them.
func TestDocumentSummary(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"plain": {"# Zoo\n\nKeeps animals.\n\n", "Zoo: Keeps animals."},
		"badges": {
			"# Zoo\n\n[![x](https://a.example/b.png)](https://a.example)\n![Logo](logo.png)\n\n" +
				"[Total Downloads](https://d.example) [Monthly Downloads](https://d.example)\n\nKeeps animals of all kinds.\n",
			"Zoo: Keeps animals of all kinds.",
		},
		"sponsors before the first heading": {
			"<p>Our open source work is supported by the community.<br>Special thanks to:</p>\n\n" +
				"<a href=\"https://bank.example\"><img src=\"bank.png\" alt=\"Bank\"></a>\n\nKeeps animals of all kinds.\n\n" +
				"## Install\n\nRun the installer.\n",
			"Keeps animals of all kinds.",
		},
		"a section of sponsors": {
			"# Zoo\n\n## Sponsors\n\nBecome a sponsor today.\n\n## About\n\nKeeps animals of all kinds.\n",
			"Zoo: Keeps animals of all kinds.",
		},
		"a menu": {
			"# Zoo\n\n[Site](a) | [Chat](b) | [Docs of it](c)\n\nKeeps animals of all kinds.\n",
			"Zoo: Keeps animals of all kinds.",
		},
		"a note": {
			"# Zoo\n\n> [!NOTE]\n> It has moved to a farm.\n\nKeeps animals of all kinds.\n",
			"Zoo: Keeps animals of all kinds.",
		},
		"contents": {
			"# Zoo\n\n- [Install](#install)\n- [Use of it](#use)\n\nKeeps animals of all kinds.\n",
			"Zoo: Keeps animals of all kinds.",
		},
		"no point": {
			"# Zoo\n\nnpm package build\n\nA keeper of animals for everybody\n",
			"Zoo: A keeper of animals for everybody",
		},
		"Chinese": {"# Zoo\n\nLogo\n\n它可以照顾动物。\n", "Zoo: 它可以照顾动物。"},
		"nothing": {"# Zoo\n\nBuild status\n\n- one\n- two\n", "Zoo: Build status"},
	} {
		out := reader.Parse(parse.File{Path: "README.md", Language: "Markdown", Text: test.text})
		if got := documentSummary(out.Sections); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// What introduces a repository begins where something is said, and keeps all headings.
func TestIntroduction(t *testing.T) {
	read := func(text string) []parse.Section {
		return reader.Parse(parse.File{Path: "README.md", Language: "Markdown", Text: text}).Sections
	}
	got := Introduction(read("# Zoo\n\nBuild status\n\n## About\n\nLogo\n\nKeeps animals.\nAll of them.\n\nMore\n\n" +
		"## Use\n\nBuild status\n"))
	want := read("# Zoo\n\n## About\n\nKeeps animals.\nAll of them.\n\nMore\n\n## Use\n\nBuild status\n")
	for i, s := range want {
		if strings.TrimSpace(got[i].Text) != strings.TrimSpace(s.Text) || got[i].Heading != s.Heading {
			t.Errorf("section %d: %q %q, want %q %q", i, got[i].Heading, got[i].Text, s.Heading, s.Text)
		}
	}
	if all := read("# Zoo\n\nBuild status\n"); Introduction(all)[0].Text != all[0].Text {
		t.Errorf("of a document that says nothing %q is left", Introduction(all)[0].Text)
	}
}
