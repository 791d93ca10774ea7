package run

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

// A Memory has the memos of repositories. A run takes the memo with it; only one
// that comes to its end puts it back. Of a store that others write to there is
// none.
type Memory struct {
	mu    sync.Mutex
	memos map[models.RepoID]memo
}

// Take is the memo of a repository, which is gone from here.
func (m *Memory) Take(id models.RepoID) (memo, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.memos[id]
	delete(m.memos, id)
	return found, ok
}

// keep is for runs that have ended well, of repositories that were updated once:
// the next update will come.
func (m *Memory) keep(id models.RepoID, what memo) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.memos == nil {
		m.memos = map[models.RepoID]memo{}
	}
	m.memos[id] = what
}

// Clear forgets all.
func (m *Memory) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.memos)
}
