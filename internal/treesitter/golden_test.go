//go:build cgo

package treesitter_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/treesitter"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden parses the first file of each archive in testdata as the
// language that the archive's comment names, and compares with the second.
// Three words may follow the language: "crlf" gives the file such line ends,
// "bom" a byte order mark, "references" lists those too.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	covered := make(map[string]bool)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { covered[golden(t, file)] = true })
	}
	for _, name := range treesitter.Languages() {
		if !covered[name] && name != "jsx" {
			t.Errorf("%s has no golden file", name)
		}
	}
}

func golden(t *testing.T, file string) string {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Split(strings.TrimSpace(string(ar.Comment)), ", ")
	source := prepare(t, ar.Files[0].Data, words[1:])
	want := parse.WantSymbols
	if strings.Contains(string(ar.Comment), "references") {
		want = parse.WantReferences
	}
	out, err := treesitter.New().Outline(parse.File{Path: ar.Files[0].Name, Language: words[0], Text: source}, want)
	if err != nil {
		t.Fatal(err)
	}
	check(t, source, out)
	got := render(out)
	if *update {
		ar.Files = append(ar.Files[:1], txtar.File{Name: "want", Data: []byte(got)})
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil { //nolint:gosec // a file of the repository
			t.Fatal(err)
		}
		return strings.ToLower(words[0])
	}
	if len(ar.Files) < 2 {
		t.Fatal("no want; run with -update")
	}
	if diff := cmp.Diff(string(ar.Files[1].Data), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	return strings.ToLower(words[0])
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
