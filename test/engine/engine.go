package main

import (
	"bytes"
	"errors"
	"sync"

	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search/searcher"
)

// The server refuses keys of a mapping that it does not know, and expressions and ranges that stand for more terms
// than this.
func init() {
	mapping.MappingJSONStrict = true
	searcher.DisjunctionMaxClauseCount = 1024
}

// Options say what kind of service to be.
type Options struct {
	Partitions int  // of every index, whatever its definition says; default 1
	Prefilter  bool // knn clauses have a filter and vectors a cosine, as from server 7.6.4
	BM25       bool // a definition can choose scoring_model bm25, as from server 8.0; others refuse the key
	Nodes      int  // with the service; an index can have one replica less. Default 1
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
func (e *Engine) Put(scopeCollection, key string, json []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	collection := e.documents[scopeCollection]
	if collection == nil {
		collection = map[string][]byte{}
		e.documents[scopeCollection] = collection
	}
	collection[key] = bytes.Clone(json)
	return e.each(scopeCollection, func(x *index) error { return x.put(key, json) })
}

// Delete removes a document from its collection and the indexes.
func (e *Engine) Delete(scopeCollection, key string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.documents[scopeCollection], key)
	return e.each(scopeCollection, func(x *index) error { return x.remove(key) })
}

// each changes the indexes over a collection.
func (e *Engine) each(scopeCollection string, change func(*index) error) error {
	var errs []error
	for _, x := range e.indexes {
		if x.collection == scopeCollection {
			errs = append(errs, change(x))
		}
	}
	return errors.Join(errs...)
}

// Count is the number of documents in an index, and whether there is one.
func (e *Engine) Count(bucket, scope, name string) (int, bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	x := e.indexes[fullName(bucket, scope, name)]
	if x == nil {
		return 0, false
	}
	return x.count(), true
}

// Close ends what runs in the background. The engine must not be used afterwards.
func (e *Engine) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range e.indexes {
		x.close()
	}
}

func fullName(bucket, scope, name string) string { return bucket + "." + scope + "." + name }
