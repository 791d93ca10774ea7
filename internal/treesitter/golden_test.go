//go:build cgo

package treesitter_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/golden"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

// TestGolden parses the first file of each archive in testdata as the
// language that the archive's comment names, and compares with the second.
// Three words may follow the language: "crlf" gives the file such line ends,
// "bom" a byte order mark, "references" lists those too.
func TestGolden(t *testing.T) {
	covered := make(map[string]bool)
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, file string) {
		golden.Archive(t, file, func(ar *txtar.Archive) string {
			words := strings.Split(strings.TrimSpace(string(ar.Comment)), ", ")
			covered[strings.ToLower(words[0])] = true
			return outlineOf(t, ar.Files[0], words)
		})
	})
	for _, name := range treesitter.Languages() {
		if !covered[name] && name != "jsx" {
			t.Errorf("%s has no golden file", name)
		}
	}
}

func outlineOf(t *testing.T, file txtar.File, words []string) string {
	source := prepare(t, file.Data, words[1:])
	want := parse.WantSymbols
	if slices.Contains(words, "references") {
		want = parse.WantReferences
	}
	out, err := treesitter.New().Outline(parse.File{Path: file.Name, Language: words[0], Text: source}, want)
	if err != nil {
		t.Fatal(err)
	}
	check(t, source, out)
	return render(out)
}

// prepare makes the file that a golden file describes and decodes it as an
// index run does.
func prepare(t *testing.T, data []byte, words []string) string {
	for _, word := range words {
		switch word {
		case "crlf":
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		case "bom":
			data = append([]byte("\xef\xbb\xbf"), data...)
		}
	}
	text, ok := parse.Decode(data)
	if !ok {
		t.Fatal("not text")
	}
	return text
}

// render writes an outline: a line for the file, then one a symbol and one a
// reference.
func render(out parse.Outline) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, %d lines, package %q, exports %q\nsummary %q\n", out.Method, out.Lines, out.Package, out.Exports,
		out.Summary)
	for _, s := range out.Symbols {
		mark := "-"
		if s.Exported {
			mark = "+"
		}
		fmt.Fprintf(&b, "%s%s %s %d-%d %s\n", mark, s.Kind, s.Qualified, s.StartLine, s.EndLine, s.Signature)
		if s.Doc != "" {
			fmt.Fprintf(&b, "\t%q\n", s.Doc)
		}
	}
	for _, r := range out.References {
		in := ""
		if r.Symbol >= 0 {
			in = " in " + out.Symbols[r.Symbol].Qualified
		}
		fmt.Fprintf(&b, "%d:%d %s %q of %q%s\n", r.Line, r.Column, r.Kind, r.Name, r.Of, in)
	}
	return b.String()
}

// check reports an outline that breaks the promises of its types.
func check(t *testing.T, text string, out parse.Outline) {
	t.Helper()
	lines := parse.Lines(text)
	if out.Lines != lines {
		t.Errorf("Lines = %d, want %d", out.Lines, lines)
	}
	last := 0
	for _, s := range out.Symbols {
		if s.StartLine < 1 || s.EndLine < s.StartLine || s.EndLine > lines || s.StartLine < last {
			t.Fatalf("%s %s: lines %d-%d of %d, behind line %d", s.Kind, s.Qualified, s.StartLine, s.EndLine, lines, last)
		}
		if s.Qualified == "" || s.Kind == "" || strings.ContainsAny(s.Signature, "\n\r") || len(s.Signature) > 300 {
			t.Fatalf("bad symbol %+v", s)
		}
		last = s.StartLine
	}
	for _, r := range out.References {
		if r.Line < 1 || r.Line > lines || r.Column < 1 || r.Symbol >= len(out.Symbols) {
			t.Fatalf("bad reference %+v", r)
		}
	}
}
