package embedded_test

import (
	"encoding/binary"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// keyedDocs is how many documents a generation has.
const keyedDocs = 30

// keyed is document i of generation by with a key; that of 0 is of an input
// without a vector.
func keyed(i, by int) models.Document {
	d := numbered(1, i, by)
	d.EmbeddingKey = keyOf(i, by)
	if i == 0 {
		d.Embedding = nil
	}
	return d
}

func keyOf(i, by int) (key models.EmbeddingKey) {
	binary.LittleEndian.PutUint32(key[:], uint32(i+1)) //nolint:gosec // small
	binary.LittleEndian.PutUint32(key[4:], uint32(by)) //nolint:gosec // small
	key[15] = 1
	return key
}

func keyedBatch(by int) store.Batch {
	var b store.Batch
	for i := range keyedDocs {
		b.Put = append(b.Put, keyed(i, by))
	}
	return b
}

// wantEmbeddings wants those of the documents of a generation, or none.
func wantEmbeddings(t *testing.T, s *embedded.Store, what string, by int, there bool) {
	t.Helper()
	want := map[models.EmbeddingKey][]float32{}
	var keys []models.EmbeddingKey
	for i := range keyedDocs {
		keys = append(keys, keyOf(i, by))
		if there {
			want[keyOf(i, by)] = keyed(i, by).Embedding
		}
	}
	got, err := s.Embeddings(t.Context(), keys, nil)
	must(t, err)
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-2)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Embeddings of replaced and deleted documents are found until the rows are
// compacted, also after the store was opened again.
func TestEmbeddingsOfRows(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(), keyedBatch(1)))
	wantEmbeddings(t, s, "what was put", 1, true)
	must(t, s.Apply(t.Context(), keyedBatch(2)))
	wantEmbeddings(t, s, "what was put then", 2, true)
	must(t, s.Apply(t.Context(), store.Batch{DeleteRepos: []models.RepoID{"o/r"}}))
	wantEmbeddings(t, s, "replaced", 1, true)
	wantEmbeddings(t, s, "deleted", 2, true)
	must(t, s.Close())
	s = open(t, dir)
	wantEmbeddings(t, s, "replaced, opened again", 1, true)
	must(t, s.Apply(t.Context(), keyedBatch(3)))
	must(t, s.Compact(t.Context(), nil))
	wantEmbeddings(t, s, "compacted away", 1, false)
	wantEmbeddings(t, s, "compacted away", 2, false)
	wantEmbeddings(t, s, "live", 3, true)
	must(t, s.Apply(t.Context(), keyedBatch(4)))
	wantEmbeddings(t, s, "after that", 4, true)
}

// A draft's embeddings are found while nobody sees its documents, in the process
// that gathered them and in the next one that looks at the draft.
func TestEmbeddingsOfDrafts(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(),
		store.Batch{PutRecords: []store.Record{{Collection: models.CollectionRepos, Key: string(drafted), Value: 1}}}))
	drafts := []store.Batch{keyedBatch(1), keyedBatch(2)}
	drafts[1].Delete = []models.DocumentID{"file:o/r:x"}
	drafts[1].DeleteRepos = []models.RepoID{"a", "b"}
	drafts[1].DeleteRecords = []store.RecordID{{Collection: "c"}, {Collection: "c", Key: "k"}}
	appendAll(t, s, drafts)
	wantEmbeddings(t, s, "the first batch", 1, true)
	wantEmbeddings(t, s, "the second batch", 2, true)
	if n := find(t, s, fts.Request{Query: fts.MatchAll{}, Size: 1}).Total; n != 0 {
		t.Errorf("readers see %d documents", n)
	}
	must(t, s.Close())

	s = open(t, dir)
	batches := 0
	must(t, s.ReadDraft(t.Context(), drafted, func(_ string, b store.Batch) error {
		if batches++; b.Put[1].EmbeddingKey != keyOf(1, batches) {
			t.Errorf("batch %d was read with the key %x", batches, b.Put[1].EmbeddingKey)
		}
		return nil
	}))
	wantEmbeddings(t, s, "the first batch, opened again", 1, true)
	wantEmbeddings(t, s, "the second batch, opened again", 2, true)
	appendAll(t, s, []store.Batch{keyedBatch(3)})
	wantEmbeddings(t, s, "appended then", 3, true)
	must(t, s.PublishDraft(t.Context(), drafted, nil))
	wantEmbeddings(t, s, "published", 3, true)

	appendAll(t, s, []store.Batch{keyedBatch(4)})
	must(t, s.DropDraft(t.Context(), drafted))
	wantEmbeddings(t, s, "dropped", 4, false)
	appendAll(t, s, []store.Batch{keyedBatch(5)})
	wantEmbeddings(t, s, "of the next draft", 5, true)
}

// Embeddings may be asked for while batches come, drafts are published and rows
// compacted: what is found is right.
func TestEmbeddingsConcurrently(t *testing.T) {
	const rounds = 12
	s := open(t, t.TempDir())
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for by := 1; ; by = by%rounds + 1 {
				select {
				case <-done:
					return
				default:
				}
				if err := rightIfThere(t, s, by); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for by := 1; by <= rounds; by++ {
		switch by % 3 {
		case 0:
			must(t, s.Apply(t.Context(), keyedBatch(by)))
		case 1:
			appendAll(t, s, []store.Batch{keyedBatch(by)})
			must(t, s.PublishDraft(t.Context(), drafted, nil))
		case 2:
			must(t, s.Apply(t.Context(), keyedBatch(by)))
			must(t, s.Compact(t.Context(), nil))
		}
	}
	close(done)
	readers.Wait()
	wantEmbeddings(t, s, "the last round", rounds, true)
}

// rightIfThere is an error when a vector is found that is not that of its key.
func rightIfThere(t *testing.T, s *embedded.Store, by int) error {
	t.Helper()
	keys := make([]models.EmbeddingKey, keyedDocs)
	for i := range keys {
		keys[i] = keyOf(i, by)
	}
	found, err := s.Embeddings(t.Context(), keys, nil)
	if err != nil {
		return err
	}
	for i, key := range keys {
		got, there := found[key]
		if there && !cmp.Equal(keyed(i, by).Embedding, got, cmpopts.EquateApprox(0, 1e-2)) {
			return fmt.Errorf("under the key of %d in round %d is %v", i, by, got)
		}
	}
	return nil
}
