package filefetch

import (
	"sync"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo"
)

// togetherKey is under what a context has what Together shares.
type togetherKey struct{ service *Service }

// An opened is the repositories that lines of one request are read from.
type opened struct {
	mu    sync.Mutex
	repos map[models.RepoID]openRepository
}

// An openRepository is a record and the files, as they are or as a commit has
// them.
type openRepository struct {
	record models.Repository
	files  repo.Files
	near   *pathFinder
	commit string // its full name, or ""
}

func (o *opened) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, r := range o.repos {
		_ = r.files.Close() // was read only
	}
	o.repos = nil
}
