package index_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// A memory is a store in memory. Batches are atomic.
type memory struct {
	mu      sync.Mutex
	docs    map[models.DocumentID]models.Document
	records map[models.RecordID]json.RawMessage
	applied int // batches

	embeddings map[models.EmbeddingKey][]float32

	// before is called ahead of each batch; its error is the batch's.
	before func(models.Batch) error
}

func newMemory() *memory {
	return &memory{
		docs: map[models.DocumentID]models.Document{}, records: map[models.RecordID]json.RawMessage{},
		embeddings: map[models.EmbeddingKey][]float32{},
	}
}

func (m *memory) Apply(ctx context.Context, b models.Batch) error {
	if m.before != nil {
		if err := m.before(b); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.applied++
	maps.DeleteFunc(m.docs,
		func(_ models.DocumentID, d models.Document) bool { return slices.Contains(b.DeleteRepos, d.RepoID) })
	for _, id := range b.DeleteRecords {
		maps.DeleteFunc(m.records, func(r models.RecordID, _ json.RawMessage) bool {
			return r.Collection == id.Collection && (id.Key == "" || id.Key == r.Key)
		})
	}
	for _, id := range b.Delete {
		delete(m.docs, id)
	}
	for _, d := range b.Put {
		m.docs[d.ID] = d
		if d.EmbeddingKey != (models.EmbeddingKey{}) {
			m.embeddings[d.EmbeddingKey] = d.Embedding
		}
	}
	for _, r := range b.PutRecords {
		value, err := json.Marshal(r.Value)
		if err != nil {
			return err
		}
		m.records[models.RecordID{Collection: r.Collection, Key: r.Key}] = value
	}
	return nil
}

func (m *memory) Documents(_ context.Context, ids []models.DocumentID) ([]models.Document, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var docs []models.Document
	for _, id := range ids {
		if d, ok := m.docs[id]; ok {
			docs = append(docs, d)
		}
	}
	return docs, nil
}

// Embeddings finds those of all documents that ever were.
func (m *memory) Embeddings(_ context.Context, keys []models.EmbeddingKey,
	_ []models.DocumentID,
) (map[models.EmbeddingKey][]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := map[models.EmbeddingKey][]float32{}
	for _, key := range keys {
		if v, ok := m.embeddings[key]; ok {
			found[key] = v
		}
	}
	return found, nil
}

func (m *memory) Record(_ context.Context, collection, key string, v any) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.records[models.RecordID{Collection: collection, Key: key}]
	if !ok {
		return false, nil
	}
	return true, json.Unmarshal(value, v)
}

func (m *memory) Records(_ context.Context, collection string, yield func(string, json.RawMessage) error) error {
	m.mu.Lock()
	found := map[string]json.RawMessage{}
	for id, value := range m.records {
		if id.Collection == collection {
			found[id.Key] = value
		}
	}
	m.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(found)) {
		if err := yield(key, found[key]); err != nil {
			return err
		}
	}
	return nil
}

// batches is how many batches were applied.
func (m *memory) batches() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.applied
}

// all is a copy of the documents.
func (m *memory) all() map[models.DocumentID]models.Document {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.docs)
}
