package draft

import (
	"fmt"
	"os"
	"sync"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
)

// Vectors says where in a draft's file the vectors are that it has.
type Vectors struct {
	path string

	mu sync.RWMutex // held while the file is read
	at map[models.EmbeddingKey]extent
}

// An extent is a part of a file, in bytes.
type extent struct {
	start int64
	size  int
}

// newVectors are those of a file, none yet.
func newVectors(path string) *Vectors {
	return &Vectors{path: path, at: map[models.EmbeddingKey]extent{}}
}

// Add takes note of an encoded batch, which begins at that place of the file.
func (v *Vectors) Add(body []byte, start int64) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return codec.EachVector(body, func(key models.EmbeddingKey, at, size int) {
		v.at[key] = extent{start + int64(at), size}
	})
}

// Close is called before the file goes. It waits for who reads it.
func (v *Vectors) Close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.at = map[models.EmbeddingKey]extent{}
}

// Read adds to found what the draft has under those of the keys that found lacks.
func (v *Vectors) Read(keys []models.EmbeddingKey, found map[models.EmbeddingKey][]float32) error {
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
			return fmt.Errorf("%w: %w", codec.ErrDraftDamaged, err)
		}
		found[key] = codec.Components(b)
	}
	return nil
}
