package embedded

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"sync"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// draftVectors says where in a draft's file the vectors are that it has.
type draftVectors struct {
	path string

	mu sync.RWMutex // held while the file is read
	at map[models.EmbeddingKey]extent
}

// An extent is a part of a file, in bytes.
type extent struct {
	start int64
	size  int
}

func newDraftVectors(path string) *draftVectors {
	return &draftVectors{path: path, at: map[models.EmbeddingKey]extent{}}
}

// add takes note of an encoded batch, which begins at that place of the file.
func (v *draftVectors) add(body []byte, start int64) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return eachVector(body, func(key models.EmbeddingKey, at, size int) {
		v.at[key] = extent{start + int64(at), size}
	})
}

// close is called before the file goes. It waits for who reads it.
func (v *draftVectors) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.at = map[models.EmbeddingKey]extent{}
}

// read adds to found what the draft has under those of the keys that found lacks.
func (v *draftVectors) read(keys []models.EmbeddingKey, found map[models.EmbeddingKey][]float32) error {
	v.mu.RLock()
	defer v.mu.RUnlock()
	var file *os.File
	for _, key := range keys {
		if _, known := found[key]; known {
			continue
		}
		e, there := v.at[key]
		if !there {
			continue
		}
		if file == nil {
			var err error
			if file, err = os.Open(v.path); err != nil {
				return err
			}
			defer func() { _ = file.Close() }()
		}
		b := make([]byte, e.size)
		if _, err := file.ReadAt(b, e.start); err != nil {
			return fmt.Errorf("%w: %w", errDraftDamaged, err)
		}
		found[key] = components(b)
	}
	return nil
}

// components reads little-endian float32; nil where there are none.
func components(b []byte) []float32 {
	if len(b) == 0 {
		return nil
	}
	v := make([]float32, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return v
}

// embeddings adds to found what the drafts that were looked at have.
func (d *drafts) embeddings(keys []models.EmbeddingKey, found map[models.EmbeddingKey][]float32) error {
	d.vectorsMu.Lock()
	all := make([]*draftVectors, 0, len(d.vectors))
	for _, v := range d.vectors {
		all = append(all, v)
	}
	d.vectorsMu.Unlock()
	for _, v := range all {
		if len(found) == len(keys) {
			return nil
		}
		if err := v.read(keys, found); err != nil {
			return err
		}
	}
	return nil
}
