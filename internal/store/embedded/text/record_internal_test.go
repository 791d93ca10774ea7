package text

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// What is stored of a record is its value again, whatever is in it, and short.
func TestRecordValue(t *testing.T) {
	file := models.FileRecord{
		Path: "a/b.go", Size: 7, ModTime: 1, Changed: 2, Hash: strings.Repeat("0a1f", 16), Language: "Go", Lines: 3,
		Method: "tree-sitter", Documents: []models.DocumentID{
			models.FileID("o/r", "a/b.go"), models.SymbolID("o/r", "a/b.go", "F", 1),
			models.SymbolID("o/r", "a/b.go", "G", 2), models.SymbolID("o/r", "a/c.go", "G", 1),
			models.SectionID("o/r", "a/b.go", "x", 1),
		},
		Top: 1, Summary: "\x00\x1f <\"a/b.go\"> \xff", Package: "b", Exports: []string{"F"}, Test: true, Grammar: 2,
		Revision: "0a",
	}
	upper := file
	upper.Hash = strings.ToUpper(file.Hash)
	for name, tt := range map[string]struct {
		collection, key string
		value           any
		most            int // bytes
	}{
		"a file":         {models.FilesCollection("o/r"), file.Path, file, 160},
		"another hash":   {models.FilesCollection("o/r"), file.Path, upper, 200},
		"of another key": {models.FilesCollection("o/r"), "a", file, 400},
		"of no file":     {"", "", file, 800},
		"nothing":        {models.FilesCollection("o/r"), "a", nil, 4},
		"raw":            {"meta", "path", json.RawMessage("{\n\"path\":\t\"\\u0001\" }"), 20},
	} {
		t.Run(name, func(t *testing.T) {
			value, err := json.Marshal(tt.value)
			if err != nil {
				t.Fatal(err)
			}
			id := RecordKey(tt.collection, tt.key)
			stored := shorten(id, value)
			if got := RecordValue(id, stored); string(got) != string(value) {
				t.Errorf("%q is stored as %q and read as %q", value, stored, got)
			}
			if got := RecordValue(id, value); string(got) != string(value) {
				t.Errorf("of an earlier program, %q is read as %q", value, got)
			}
			if len(stored) > tt.most {
				t.Errorf("%q has %d bytes, want %d at most", stored, len(stored), tt.most)
			}
		})
	}
	if n := firstWord + len(recordWords); n > ' ' {
		t.Errorf("there are %d words, and bytes for %d", n, ' ')
	}
	for _, damaged := range []string{"\x00", "\x01short", "\x1f"} {
		if got := RecordValue(RecordKey("files:r", "k"), []byte(damaged)); got != nil {
			t.Errorf("%q is read as %q", damaged, got)
		}
	}
}

func FuzzRecordValue(f *testing.F) {
	f.Add("files:o/r", "a.go", `{"path":"a.go","hash":"00"}`)
	f.Fuzz(func(t *testing.T, collection, key, s string) {
		value, err := json.Marshal(s)
		if err != nil || strings.Contains(collection, "\x00") {
			return
		}
		id := RecordKey(collection, key)
		if got := RecordValue(id, shorten(id, value)); string(got) != string(value) {
			t.Errorf("%q is read as %q", value, got)
		}
		RecordValue(id, []byte(s)) // must not panic
	})
}

func BenchmarkRecordValue(b *testing.B) {
	file := models.FileRecord{
		Path: "some/folder/of/a/name/File.java", Hash: strings.Repeat("0a", 32), Method: "tree-sitter",
	}
	for i := range uint32(15) {
		name := strings.Repeat("Some", int(i%4)+2)
		file.Documents = append(file.Documents, models.SymbolID("o/r", file.Path, name, 1))
	}
	value, err := json.Marshal(file)
	if err != nil {
		b.Fatal(err)
	}
	id := RecordKey(models.FilesCollection("o/r"), file.Path)
	b.Run("shorten", func(b *testing.B) {
		for b.Loop() {
			shorten(id, value)
		}
	})
	stored := shorten(id, value)
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			RecordValue(id, stored)
		}
	})
}
