package reader_test

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
	"github.com/ragnav/ragnav/internal/parse/reader"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden parses the first file of each archive in testdata as the
// language that the archive's comment names, and compares with the second.
func TestGolden(t *testing.T) {
	for _, dir := range []string{"outline", "sections"} {
		files, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no golden files in %s: %v", dir, err)
		}
		for _, file := range files {
			t.Run(dir+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
		}
	}
}

func golden(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	source := ar.Files[0]
	out := reader.Parse(parse.File{
		Path: source.Name, Language: strings.TrimSpace(string(ar.Comment)),
		Text: string(source.Data),
	})
	got := render(out)
	if *update {
		ar.Files = append(ar.Files[:1], txtar.File{Name: "want", Data: []byte(got)})
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil { //nolint:gosec // a file of the repository
			t.Fatal(err)
		}
		return
	}
	if len(ar.Files) < 2 {
		t.Fatal("no want; run with -update")
	}
	if diff := cmp.Diff(string(ar.Files[1].Data), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// render writes an outline: a line for the file, then one a symbol or section.
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
	for i, s := range out.Sections {
		fmt.Fprintf(&b, "%d: h%d %q #%s %d-%d of %q, in %d, path %q\n", i, s.HeadingLevel, s.Heading, s.Slug, s.StartLine,
			s.EndLine, s.Title, s.Parent, s.HeaderPath)
		if len(s.Tags)+len(s.Wikilinks) > 0 || s.CreatedDate+s.ModifiedDate != "" {
			fmt.Fprintf(&b, "\ttags %q links %q dates %q %q\n", s.Tags, s.Wikilinks, s.CreatedDate, s.ModifiedDate)
		}
		for line := range strings.Lines(s.Text) {
			fmt.Fprintf(&b, "\t| %s\n", strings.TrimRight(line, "\n"))
		}
	}
	return b.String()
}
