package wire

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// DecodeEmbedding reads the embedding of a document and its key, which is zero
// when there is none or the value is not as EncodeDocument writes it.
func DecodeEmbedding(value []byte) (key models.EmbeddingKey, v []float32) {
	var fields map[string]json.RawMessage
	var digits string
	if json.Unmarshal(value, &fields) != nil || json.Unmarshal(fields[embeddingKeyField], &digits) != nil {
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
