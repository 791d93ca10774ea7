package views

import (
	"strings"
	"testing"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Of a hit that is too long for its row the score is left out; then what it is
// stands below where it is. Neither its path nor its name is ever cut.
func TestHeadFits(t *testing.T) {
	hit := models.SearchResult{
		RepoID: "o/r", FilePath: new("a/b.go"), SymbolName: new("Execute"), Kind: "method",
		Score: 1.5,
	}
	for width, want := range map[int]string{
		80: "1. o/r \x1b[1ma/b.go\x1b[0m  \x1b[38;5;28mExecute\x1b[0m (method)  1.500\n",
		31: "1. o/r \x1b[1ma/b.go\x1b[0m  \x1b[38;5;28mExecute\x1b[0m (method)\n",
		30: "1. o/r \x1b[1ma/b.go\x1b[0m\n   \x1b[38;5;28mExecute\x1b[0m (method)  1.500\n",
		12: "1. o/r \x1b[1ma/b.go\x1b[0m\n   \x1b[38;5;28mExecute\x1b[0m\n     (method)\n     1.500\n",
	} {
		var out strings.Builder
		head(&term.Screen{Out: &out, Terminal: true, Colour: true, Width: width}, 1, hit)
		if got := out.String(); got != want {
			t.Errorf("%d columns: %q", width, got)
		}
	}
}
