package embedded

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

// A file that is cut in the middle of a read ends the read, not the process.
func TestCutWhileRead(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, Options{Dims: 2})
	if err != nil {
		t.Fatal(err)
	}
	doc := models.Document{Header: models.Header{ID: "d", Type: models.LevelFile.DocType()}, Embedding: []float32{1, 0}}
	if err := s.Apply(t.Context(), store.Batch{Put: []models.Document{doc}}); err != nil {
		t.Fatal(err)
	}
	read := 0
	err = s.read(t.Context(), "read", func(st *state) error {
		if err := os.Truncate(filepath.Join(dir, rowsName(0)), 0); err != nil {
			return err
		}
		read = len(st.rows.Vector(0))
		return nil
	})
	if fault.CodeOf(err) != fault.IndexNotReady {
		t.Errorf("read %d, %v", read, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
