package vector

import "sync"

// maxRemembered is how many bytes of values are remembered, twice.
const maxRemembered = 2 << 20

// A ValueMemory has the values of rows that were read last: each is compressed together
// with its neighbours, and the documents that searches show are mostly the same ones. The
// zero value is ready. Its methods may be called concurrently.
type ValueMemory struct {
	mu          sync.Mutex
	now, before map[rowOf][]byte // before: those that were read before all of now
	size        int              // of now, in bytes
}

// A rowOf is a row, which stays what it is in all snapshots of a generation.
type rowOf struct {
	generation *generation
	row        int
}

// Forget forgets all values.
func (m *ValueMemory) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now, m.before, m.size = nil, nil, 0
}

func (m *ValueMemory) recall(row rowOf) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.now[row]
	if !ok {
		if v, ok = m.before[row]; ok {
			m.put(row, v)
		}
	}
	return v, ok
}

// remember takes a value, which nobody may change from now on.
func (m *ValueMemory) remember(row rowOf, v []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(row, v)
}

func (m *ValueMemory) put(row rowOf, v []byte) {
	if len(v) > maxRemembered/16 {
		return
	}
	const each = 64 // bytes that a value takes besides, or more
	if m.size += each + len(v); m.now == nil || m.size > maxRemembered {
		m.now, m.before, m.size = map[rowOf][]byte{}, m.now, each+len(v)
	}
	m.now[row] = v
}
