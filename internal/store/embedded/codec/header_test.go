package codec

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestMeta(t *testing.T) {
	tests := map[string]models.Header{
		"only an id": {ID: "x"},
		"symbol": {
			ID: "symbol:o/r:a/b.go:C.Do#2", Type: models.TypeSymbol, RepoID: "o/r", FilePath: "a/b.go", SymbolName: "Do",
			QualifiedName: "C.Do",
			Kind:          "method", Language: "Go", StartLine: 300, EndLine: 1 << 20, Test: true, Vendored: true,
		},
		"nothing of it in the id": {
			ID: "1", Type: models.TypeDocument, RepoID: "ä", FilePath: "f\x00", Kind: "k",
			Language: "C++", Generated: true,
		},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			meta := EncodeMeta(1<<32-1, want, models.EmbeddingKey{})
			got, err := MetaHeader(string(want.ID), meta)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("metaHeader (-want +got):\n%s", diff)
			}
			if serial, err := MetaSerial(meta); err != nil || serial != 1<<32-1 {
				t.Errorf("metaSerial = %d, %v", serial, err)
			}
			if key, err := MetaKey(meta); err != nil || key != (models.EmbeddingKey{}) {
				t.Errorf("metaKey without a key = %x, %v", key, err)
			}
			key := models.EmbeddingKey{1, 15: 2}
			keyed := EncodeMeta(1<<32-1, want, key)
			if got, err := MetaKey(keyed); err != nil || got != key {
				t.Errorf("metaKey = %x, %v", got, err)
			}
			if got, err := MetaHeader(string(want.ID), keyed); err != nil || !cmp.Equal(want, got) {
				t.Errorf("metaHeader before a key = %+v, %v", got, err)
			}
			for n := range meta {
				if _, err := MetaHeader(string(want.ID), meta[:n]); err == nil {
					t.Errorf("%d of %d bytes make a header", n, len(meta))
				}
			}
		})
	}
}

func FuzzMeta(f *testing.F) {
	f.Add("id", EncodeMeta(7, models.Header{ID: "id", FilePath: "a"}, models.EmbeddingKey{1}))
	f.Add("id", []byte("\x07\xff\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\xff\x7f"))
	f.Fuzz(func(_ *testing.T, id string, meta []byte) {
		_, _ = MetaHeader(id, meta) // must not panic
		_, _ = MetaSerial(meta)
		_, _ = MetaKey(meta)
		_, _ = DecodeDocument(meta, models.Header{ID: models.DocumentID(id)})
	})
}

func TestStoredDocument(t *testing.T) {
	header := models.Header{ID: "file:o/r:a.go", Type: models.TypeFile, RepoID: "o/r", FilePath: "a.go"}
	now := time.Date(2026, 1, 2, 3, 4, 5, 6789, time.UTC)
	hash := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	tests := map[string]models.Document{
		"empty":             {},
		"parent is file":    {ParentID: models.FileID("o/r", "a.go"), ContentHash: hash, Created: now, Updated: now},
		"parent is another": {ParentID: "module:o/r:.", ContentHash: "E3B0", Created: now, Updated: now.Add(time.Second)},
		"symbols": {ChildrenIDs: []models.DocumentID{
			"symbol:o/r:a.go:A", "symbol:o/r:a.go:A#2",
			"symbol:o/r:a.go:B.c",
		}},
		"other children": {ChildrenIDs: []models.DocumentID{"symbol:o/r:a.go:A", "doc:o/r:a.go#x"}},
		"section": {
			Title: "T", Heading: "H", HeadingLevel: 3, HeaderPath: []string{"T", "H"}, Tags: []string{"t"},
			Wikilinks: []string{"w"}, CreatedDate: "c", ModifiedDate: "m",
		},
		"rest": {
			Signature: "s", Content: "c <&>", SummarySource: models.SummaryLLM, Commit: "abc", SchemaVersion: 1,
			ContentHash: "no hash",
		},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			want.Header = header
			b := EncodeDocument(want)
			got, err := DecodeDocument(b, header)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("decodeDocument (-want +got):\n%s", diff)
			}
			for n := range b {
				if _, err := DecodeDocument(b[:n], header); err == nil {
					t.Errorf("%d of %d bytes make a document", n, len(b))
				}
			}
		})
	}
}
