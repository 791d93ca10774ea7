package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestEncodeDocument(t *testing.T) {
	d := models.Document{
		Header: models.Header{
			ID: "symbol:o/r:a/b/c.go:Do", Type: models.TypeSymbol, RepoID: "o/r", FilePath: "a/b/c.go",
			SymbolName: `Do"ß\`, Language: "Go",
		},
		Content:   "if a < b && c { \"x\" }",
		Tags:      []string{"one\n", "two"},
		Text:      "parseTime, größe",
		Embedding: []float32{1, -0.5},
	}
	value, err := EncodeDocument(&d, fts.NewAnalyser())
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(value, &got); err != nil {
		t.Fatalf("%v: %s", err, value)
	}
	header, _ := json.Marshal(d.Header)
	want := map[string]any{
		"type": "symbol_index", "repo_id": "o/r", "file_path": "a/b/c.go", "ancestors": []any{"a/b", "a"}, "language": "go",
		"name": `do"ß\`, "tags": []any{"one\n", "two"},
		"text_symbol_index": "pars time parsetime größe", "embedding": "oph/P+3NAL8=", // in 8 bits
		"header": string(header), "doc": got["doc"],
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("value (-want +got):\n%s", diff)
	}
	if !strings.Contains(string(value), "a < b && c") {
		t.Errorf("code is escaped: %s", value)
	}
	back, err := DecodeDocument(value)
	if err != nil {
		t.Fatal(err)
	}
	d.Text, d.Embedding = "", nil
	if diff := cmp.Diff(d, back); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

// Lists and the index look for type and repository.
func TestEncodeEmptyDocument(t *testing.T) {
	value, err := EncodeDocument(&models.Document{Header: models.Header{ID: "x", Type: models.TypeFile}},
		fts.NewAnalyser())
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(value, &got); err != nil {
		t.Fatal(err)
	}
	if _, ok := got["embedding"]; ok || got["repo_id"] != "" || got["type"] != "file_index" ||
		got["text_file_index"] != "" {
		t.Errorf("value %s", value)
	}
}

func FuzzAppendString(f *testing.F) {
	for _, seed := range []string{"", `a"b\c`, "ä\n\x7f", "\xff<>&\u2028"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4<<10 {
			t.Skip("longer ones have nothing else in them, and take all of the time")
		}
		var got string
		encoded := appendString([]byte("[")[:0], s)
		if err := json.Unmarshal(encoded, &got); err != nil {
			t.Fatalf("%q is no JSON: %v", encoded, err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); strings.ToValidUTF8(got, "") != got ||
			len([]rune(got)) != len([]rune(s)) && got != want {
			t.Errorf("%q becomes %q", s, got)
		}
	})
}
