package views

import (
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestSince(t *testing.T) {
	for want, r := range map[string]models.RepoInfo{
		"2026-01-31 12:00": {FileCount: 3, LastIndexedAt: new("2026-01-31T12:00:00Z")},
		"in part":          {FileCount: 3},
		"never":            {},
	} {
		if got := since(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
