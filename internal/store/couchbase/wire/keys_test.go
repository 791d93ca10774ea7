package wire_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/couchbase/wire"
)

func TestDocumentKey(t *testing.T) {
	long := "file:o/r:" + strings.Repeat("ä", 200)
	tests := []struct{ name, id, want string }{
		{"short ids are keys", "file:o/r:a.go", "file:o/r:a.go"},
		{"240 bytes", strings.Repeat("x", 240), strings.Repeat("x", 240)},
		{"241 bytes", strings.Repeat("x", 241), strings.Repeat("x", 200) + "~7dbf05774ebc8b0213e8f74d789e3447"},
		{"cut between characters", long, long[:199] + "~8911416ab5b0273736337c2bc8e43a9d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := wire.DocumentKey(models.DocumentID(tt.id))
			if got != tt.want || len(got) > 240 || !utf8.ValidString(got) {
				t.Errorf("DocumentKey = %q (%d bytes), want %q", got, len(got), tt.want)
			}
		})
	}
	other := long + "x"
	if wire.DocumentKey(models.DocumentID(long)) == wire.DocumentKey(models.DocumentID(other)) {
		t.Error("two long ids have the same key")
	}
}

func TestRecordKey(t *testing.T) {
	if got, want := wire.RecordKey("files:o/r", "src/a.go"), "files:o/r|src/a.go"; got != want {
		t.Errorf("RecordKey = %q, want %q", got, want)
	}
	seen := map[string][2]string{}
	for _, id := range [][2]string{
		{"a", "b|c"},
		{"a|b", "c"},
		{"a%7Cb", "c"},
		{"a%257Cb", "c"},
		{"a", "b"},
		{"a|", "b"},
		{"a%", "b"},
		{"", "a|b"},
		{"a", strings.Repeat("x", 300)},
		{"a", strings.Repeat("x", 301)},
	} {
		key := wire.RecordKey(id[0], id[1])
		if other, ok := seen[key]; ok {
			t.Errorf("%q and %q have the same key %q", id, other, key)
		}
		if len(key) > 240 {
			t.Errorf("key of %q has %d bytes", id, len(key))
		}
		seen[key] = id
	}
}
