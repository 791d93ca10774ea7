package views

import (
	"testing"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// The score of a hit is left out where its line would take two rows.
func TestScoreFits(t *testing.T) {
	hit := models.SearchResult{
		RepoID: "o/r", FilePath: new("a/b.go"), SymbolName: new("Execute"), Kind: "method",
		Score: 1.5,
	}
	for width, want := range map[int]string{
		80: "1. o/r \x1b[1ma/b.go\x1b[0m  \x1b[38;5;28mExecute\x1b[0m (method)  1.500",
		31: "1. o/r \x1b[1ma/b.go\x1b[0m  \x1b[38;5;28mExecute\x1b[0m (method)",
		30: "1. o/r \x1b[1ma/b.go\x1b[0m  \x1b[38;5;28mExecute\x1b[0m (metho…",
	} {
		if got := resultHead(&term.Screen{Terminal: true, Colour: true, Width: width}, 1, hit); got != want {
			t.Errorf("%d columns: %q", width, got)
		}
	}
}
