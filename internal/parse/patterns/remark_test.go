package patterns_test

import (
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
