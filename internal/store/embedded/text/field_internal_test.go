package text

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// The terms of texts that quote their file are those that they have by
// themselves, wherever the quote begins and ends.
func TestQuotesAsTexts(t *testing.T) {
	const lines = "package twoWords\n\n// größe of\nfunc Do() {\n\treturn parseHTTP2\n}\nvar end\xff_last"
	file := models.Document{Header: models.Header{Type: models.TypeFile, RepoID: "r", FilePath: "a.go"}}
	file.Text = "a a twoWords\n" + lines
	for name, c := range map[string]struct {
		text, path  string
		first, last int
		quotes      bool
	}{
		"function":            {"Do Do \nfunc Do() {\n\treturn parseHTTP2\n}", "a.go", 4, 6, true},
		"first line":          {"x\npackage twoWords", "a.go", 1, 1, true},
		"with the newline":    {"x\nfunc Do() {\n", "a.go", 4, 4, false},
		"end without newline": {"end\nvar end\xff_last", "a.go", 7, 7, true},
		"all of it":           {lines, "a.go", 1, 7, true},
		"an empty line":       {"x\n", "a.go", 2, 2, true},
		"within a word":       {"Dofunc Do() {", "a.go", 4, 4, false},
		"other lines":         {"x\nfunc Do() {", "a.go", 5, 5, false},
		"of another file":     {"x\nfunc Do() {", "b.go", 4, 4, false},
		"beyond the end":      {"x\nvar end\xff_last", "a.go", 7, 8, false},
		"without lines":       {"x\n", "a.go", 0, 0, false},
		"backwards":           {"x\n", "a.go", 4, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := models.Document{Header: models.Header{Type: models.TypeSymbol, RepoID: "r", FilePath: c.path}, Text: c.text}
			d.StartLine, d.EndLine = c.first, c.last
			memo, analyser := NewBatchMemo(), fts.NewAnalyser()
			var fields []*textField
			for i, d := range []models.Document{file, d} {
				doc := NewDocument(&d, uint32(i), analyser, memo) //nolint:gosec // two
				fields = append(fields, doc.Fields[0].(*textField))
			}
			for i, f := range fields {
				if quotes := f.quote.file != nil; quotes != c.quotes {
					t.Errorf("text %d quotes: %v", i, quotes)
				}
				f.Analyze()
				var got []string
				for _, term := range f.terms {
					got = append(got, slices.Repeat([]string{term.term.Text}, term.n)...)
				}
				want := fts.Analyze(f.text)
				slices.Sort(got)
				slices.Sort(want)
				if diff := cmp.Diff(want, got); diff != "" || f.length != len(want) {
					t.Errorf("text %d: length %d, terms (-want +got):\n%s", i, f.length, diff)
				}
			}
		})
	}
}
