package search

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/current"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Of all repositories with a sparse checkout one warning tells.
func TestSparseIsToldOnce(t *testing.T) {
	all := make(current.Standings, 5)
	for i := range all {
		all[i].Repo.RepoID, all[i].Sparse = models.RepoID("o/"+string(rune('a'+i))), i > 0
	}
	var meta models.Meta
	warnSparse(all, &meta)
	if len(meta.Warnings) != 1 {
		t.Fatalf("%d warnings: %v", len(meta.Warnings), meta.Warnings)
	}
	const want = "o/b, o/c, o/d and 1 more: what is outside of the sparse checkout was not indexed; " +
		"`git sparse-checkout add` adds to it, then `ragnav index`"
	if got := meta.Warnings[0].Message; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
