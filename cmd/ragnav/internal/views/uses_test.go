package views

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// No row of a use is longer than the terminal, and what it is in is whole.
func TestUsesFit(t *testing.T) {
	item := models.NavItem{FilePath: "src/options.go", Line: 3922, Column: 12, Edge: "calls", Symbol: "ParseTheOptions"}
	item.Snippet.Text = "\tif err := parseOptions(&index, opts, words); err != nil {"
	item.Snippet.Location.StartLine = item.Line
	for _, width := range []int{40, 63, 64, 80, 200} {
		var out strings.Builder
		WhereUsed(&term.Screen{Out: &out, Terminal: true, Colour: true, Width: width},
			nav.WhereUsedResponse{Symbol: "parseOptions", Result: models.OKResult([]models.NavItem{item})})
		for row := range strings.Lines(out.String()) {
			if n := term.Columns(strings.TrimSuffix(row, "\n")); n > width {
				t.Errorf("a row of %d columns on a terminal of %d: %q", n, width, row)
			}
		}
		if !strings.Contains(out.String(), "calls in ParseTheOptions") {
			t.Errorf("%d columns: what it is in was cut: %q", width, out.String())
		}
	}
}
