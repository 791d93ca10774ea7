package current

import (
	"container/list"
	"sync"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// maxMemory is how many bytes of documents are remembered, of files as they were
// lately.
const maxMemory = 32 << 20

// A madeKey is one content of a file.
type madeKey struct {
	repo       models.RepoID
	path, hash string
}

// A memory has the documents that were made of files lately.
type memory struct {
	mu    sync.Mutex
	order list.List // of *remembered, the newest first
	by    map[madeKey]*list.Element
	size  int
}

type remembered struct {
	key  madeKey
	docs []models.Document
	size int
}

func (m *memory) recall(key madeKey) ([]models.Document, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.by[key]
	if !ok || key.hash == "" {
		return nil, false
	}
	m.order.MoveToFront(e)
	return e.Value.(*remembered).docs, true
}

func (m *memory) remember(key madeKey, docs []models.Document) {
	r := &remembered{key: key, docs: docs, size: 200}
	for i := range docs {
		d := &docs[i]
		r.size += len(d.Text) + len(d.Content) + 4*len(d.Embedding) + 500
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if key.hash == "" || m.by[key] != nil || r.size > maxMemory {
		return
	}
	if m.by == nil {
		m.by = map[madeKey]*list.Element{}
	}
	m.by[key] = m.order.PushFront(r)
	for m.size += r.size; m.size > maxMemory; {
		oldest := m.order.Remove(m.order.Back()).(*remembered)
		delete(m.by, oldest.key)
		m.size -= oldest.size
	}
}
