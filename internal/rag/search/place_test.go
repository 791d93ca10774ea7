package search_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

// Who names a line finds the symbol around it, though its words are not in the query.
func TestSymbolAtALine(t *testing.T) {
	svc, _ := newService(t)
	for query, want := range map[string]models.DocumentID{
		"src/p1/file4.go:15":              "symbol:o/a:src/p1/file4.go:Frame1Of4",
		"file4.go line 25":                "symbol:o/a:src/p1/file4.go:Frame2Of4",
		"at x (/app/src/p1/file4.go:3:7)": "symbol:o/a:src/p1/file4.go:Frame0Of4",
		// Lines move with each edit, names don't.
		"at Frame2Of4 (/app/src/p1/file4.go:3:7)": "symbol:o/a:src/p1/file4.go:Frame2Of4",
	} {
		for _, mode := range []string{search.ModeHybrid, search.ModeSemantic} {
			got := ids(ask(t, svc, search.Request{Query: query, Level: models.LevelAuto, RepoFilter: "o/a", Mode: mode}))
			if len(got) == 0 || got[0] != want {
				t.Errorf("%q, %s: found %v, want %s first", query, mode, got, want)
			}
		}
	}
}
