package resolve

import "sync"

// memo remembers what symbols stand for, for all queries of a Resolver.
type memo struct {
	shards [64]shard
	any    sync.Map // of languages, see Query.Once
}

type shard struct {
	mu      sync.RWMutex
	symbols map[SymbolID]entry
}

// maxShard bounds the memory: a shard that is full begins anew.
const maxShard = 1 << 14

func newMemo() *memo { return &memo{} }

func (m *memo) shard(s SymbolID) *shard {
	return &m.shards[(uint32(s.File)*31+uint32(s.Index))%uint32(len(m.shards))]
}

func (m *memo) load(s SymbolID) (entry, bool) {
	sh := m.shard(s)
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	e, ok := sh.symbols[s]
	return e, ok
}

func (m *memo) save(s SymbolID, e entry) {
	sh := m.shard(s)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.symbols == nil || len(sh.symbols) >= maxShard {
		sh.symbols = map[SymbolID]entry{}
	}
	sh.symbols[s] = e
}

// Once returns what make returns, which is called once for a key and World
// (twice if two ask at the same time; it must give the same). It is for
// indexes of languages: keys are comparable values of types of their own, and
// no more of them than the World has packages, files, imports and symbols.
// What make evaluates must not depend on how deep q is in evaluating already.
func Once[K comparable, V any](q *Query, key K, make func() V) V {
	if v, ok := q.r.memo.any.Load(key); ok {
		return v.(V)
	}
	v, _ := q.r.memo.any.LoadOrStore(key, make())
	return v.(V)
}
