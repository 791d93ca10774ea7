//go:build cgo

package treesitter_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// TestFacts extracts facts of the first file of each golden outline: the
// symbols of the outline must be among them, by the same names and lines.
func TestFacts(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	eachGolden(t, func(t *testing.T, _ *treesitter.Parser, f parse.File, out parse.Outline, got facts.File) {
		again, err := treesitter.New().Facts(f)
		if diff := cmp.Diff(got, again); diff != "" || err != nil {
			t.Errorf("not the same again: %v\n%s", err, diff)
		}
		checkFacts(t, f.Text, got)
		agree(t, out, got)
	})
}

// TestFactsAreTheSameAgain: members of a class that only the outline has are in it
// each time.
func TestFactsAreTheSameAgain(t *testing.T) {
	f := parse.File{
		Path: "a.ts", Language: "TypeScript",
		Text: "on('x', () => {\n  globalThis.Pair = class {\n    constructor() {\n    }\n    close() {\n    }\n  }\n})\n",
	}
	for range 20 { // it went by the order of a map
		got, err := treesitter.New().Facts(f)
		if err != nil {
			t.Fatal(err)
		}
		var parents []string
		for _, s := range got.Symbols {
			if s.Parent >= 0 {
				parents = append(parents, got.Symbols[s.Parent].Name+" "+s.Name)
			}
		}
		if diff := cmp.Diff([]string{"Pair constructor", "Pair close"}, parents); diff != "" {
			t.Fatalf("members (-want +got)\n%s", diff)
		}
	}
}

// agree reports symbols of an outline that facts don't have.
func agree(t *testing.T, out parse.Outline, f facts.File) {
	t.Helper()
	type key struct {
		qualified string
		start     int
	}
	has := make(map[key]bool)
	for _, s := range f.Symbols {
		has[key{s.Qualified, s.StartLine}] = true
	}
	for _, s := range out.Symbols {
		if !has[key{s.Qualified, s.StartLine}] {
			t.Errorf("%s of line %d is in the outline only", s.Qualified, s.StartLine)
		}
	}
}

// checkFacts reports facts that break the promises of their types.
func checkFacts(t *testing.T, text string, f facts.File) {
	t.Helper()
	lines := parse.Lines(text)
	for i, s := range f.Symbols {
		if s.Parent >= i || s.Parent < -1 || s.Line < 1 || s.Line > lines || s.Column < 1 || s.StartLine < 1 ||
			s.EndLine > lines {
			t.Errorf("bad symbol %d of %d lines: %+v", i, lines, s)
		}
	}
	for _, r := range f.Refs {
		if r.In >= len(f.Symbols) || r.Is > len(f.Symbols) || r.Line < 1 || r.Line > lines || r.Column < 1 || r.Name == "" ||
			r.Of.Size() > facts.MaxExpr {
			t.Errorf("bad reference %q %+v of %d lines", r.Name, r, lines)
		}
	}
	for _, i := range f.Imports {
		if i.In >= len(f.Symbols) || i.Line < 1 || i.Line > lines {
			t.Errorf("bad import %+v", i)
		}
	}
}

// FuzzFacts gives any text to all walkers: none may panic, and all facts keep
// the promises of their types. It also finds texts that some grammar takes for
// ever to parse (its C code: here nothing stops it, package worker does).
func FuzzFacts(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	for i, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), string(ar.Files[0].Data)) //nolint:gosec // there are few
	}
	for i, text := range hostile {
		f.Add(uint8(i), text) //nolint:gosec // there are few
	}
	languages := treesitter.Languages()
	p := treesitter.New()
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		if len(text) > 4000 || treesitter.Guard(text) != "" {
			return
		}
		for _, language := range []string{languages[int(n)%len(languages)], "python", "typescript", "rust"} {
			got, err := p.Facts(parse.File{Path: "dir/test_a.h", Language: language, Text: text})
			if errors.Is(err, treesitter.ErrBroken) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			checkFacts(t, text, got)
		}
	})
}

// hostile are texts that walkers may stumble over.
var hostile = []string{
	"", "\n", "def", "class A(A): x = A.x", "x = x\ny = z\nz = y", "def f(x=f): return f(f)", "class\xff(: pass",
	strings.Repeat("a.", 1500) + "b", strings.Repeat("f(", 150), "x: 'List[\"x\"' = 1",
	"from . import *\nfrom .. import (", "lambda: (yield)",
	"export default class extends class {} {}", "const {a: {b: [c, ...d]}, ...e} = a", "type A = A | B; type B = A['x']",
	"enum E { A = E.A }",
	"namespace A.B.C { export import x = A; }", "impl<T> X<T> for Y<T> where T: Z {}", "use a::{b::{self, *}, c as d};",
	"class A { A a = a.a.a; }",
	"struct a { struct { int x; }; struct a *b; } c[3];", "template<typename T> struct A<T>::B { };",
	"for (const x of x) { x(x => x) }",
	"try { } catch ({a, b}) { }", "(function f() { return f })()",
	"obj = { get a() { return this.a }, ['b']: 1, 'c-d': 2, async *e() {} }",
}
