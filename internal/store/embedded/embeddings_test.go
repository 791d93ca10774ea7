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

func keyedBatch(n, by int) store.Batch {
	var b store.Batch
	for i := range n {
		b.Put = append(b.Put, keyed(i, by))
	}
	return b
}

// wantEmbeddings wants those of the first n documents of a generation, or none.
func wantEmbeddings(t *testing.T, s *embedded.Store, what string, n, by int, there bool) {
	t.Helper()
	want := map[models.EmbeddingKey][]float32{}
	var keys []models.EmbeddingKey
	for i := range n {
		keys = append(keys, keyOf(i, by))
		if there {
			want[keyOf(i, by)] = keyed(i, by).Embedding
		}
	}
	got, err := s.Embeddings(t.Context(), keys, nil)
	must(t, err)
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-4)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Embeddings of replaced and deleted documents are found until the rows are
// compacted, also after the store was opened again.
func TestEmbeddingsOfRows(t *testing.T) {
	const n = 30
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(), keyedBatch(n, 1)))
	wantEmbeddings(t, s, "what was put", n, 1, true)
	must(t, s.Apply(t.Context(), keyedBatch(n, 2)))
	wantEmbeddings(t, s, "what was put then", n, 2, true)
	must(t, s.Apply(t.Context(), store.Batch{DeleteRepos: []models.RepoID{"o/r"}}))
	wantEmbeddings(t, s, "replaced", n, 1, true)
	wantEmbeddings(t, s, "deleted", n, 2, true)
	must(t, s.Close())
	s = open(t, dir)
	wantEmbeddings(t, s, "replaced, opened again", n, 1, true)
	must(t, s.Apply(t.Context(), keyedBatch(n, 3)))
	must(t, s.Compact(t.Context()))
	wantEmbeddings(t, s, "compacted away", n, 1, false)
	wantEmbeddings(t, s, "compacted away", n, 2, false)
	wantEmbeddings(t, s, "live", n, 3, true)
	must(t, s.Apply(t.Context(), keyedBatch(n, 4)))
	wantEmbeddings(t, s, "after that", n, 4, true)
}

// A draft's embeddings are found while nobody sees its documents, in the process
// that gathered them and in the next one that looks at the draft.
func TestEmbeddingsOfDrafts(t *testing.T) {
	const n = 30
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(), store.Batch{PutRecords: []store.Record{{Collection: models.CollectionRepos, Key: string(drafted), Value: 1}}}))
	drafts := []store.Batch{keyedBatch(n, 1), keyedBatch(n, 2)}
	drafts[1].Delete = []models.DocumentID{"file:o/r:x"}
	drafts[1].DeleteRepos = []models.RepoID{"a", "b"}
	drafts[1].DeleteRecords = []store.RecordID{{Collection: "c"}, {Collection: "c", Key: "k"}}
	appendAll(t, s, drafts)
	wantEmbeddings(t, s, "the first batch", n, 1, true)
	wantEmbeddings(t, s, "the second batch", n, 2, true)
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
	wantEmbeddings(t, s, "the first batch, opened again", n, 1, true)
	wantEmbeddings(t, s, "the second batch, opened again", n, 2, true)
	appendAll(t, s, []store.Batch{keyedBatch(n, 3)})
	wantEmbeddings(t, s, "appended then", n, 3, true)
	must(t, s.PublishDraft(t.Context(), drafted, nil))
	wantEmbeddings(t, s, "published", n, 3, true)

	appendAll(t, s, []store.Batch{keyedBatch(n, 4)})
	must(t, s.DropDraft(t.Context(), drafted))
	wantEmbeddings(t, s, "dropped", n, 4, false)
	appendAll(t, s, []store.Batch{keyedBatch(n, 5)})
	wantEmbeddings(t, s, "of the next draft", n, 5, true)
}

// Embeddings may be asked for while batches come, drafts are published and rows
// compacted: what is found is right.
func TestEmbeddingsConcurrently(t *testing.T) {
	const n, rounds = 60, 12
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
				if err := rightIfThere(t, s, n, by); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for by := 1; by <= rounds; by++ {
		switch by % 3 {
		case 0:
			must(t, s.Apply(t.Context(), keyedBatch(n, by)))
		case 1:
			appendAll(t, s, []store.Batch{keyedBatch(n, by)})
			must(t, s.PublishDraft(t.Context(), drafted, nil))
		case 2:
			must(t, s.Apply(t.Context(), keyedBatch(n, by)))
			must(t, s.Compact(t.Context()))
		}
	}
	close(done)
	readers.Wait()
	wantEmbeddings(t, s, "the last round", n, rounds, true)
}

// rightIfThere is an error when a vector is found that is not that of its key.
func rightIfThere(t *testing.T, s *embedded.Store, n, by int) error {
	t.Helper()
	keys := make([]models.EmbeddingKey, n)
	for i := range keys {
		keys[i] = keyOf(i, by)
	}
	found, err := s.Embeddings(t.Context(), keys, nil)
	if err != nil {
		return err
	}
	for i, key := range keys {
		got, there := found[key]
		if there && !cmp.Equal(keyed(i, by).Embedding, got, cmpopts.EquateApprox(0, 1e-4)) {
			return fmt.Errorf("under the key of %d in round %d is %v", i, by, got)
		}
	}
	return nil
}
