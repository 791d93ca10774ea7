package searchsim

import (
	"bytes"
	"sync"
)

// A Scoring says how the text part of a search is scored.
type Scoring int

// The ways to score, see the package comment.
const (
	Reference Scoring = iota
	Bleve
)

// Options say what kind of service to imitate.
type Options struct {
	Scoring    Scoring
	Partitions int  // of every index, whatever its definition says; default 1
	Prefilter  bool // knn clauses have a filter and vectors a cosine, as from server 7.6.4
	BM25       bool // a definition can choose scoring_model bm25, as from server 8.0; others refuse the key
	// MaxClauses is how many terms an expression or a range in a query may stand
	// for; more are an error. 0 is no limit. The default of the server is 1024.
	MaxClauses int
	Nodes      int // with the service; an index can have one replica less. Default 1
}

// An Engine holds the documents of a bucket and the search indexes over them.
// All methods may be called concurrently.
type Engine struct {
	opts Options

	mu        sync.RWMutex
	documents map[string]map[string][]byte // by "scope.collection" and key
	indexes   map[string]*index            // by full name
}

// New makes an engine without documents and indexes.
func New(o Options) *Engine {
	o.Partitions = max(o.Partitions, 1)
	return &Engine{opts: o, documents: map[string]map[string][]byte{}, indexes: map[string]*index{}}
}

// Put stores a document and indexes it in all indexes of its collection, which
// is "scope.collection". When Put returns, searches find it.
func (e *Engine) Put(scopeCollection, key string, json []byte) {
	json = bytes.Clone(json)
	ready := map[*index]mapped{} // analysis takes longest, so it is done before locking
	for _, x := range e.over(scopeCollection) {
		ready[x] = x.prepare(key, json)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	collection := e.documents[scopeCollection]
	if collection == nil {
		collection = map[string][]byte{}
		e.documents[scopeCollection] = collection
	}
	collection[key] = json
	for _, x := range e.indexes {
		if x.collection != scopeCollection {
			continue
		}
		m, ok := ready[x]
		if !ok { // defined just now
			m = x.prepare(key, json)
		}
		x.put(m)
	}
}

// over is the indexes over a collection.
func (e *Engine) over(scopeCollection string) []*index {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var over []*index
	for _, x := range e.indexes {
		if x.collection == scopeCollection {
			over = append(over, x)
		}
	}
	return over
}

// Delete removes a document from its collection and the indexes.
func (e *Engine) Delete(scopeCollection, key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.documents[scopeCollection], key)
	for _, x := range e.indexes {
		if x.collection == scopeCollection {
			x.remove(key)
		}
	}
}

// Count is the number of documents in an index, and whether there is one.
func (e *Engine) Count(bucket, scope, name string) (int, bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	x := e.indexes[fullName(bucket, scope, name)]
	if x == nil {
		return 0, false
	}
	return len(x.corpus.numbers), true
}

// Close ends what runs in the background of indexes with Bleve scoring. The
// engine must not be used afterwards.
func (e *Engine) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range e.indexes {
		x.close()
	}
}

func fullName(bucket, scope, name string) string { return bucket + "." + scope + "." + name }
