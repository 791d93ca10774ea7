//go:build cgo

package treesitter_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/cputime"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// mostTime is far more than what is linear takes, and far less than what is not.
const mostTime = 20 * time.Second

// TestFactsTakeLinearTime is of files that nobody writes, but that programs may, or somebody who
// wants to keep a server busy.
func TestFactsTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	var methods, parameters, tests strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&methods, " * @method Foo f%d(array<int,\n *  string> $x)\n", i)
	}
	for i := range 5000 {
		fmt.Fprintf(&parameters, " * @param Foo%d $x%[1]d\n", i)
	}
	for i := range 10_000 {
		fmt.Fprintf(&tests, "if (!$x instanceof A) { return; }\n$x->f%d();\n$y = $x;\n", i)
	}
	php := func(comment, code string) string { return "<?php\n/**\n" + comment + "*/\n" + code }
	for name, c := range map[string]struct{ language, text string }{
		"a comment that opens a type": {
			"PHP", php(" * @return Foo<int,\n"+strings.Repeat(" *  Bar,\n", 100_000), "function f() {}\n"),
		},
		"methods of a comment": {"PHP", php(methods.String(), "class A {}\n")},
		"parameters of a comment": {
			"PHP", php(parameters.String(), "function f("+strings.Repeat("$x,\n", 5000)+"$z) {}\n"),
		},
		"tests of one variable": {"PHP", "<?php\nfunction f($x) {\n" + tests.String() + "}\n"},
		"lists in lists":        {"Swift", "let x = " + strings.Repeat("[", 60) + ".a" + strings.Repeat("]", 60) + "\n"},
		"initializers in initializers": {
			"Swift", "let x: A = " + strings.Repeat(".init(x:\n", 40) + ".a" + strings.Repeat(")", 40) + "\n",
		},
		"parameters of a comment of JavaScript": {
			"JavaScript", "/**\n" + strings.Repeat(" * @param {A} b\n", 30_000) + "*/\nfunction f(" +
				strings.Repeat("a,\n", 30_000) + "b) {}\n",
		},
		"values that are made in arguments": {
			"C#", "class A { void F() { G(" + strings.Repeat("new() { A = 1 },\n", 15_000) + "1); } }\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if why := treesitter.Guard(c.text); why != "" {
				t.Fatal(why)
			}
			cputime.Bound(t, mostTime, func() {
				if _, err := treesitter.New().Facts(parse.File{Path: "a.x", Language: c.language, Text: c.text}); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
