package modelserver

import (
	"container/list"
	"sync"
)

// A Memory keeps what was last asked, with its answers.
type Memory[Answer any] struct {
	most  int
	mu    sync.Mutex
	order *list.List // of remembered, the last used first
	by    map[string]*list.Element
}

type remembered[Answer any] struct {
	asked  string
	answer Answer
}

// NewMemory returns a memory of so many answers.
func NewMemory[Answer any](most int) *Memory[Answer] {
	return &Memory[Answer]{most: most, order: list.New(), by: map[string]*list.Element{}}
}

// Get is the answer to what was asked, if it is remembered.
func (m *Memory[Answer]) Get(asked string) (answer Answer, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.by[asked]
	if !ok {
		return answer, false
	}
	m.order.MoveToFront(e)
	return e.Value.(remembered[Answer]).answer, true //nolint:forcetypeassert // Put makes all of them
}

// Put remembers an answer, and forgets the one that was not used for longest.
func (m *Memory[Answer]) Put(asked string, answer Answer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.by[asked]; ok {
		return
	}
	m.by[asked] = m.order.PushFront(remembered[Answer]{asked, answer})
	if m.order.Len() > m.most {
		last := m.order.Remove(m.order.Back()).(remembered[Answer]) //nolint:forcetypeassert // likewise
		delete(m.by, last.asked)
	}
}
