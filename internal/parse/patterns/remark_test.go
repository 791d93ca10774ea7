package patterns_test

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/parse/patterns"
)

func TestRemarks(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"Go", "// A is.\n" +
			"//go:noinline\nfunc A() { // it\n\n\ts := `\n// no\n\n`\n\t/* a\n\n\tb */\n}\n", "#..#....###."},
		{"Python", "" +
			"#!/usr/bin/env python\n# a\ndef f():\n    # type: ignore\n    \"\"\"\n    # doc\n\n    \"\"\"\n", ".#......"},
		{"TypeScript", "// @ts-ignore\n/** A. */\nconst a = `\n// b\n`; // c\n", ".#..."},
		{"Rust", "/// A.\n#[test]\nfn a() {} // b\n", "#.."},
	} {
		got := ""
		for _, remark := range patterns.Remarks(c.language, c.text) {
			got += map[bool]string{true: "#", false: "."}[remark]
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.language, got, c.want)
		}
	}
	if patterns.Remarks("no language", "# a\n") != nil {
		t.Error("of a language that is not known")
	}
}

func TestNoCode(t *testing.T) {
	const golang, python = "a /* b */ c // d\ns := \"e\" + `f`\n", "x = \"g\" # h\n'''\ni\n'''\nj\n"
	for _, c := range []struct{ language, text, at, want string }{
		{"Go", golang, "a", ""},
		{"Go", golang, "b", "comment"},
		{"Go", golang, "c", ""},
		{"Go", golang, "d", "comment"},
		{"Go", golang, "e", "string"},
		{"Go", golang, "f", "string"},
		{"Go", golang, "s", ""},
		{"Python", python, "x", ""},
		{"Python", python, "g", "string"},
		{"Python", python, "h", "comment"},
		{"Python", python, "j", ""},
		{"no language", golang, "b", ""},
	} {
		if got := patterns.NoCode(c.language, c.text, strings.Index(c.text, c.at)); got != c.want {
			t.Errorf("%s of %s is %q, want %q", c.at, c.language, got, c.want)
		}
	}
	if patterns.NoCode("Go", golang, len(golang)) != "" {
		t.Error("behind the text")
	}
}
