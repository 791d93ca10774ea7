package rowindex

import (
	"encoding/binary"
	"sync"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/vector"
)

// A Keys finds rows by the keys of their embeddings. It reads the log as far
// as it is asked for, and only once.
type Keys struct {
	mu         sync.RWMutex
	generation uint32
	read       int              // rows of the generation that are in the table
	rows       map[uint64]int32 // a row by the first half of its key
}

// Vectors adds to found what the rows of a snapshot have under those keys.
func (t *Keys) Vectors(s *vector.Snapshot, keys []models.EmbeddingKey,
	found map[models.EmbeddingKey][]float32,
) error {
	if err := t.extend(s); err != nil {
		return err
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.generation != s.Mark().Generation {
		return nil
	}
	for _, key := range keys {
		row, there := t.rows[half(key)]
		if !there || int(row) >= s.Len() || key == (models.EmbeddingKey{}) {
			continue
		}
		if whole, err := codec.MetaKey(s.Meta(int(row))); err != nil {
			return err
		} else if whole == key {
			found[key] = s.Vector(int(row))
		}
	}
	return nil
}

// extend reads the rows that the table does not have. Of a snapshot of an
// earlier generation, which readers may still be shown, it reads nothing.
func (t *Keys) extend(s *vector.Snapshot) error {
	g := s.Mark().Generation
	t.mu.RLock()
	done := g < t.generation || g == t.generation && t.read >= s.Len()
	t.mu.RUnlock()
	if done {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if g > t.generation || t.rows == nil {
		t.generation, t.read, t.rows = g, 0, make(map[uint64]int32, s.Len())
	}
	for ; g == t.generation && t.read < s.Len(); t.read++ {
		meta := s.Meta(t.read)
		if len(meta) == 0 { // a deletion
			continue
		}
		key, err := codec.MetaKey(meta)
		if err != nil {
			return err
		}
		if key != (models.EmbeddingKey{}) {
			t.rows[half(key)] = int32(t.read) //nolint:gosec // serial numbers are 32 bits
		}
	}
	return nil
}

// Forget reads everything again.
func (t *Keys) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.generation, t.read, t.rows = 0, 0, nil
}

func half(key models.EmbeddingKey) uint64 { return binary.LittleEndian.Uint64(key[:]) }
