package index

import (
	"sync"
	"time"
)

// rememberPreview is for how long the pages of a preview are what the first one
// has found.
const rememberPreview = 5 * time.Minute

// A previewMemory has the last preview that has more than one page.
type previewMemory struct {
	mu      sync.Mutex
	request string
	found   *preview
	at      time.Time
}

// recall returns the preview of a request for a page that is not its first, or nil.
func (m *previewMemory) recall(request string, offset int) *preview {
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.at) > rememberPreview {
		m.found = nil
	}
	if offset == 0 || m.request != request {
		return nil
	}
	return m.found
}

func (m *previewMemory) remember(request string, found *preview) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.request, m.found, m.at = request, found, time.Now()
}
