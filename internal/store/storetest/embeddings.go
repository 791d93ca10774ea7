package storetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

// embeddings checks what is found under the keys of embeddings.
func embeddings(t *testing.T, s suite) {
	t.Run("found by key", func(t *testing.T) { embeddingsByKey(t, s) })
	t.Run("replaced and deleted", func(t *testing.T) { embeddingsGone(t, s) })
	t.Run("put again", func(t *testing.T) { embeddingsAgain(t, s) })
	t.Run("refusals", func(t *testing.T) { embeddingsRefused(t, s) })
}

// keyed is a symbol with an embedding under the key of that number, 0 for none.
func keyed(path string, key byte, v []float32) models.Document {
	d := symbol("o/r", path, "N", "walrus")
	d.Embedding = v
	if key != 0 {
		d.EmbeddingKey = keyOf(key)
	}
	return d
}

// keyOf is the key of a number; those of 100 more have a half in common.
func keyOf(number byte) models.EmbeddingKey {
	if number == 0 {
		return models.EmbeddingKey{}
	}
	return models.EmbeddingKey{0: 7, 1: number % 100, 15: number}
}

// under asks for the embeddings of keys by their numbers near some documents.
func under(t *testing.T, st store.Store, numbers []byte, near ...models.Document) map[byte][]float32 {
	t.Helper()
	keys := make([]models.EmbeddingKey, len(numbers))
	for i, n := range numbers {
		keys[i] = keyOf(n)
	}
	ids := []models.DocumentID{"", "symbol:o/r:none.go:N"}
	for _, d := range near {
		ids = append(ids, d.ID)
	}
	found, err := st.Embeddings(t.Context(), keys, ids)
	if err != nil {
		t.Fatalf("Embeddings: %v", err)
	}
	got := map[byte][]float32{}
	for key, v := range found {
		if key != keyOf(key[15]) {
			t.Errorf("nobody asked for %x", key)
		}
		got[key[15]] = v
	}
	return got
}

// about lets components differ as much as stores round them.
var about = cmpopts.EquateApprox(0, closeDots)

func embeddingsByKey(t *testing.T, s suite) {
	st := s.open(t)
	if got := under(t, st, []byte{1}); len(got) != 0 {
		t.Errorf("an empty store has %v", got)
	}
	a, b := keyed("a.go", 1, direction(s.dims, 0.1)), keyed("b.go", 2, direction(s.dims, 0.2))
	wordless, unkeyed := keyed("c.go", 3, nil), keyed("d.go", 0, direction(s.dims, 0.3))
	put(t, st, a, b, wordless, unkeyed)
	tests := []struct {
		name string
		keys []byte
		want map[byte][]float32
	}{
		{"one", []byte{2}, map[byte][]float32{2: b.Embedding}},
		{"some, one of them unknown", []byte{9, 2, 1}, map[byte][]float32{1: a.Embedding, 2: b.Embedding}},
		{"of an input without a vector", []byte{3}, map[byte][]float32{3: nil}},
		{"a half of the key of another", []byte{101}, map[byte][]float32{}},
		{"the zero key", []byte{0}, map[byte][]float32{}},
		{"none", nil, map[byte][]float32{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, under(t, st, tt.keys, a, b, wordless, unkeyed), about); diff != "" {
				t.Errorf("Embeddings (-want +got):\n%s", diff)
			}
		})
	}
	docs, err := st.Documents(t.Context(), []models.DocumentID{a.ID})
	if err != nil || len(docs) != 1 || docs[0].Embedding != nil {
		t.Errorf("Documents = %+v, %v; want one without its embedding", docs, err)
	}
}

// What a document has now is found, also when it is the same as before. What it
// had may be.
func embeddingsGone(t *testing.T, s suite) {
	st := s.open(t)
	a, b := keyed("a.go", 1, direction(s.dims, 0.1)), keyed("b.go", 2, direction(s.dims, 0.2))
	put(t, st, a, b)
	other := keyed("a.go", 4, direction(s.dims, 0.4))
	put(t, st, other)
	apply(t, st, store.Batch{Delete: []models.DocumentID{b.ID}})
	got := under(t, st, []byte{1, 2, 4}, a, b)
	may := map[byte][]float32{1: a.Embedding, 2: b.Embedding, 4: other.Embedding}
	if _, ok := got[4]; !ok {
		t.Errorf("the new embedding is not found")
	}
	for n, v := range got {
		if diff := cmp.Diff(may[n], v, about); diff != "" {
			t.Errorf("under key %d (-want +got):\n%s", n, diff)
		}
	}
	put(t, st, a)
	if diff := cmp.Diff(map[byte][]float32{1: a.Embedding}, under(t, st, []byte{1}, a), about); diff != "" {
		t.Errorf("put again as it was (-want +got):\n%s", diff)
	}
}

// An embedding that was read and put again is found by searches with the same
// score, to the bit.
func embeddingsAgain(t *testing.T, s suite) {
	st := s.open(t)
	a := keyed("a.go", 1, direction(s.dims, 0.1))
	put(t, st, a)
	near := fts.Request{Query: fts.MatchNone{}, KNN: []fts.KNN{knn(direction(s.dims, 0.7), 5, nil)}, Size: 5}
	want := search(t, st, near).Hits
	first := under(t, st, []byte{1}, a)
	for range 3 {
		a.Embedding = under(t, st, []byte{1}, a)[1]
		put(t, st, a)
	}
	if diff := cmp.Diff(first, under(t, st, []byte{1}, a)); diff != "" {
		t.Errorf("Embeddings after putting them again (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, search(t, st, near).Hits); diff != "" || len(want) != 1 {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
}

func embeddingsRefused(t *testing.T, s suite) {
	st := s.open(t)
	a := keyed("a.go", 1, direction(s.dims, 0.1))
	put(t, st, a)
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if found, err := st.Embeddings(t.Context(), []models.EmbeddingKey{a.EmbeddingKey},
		[]models.DocumentID{a.ID}); err == nil {
		t.Errorf("a closed store has %v", found)
	}
}
