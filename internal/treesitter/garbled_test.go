//go:build cgo

package treesitter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// One macro that the grammar takes for an error makes the rest of a header one; all
// that it declares and includes is found nevertheless.
func TestErrorsAroundDeclarations(t *testing.T) {
	text := "#include \"b.h\"\nvoid printflike(ONE, TWO) a_log(const char *, ...);\n"
	const functions = 200
	for i := range functions {
		text += fmt.Sprintf("int a_f%d(struct a *, int);\n", i)
	}
	p := treesitter.New()
	f := parse.File{Path: "a.h", Language: "C", Text: text}
	out, err := p.Outline(f, parse.WantSymbols)
	if err != nil || len(out.Symbols) < functions {
		t.Errorf("%d symbols, want %d and more: %v", len(out.Symbols), functions, err)
	}
	got, err := p.Facts(f)
	if err != nil || len(got.Imports) != 1 || len(got.Symbols) < functions {
		t.Errorf("facts: %d includes, %d symbols, want 1 and %d and more: %v", len(got.Imports), len(got.Symbols), functions,
			err)
	}
	f.Text = strings.Repeat("?? @@ 1 2 ((( $ \n", functions)
	if _, err := p.Facts(f); err == nil {
		t.Error("what is no C at all has facts")
	}
}

// A call without what it takes is being written.
func TestRequireOfNothing(t *testing.T) {
	for path, language := range map[string]string{"a.js": "JavaScript", "a.ts": "TypeScript"} {
		text := "const a = require();\nlet b = import();\nexport function f() { return [require()]; }\n"
		got, err := treesitter.New().Facts(parse.File{Path: path, Language: language, Text: text})
		if err != nil || len(got.Symbols) < 2 {
			t.Errorf("%s: %d symbols: %v", path, len(got.Symbols), err)
		}
	}
}

// A call of a macro that declares something may end the file before it ends.
func TestMacroWithoutEnd(t *testing.T) {
	for _, end := range []string{"m!(", "m![", "m! {", "m!", "m!(\n"} {
		text := "macro_rules! m { ($n:ident) => { fn $n() {} }; }\n" + end
		got, err := treesitter.New().Facts(parse.File{Path: "a.rs", Language: "Rust", Text: text})
		if err != nil || len(got.Symbols) < 1 {
			t.Errorf("%q: %d symbols: %v", end, len(got.Symbols), err)
		}
	}
}
