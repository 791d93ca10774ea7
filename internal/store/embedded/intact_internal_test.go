package embedded

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
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
	err = s.readers.read(t.Context(), "read", func(st *search.State) error {
		if err := os.Truncate(filepath.Join(dir, disk.RowsName(0)), 0); err != nil {
			return err
		}
		read = len(st.Rows().Vector(0))
		return nil
	})
	if fault.CodeOf(err) != fault.IndexNotReady {
		t.Errorf("read %d, %v", read, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Bits that flip without anybody writing leave a file looking as it did.
func TestScrub(t *testing.T) {
	for _, pattern := range []string{"text/*.zap", "rows/*.log"} {
		t.Run(pattern, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, err := Open(t.Context(), dir, Options{Dims: 2, Scrub: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			doc := models.Document{Header: models.Header{ID: "d", Type: models.LevelFile.DocType()}, Embedding: []float32{1, 0}}
			if err := s.Apply(t.Context(), store.Batch{Put: []models.Document{doc}}); err != nil {
				t.Fatal(err)
			}
			if err := s.Compact(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				t.Fatal(err)
			}
			rot(t, s, files[0])
			for end := time.Now().Add(time.Minute); s.files.integrity.lost(nil) == nil; runtime.Gosched() {
				if time.Now().After(end) {
					t.Fatal("it was not found")
				}
			}
			if _, err = s.Documents(t.Context(), []models.DocumentID{"d"}); fault.CodeOf(err) != fault.IndexNotReady {
				t.Errorf("after that %v", err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// rot flips a bit of a file, and seals it as if it had always looked so.
func rot(t *testing.T, s *Store, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	name, err := filepath.Rel(s.files.dir, file)
	if err != nil {
		t.Fatal(err)
	}
	seal, _ := s.files.seals.Of(filepath.ToSlash(name))
	seal.Stamp = disk.StampOf(info)
	s.files.seals.Put(filepath.ToSlash(name), seal)
}
