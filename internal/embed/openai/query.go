package openai

import (
	"container/list"
	"sync"
	"sync/atomic"
	"time"
)

const (
	rememberedQueries = 1024
	// queryTimeout bounds how long a search waits for its vector.
	queryTimeout = 3 * time.Second
	// After a failure the server is left alone for that long, so that searches
	// don't wait for it one after another.
	firstRest, lastRest = time.Second, 30 * time.Second
)

// A rest is the time for which a server that failed is not asked.
type rest struct {
	until  atomic.Int64 // in nanoseconds since 1970
	length atomic.Int64
	why    atomic.Pointer[error]
}

func (r *rest) over() error {
	if time.Now().UnixNano() < r.until.Load() {
		return *r.why.Load()
	}
	return nil
}

func (r *rest) begin(why error) {
	length := min(max(2*r.length.Load(), int64(firstRest)), int64(lastRest))
	r.why.Store(&why)
	r.length.Store(length)
	r.until.Store(time.Now().UnixNano() + length)
}

func (r *rest) end() { r.until.Store(0); r.length.Store(0) }

// A memory keeps the vectors of the last queries.
type memory struct {
	mu    sync.Mutex
	order *list.List // of *remembered, the last used first
	by    map[string]*list.Element
}

type remembered struct {
	text   string
	vector []float32
}

func newMemory() *memory { return &memory{order: list.New(), by: map[string]*list.Element{}} }

func (m *memory) get(text string) ([]float32, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.by[text]
	if !ok {
		return nil, false
	}
	m.order.MoveToFront(e)
	return e.Value.(*remembered).vector, true //nolint:forcetypeassert // put makes all of them
}

func (m *memory) put(text string, v []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.by[text]; ok {
		return
	}
	m.by[text] = m.order.PushFront(&remembered{text, v})
	if m.order.Len() > rememberedQueries {
		last := m.order.Remove(m.order.Back()).(*remembered) //nolint:forcetypeassert // likewise
		delete(m.by, last.text)
	}
}
