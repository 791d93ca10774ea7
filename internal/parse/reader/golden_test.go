package reader_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ragnav/ragnav/internal/golden"
	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/reader"
)

// TestGolden parses the first file of each archive in testdata as the
// language that the archive's comment names, and compares with the second.
func TestGolden(t *testing.T) {
	for _, dir := range []string{"outline", "sections"} {
		t.Run(dir, func(t *testing.T) {
			golden.Each(t, "testdata/"+dir+"/*.txtar", func(t *testing.T, file string) {
				golden.Archive(t, file, func(ar *txtar.Archive) string {
					return render(reader.Parse(parse.File{
						Path: ar.Files[0].Name, Language: strings.TrimSpace(string(ar.Comment)), Text: string(ar.Files[0].Data),
					}))
				})
			})
		})
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
