package index

import (
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// embedAll sets the embeddings of documents by their inputs. The embedder makes
// those only that the store does not have, each once. Near are documents whose
// embeddings may be the same ones. Pending is how many documents wait for theirs.
func (r *run) embedAll(ctx context.Context, docs []models.Document, inputs []embed.Input,
	near []models.DocumentID,
) (pending int, err error) {
	keys, first := r.embeddingKeys(docs, inputs)
	if len(keys) == 0 {
		return 0, nil
	}
	found, err := promptly(ctx,
		func() (map[models.EmbeddingKey][]float32, error) { return r.store.Embeddings(ctx, keys, near) })
	if err != nil {
		return 0, fmt.Errorf("read embeddings that were made before: %w", err)
	}
	missing := make([]models.EmbeddingKey, 0, len(keys)-len(found))
	var want []embed.Input
	for _, key := range keys {
		if _, known := found[key]; !known {
			missing, want = append(missing, key), append(want, inputs[first[key]])
		}
	}
	made, unmade, err := r.embedded(ctx, want)
	if err != nil {
		return 0, err
	}
	vectors := make(map[models.EmbeddingKey][]float32, len(keys))
	for _, key := range keys {
		vectors[key] = found[key]
	}
	for i, key := range missing {
		if vectors[key] = made[i]; unmade[i] {
			delete(vectors, key)
		}
	}
	keyed := 0
	for i := range docs {
		v, known := vectors[docs[i].EmbeddingKey]
		switch {
		case known:
			docs[i].Embedding = v
			keyed++
		case docs[i].EmbeddingKey != models.EmbeddingKey{}:
			docs[i].EmbeddingKey = models.EmbeddingKey{} // with it the store would say that there is no vector to be had
			pending++
		}
	}
	asked := len(want) - len(unmade)
	r.job.Update(func(j *jobs.Job) { j.Embedded, j.Reused = j.Embedded+asked, j.Reused+keyed-asked })
	return pending, nil
}

// embeddingKeys sets the keys of documents whose input is not zero. It returns
// them, each once, and the number of the first document that has it.
func (r *run) embeddingKeys(docs []models.Document, inputs []embed.Input) (keys []models.EmbeddingKey,
	first map[models.EmbeddingKey]int,
) {
	first = make(map[models.EmbeddingKey]int, len(docs))
	for i, in := range inputs {
		if in == (embed.Input{}) {
			continue
		}
		key := models.EmbeddingKey(r.keyer.Key(in))
		docs[i].EmbeddingKey = key
		if _, known := first[key]; !known {
			first[key] = i
			keys = append(keys, key)
		}
	}
	return keys, first
}

// embedded is what the embedder makes of inputs. Some may have to wait for theirs
// where a server makes them.
func (r *run) embedded(ctx context.Context, inputs []embed.Input) ([][]float32, unsettled, error) {
	if len(inputs) == 0 {
		return nil, nil, nil
	}
	if r.embed.Manifest().Remote() {
		return r.followed(ctx, inputs)
	}
	vectors, err := r.made(ctx, inputs)
	return vectors, nil, err
}

func (r *run) made(ctx context.Context, inputs []embed.Input) ([][]float32, error) {
	vectors, err := promptly(ctx, func() ([][]float32, error) { return r.embed.Documents(ctx, inputs) })
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(inputs) {
		return nil, fault.New(fault.EmbedderUnavailable, "the embedder made %d vectors of %d texts", len(vectors),
			len(inputs))
	}
	return vectors, nil
}

// noteGone remembers the documents of files that are gone, for files that have
// the same content: a rename is a file that is gone and a new one.
func (r *run) noteGone(files []string) {
	r.moved = make(map[string][]models.DocumentID, len(files))
	for _, file := range files {
		if rec := r.files[file]; rec.Hash != "" {
			r.moved[rec.Hash] = rec.Documents
		}
	}
}

// near are the documents whose embeddings those of a file may be: its own of
// the last run, or those of the file that it was before it got its name.
func (r *run) near(rec models.FileRecord, old *models.FileRecord) []models.DocumentID {
	if old != nil && len(old.Documents) > 0 {
		return old.Documents
	}
	return r.moved[rec.Hash]
}
