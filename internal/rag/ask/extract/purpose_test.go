package extract

import (
	"strings"
	"testing"
)

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
