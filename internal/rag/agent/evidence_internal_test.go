package agent

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Lines of a commit are evidence while the file still has them.
func TestEvidenceOfCommit(t *testing.T) {
	for freshness, want := range map[models.Freshness]bool{"": true, models.Stale: false} {
		e := newEvidence()
		item := models.FileContent{
			RepoID: "o/app", FilePath: "a.go", Code: "package a\n", StartLine: 1, EndLine: 1, Commit: "0123456",
			Freshness: freshness,
		}
		e.add(&filefetch.Request{}, &filefetch.Response{Result: models.OKResult([]models.FileContent{item})},
			"OK\n1\tpackage a\n")
		if got := e.covers(place{"o/app", "a.go"}, 1, 1); got != want {
			t.Errorf("lines that are %q now may be cited: %v, want %v", freshness, got, want)
		}
	}
}
