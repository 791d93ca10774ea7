package couchbase

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

// Embeddings implements store.Reader. It looks at the documents near, by their
// keys, and at no others: that costs the index run of a file what it costs to
// read the documents that the file had, and needs no index in the cluster.
func (s *Store) Embeddings(ctx context.Context, keys []models.EmbeddingKey,
	near []models.DocumentID,
) (map[models.EmbeddingKey][]float32, error) {
	wanted := make(map[models.EmbeddingKey]bool, len(keys))
	for _, key := range keys {
		wanted[key] = key != models.EmbeddingKey{}
	}
	type slot struct {
		key    models.EmbeddingKey
		vector []float32
	}
	slots := make([]slot, len(near))
	_, err := driver.InParallel(ctx, len(near), func(i int) error {
		if near[i] == "" {
			return nil
		}
		value, _, err := s.get(ctx, s.documents, wire.DocumentKey(near[i]))
		if err != nil || value == nil {
			return err
		}
		if key, v := decodeEmbedding(value); wanted[key] {
			slots[i] = slot{key, v}
		}
		return nil
	})
	if err != nil {
		return nil, s.config.Failed(ctx, "read embeddings", err)
	}
	found := map[models.EmbeddingKey][]float32{}
	for _, x := range slots {
		if wanted[x.key] {
			found[x.key] = x.vector
		}
	}
	return found, nil
}

// decodeEmbedding reads the embedding of a document and its key, which is zero
// when there is none or the value is not as encodeDocument writes it.
func decodeEmbedding(value []byte) (key models.EmbeddingKey, v []float32) {
	var fields map[string]json.RawMessage
	var digits string
	if json.Unmarshal(value, &fields) != nil || json.Unmarshal(fields[wire.EmbeddingKeyField], &digits) != nil {
		return models.EmbeddingKey{}, nil
	}
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != len(key) {
		return models.EmbeddingKey{}, nil
	}
	var components []byte
	if raw, ok := fields[fts.FieldEmbedding]; ok {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return models.EmbeddingKey{}, nil
		}
		if components, err = base64.StdEncoding.DecodeString(text); err != nil || len(components)%4 != 0 {
			return models.EmbeddingKey{}, nil
		}
	}
	for ; len(components) > 0; components = components[4:] {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(components)))
	}
	return models.EmbeddingKey(b), v
}
