package index

import (
	"sync"

	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A memo is what a run left in the store, kept in memory for the next one: to
// read the records of 10,000 files takes longer than to index one of them.
type memo struct {
	files   map[string]*models.FileRecord
	folders records.Folders
}

// A memory has the memos of repositories. A run takes the memo with it; only one
// that comes to its end puts it back. Of a store that others write to there is
// none.
type memory struct {
	mu    sync.Mutex
	memos map[models.RepoID]memo
}

// take is the memo of a repository, which is gone from here.
func (m *memory) take(id models.RepoID) (memo, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.memos[id]
	delete(m.memos, id)
	return found, ok
}

// keep is for runs that have ended well, of repositories that were updated once:
// the next update will come.
func (m *memory) keep(id models.RepoID, what memo) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.memos[id] = what
}

// clear forgets all.
func (m *memory) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.memos)
}
