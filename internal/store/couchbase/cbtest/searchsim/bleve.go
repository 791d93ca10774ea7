package searchsim

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
)

// maxPending is how many changes wait before they are indexed in one batch.
const maxPending = 500

// A bleveIndex is the text part of an index in bleve. Changes are batched until
// the next search.
type bleveIndex struct {
	index bleve.Index

	mu      sync.Mutex
	pending *bleve.Batch
	err     error // of the last batch
}

func newBleveIndex(s *schema) (*bleveIndex, error) {
	// NewMemOnly would make an index of the old kind, which has no BM25.
	x, err := bleve.NewUsing("", s.mapping, scorch.Name, scorch.Name, nil)
	if err != nil {
		return nil, fmt.Errorf("open an index of bleve: %w", err)
	}
	return &bleveIndex{index: x, pending: x.NewBatch()}, nil
}

func (b *bleveIndex) put(m mapped) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.pending.IndexAdvanced(m.bleve); err != nil {
		b.err = err
	}
	b.flushAbove(maxPending)
}

func (b *bleveIndex) remove(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending.Delete(key)
	b.flushAbove(maxPending)
}

func (b *bleveIndex) flushAbove(size int) {
	if b.pending.Size() > size {
		if err := b.index.Batch(b.pending); err != nil {
			b.err = err
		}
		b.pending = b.index.NewBatch()
	}
}

// search finds what the query finds, with bleve's scores by number.
func (b *bleveIndex) search(c *corpus, query json.RawMessage) (set, []float64, error) {
	b.mu.Lock()
	b.flushAbove(0)
	err := b.err
	b.mu.Unlock()
	docs, scores := newSet(len(c.entries)), make([]float64, len(c.entries))
	if err != nil || len(c.numbers) == 0 {
		return docs, scores, err
	}
	req := bleve.NewSearchRequest(nil)
	body, err := json.Marshal(map[string]any{"query": query, "size": len(c.numbers)})
	if err == nil {
		err = json.Unmarshal(body, req)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read a request for bleve: %w", err)
	}
	result, err := b.index.Search(req)
	if err != nil {
		return nil, nil, err
	}
	for _, h := range result.Hits {
		if doc, ok := c.numbers[h.ID]; ok {
			docs.add(doc)
			scores[doc] = h.Score
		}
	}
	return docs, scores, nil
}

func (b *bleveIndex) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.index.Close(); err != nil {
		b.err = err
	}
}
