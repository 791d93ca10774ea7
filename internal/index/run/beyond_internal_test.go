package run

import (
	"fmt"
	"maps"
	"testing"

	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// The record of a repository tells in which files symbols have no document, unless
// those are too many to tell.
func TestBeyondIn(t *testing.T) {
	s := state{files: map[string]*models.FileRecord{"whole.go": {}, "long.go": {Beyond: 3}, "longer.go": {Beyond: 4}}}
	s.counts(compose.Tree{}, "")
	want := map[string]int{"long.go": 3, "longer.go": 4}
	if s.repo.Beyond != 7 || s.repo.BeyondFiles != 2 || !maps.Equal(s.repo.BeyondIn, want) {
		t.Errorf("%d symbols of %d files: %v", s.repo.Beyond, s.repo.BeyondFiles, s.repo.BeyondIn)
	}
	for n := range models.MaxBeyondIn {
		s.files[fmt.Sprintf("%d.go", n)] = &models.FileRecord{Beyond: 1}
	}
	s.counts(compose.Tree{}, "")
	if s.repo.BeyondFiles != models.MaxBeyondIn+2 || len(s.repo.BeyondIn) > 0 {
		t.Errorf("%d files: %v", s.repo.BeyondFiles, s.repo.BeyondIn)
	}
}
