// Package vectors gives documents their vectors: those that the store has already
// of the same texts, and else those that an embedder makes, now or, where that is a
// server, later.
package vectors

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// An Embedder makes the vectors of documents, in the order of the inputs; nil
// for a text without usable words.
type Embedder interface {
	Manifest() embed.Manifest
	Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error)
}

// A Store has the vectors that were made before.
type Store interface {
	Embeddings(ctx context.Context, keys []models.EmbeddingKey,
		near []models.DocumentID) (map[models.EmbeddingKey][]float32, error)
}

// Vectors are made of documents for one run.
type Vectors struct {
	store    Store
	embedder Embedder
	job      *jobs.Handle

	keyer   embed.Keyer
	moved   map[string][]models.DocumentID // of files that are gone, by the hash of their content
	later   atomic.Bool                    // vectors that are missing stay so for now
	waiting atomic.Pointer[string]         // why, for people
}

// New is for the run of a job.
func New(st Store, e Embedder, j *jobs.Handle) *Vectors {
	return &Vectors{store: st, embedder: e, job: j, keyer: embed.NewKeyer(e.Manifest())}
}

// Postpone leaves vectors for later that a server would have to make.
func (v *Vectors) Postpone() { v.later.Store(v.embedder.Manifest().Remote()) }

// Resume has all of them made from now on.
func (v *Vectors) Resume() { v.later.Store(false) }

// Forget forgets why vectors are missing.
func (v *Vectors) Forget() { v.waiting.Store(nil) }

// Later reports whether vectors that are missing stay so for now.
func (v *Vectors) Later() bool { return v.later.Load() }

// Embed sets the embeddings of documents by their inputs. The embedder makes
// those only that the store does not have, each once. Near are documents whose
// embeddings may be the same ones. Pending is how many documents wait for theirs.
func (v *Vectors) Embed(ctx context.Context, docs []models.Document, inputs []embed.Input,
	near []models.DocumentID,
) (pending int, err error) {
	keys, first := v.embeddingKeys(docs, inputs)
	if len(keys) == 0 {
		return 0, nil
	}
	found, err := parallel.Promptly(ctx,
		func() (map[models.EmbeddingKey][]float32, error) { return v.store.Embeddings(ctx, keys, near) })
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
	made, unmade, err := v.embedded(ctx, want)
	if err != nil {
		return 0, err
	}
	all := make(map[models.EmbeddingKey][]float32, len(keys))
	for _, key := range keys {
		all[key] = found[key]
	}
	for i, key := range missing {
		if all[key] = made[i]; unmade[i] {
			delete(all, key)
		}
	}
	keyed := 0
	for i := range docs {
		vector, known := all[docs[i].EmbeddingKey]
		switch {
		case known:
			docs[i].Embedding = vector
			keyed++
		case docs[i].EmbeddingKey != models.EmbeddingKey{}:
			docs[i].EmbeddingKey = models.EmbeddingKey{} // with it the store would say that there is no vector to be had
			pending++
		}
	}
	asked := len(want) - len(unmade)
	v.job.Update(func(j *jobs.Job) { j.Embedded, j.Reused = j.Embedded+asked, j.Reused+keyed-asked })
	return pending, nil
}

// embeddingKeys sets the keys of documents whose input is not zero. It returns
// them, each once, and the number of the first document that has it.
func (v *Vectors) embeddingKeys(docs []models.Document, inputs []embed.Input) (keys []models.EmbeddingKey,
	first map[models.EmbeddingKey]int,
) {
	first = make(map[models.EmbeddingKey]int, len(docs))
	for i, in := range inputs {
		if in == (embed.Input{}) {
			continue
		}
		key := models.EmbeddingKey(v.keyer.Key(in))
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
func (v *Vectors) embedded(ctx context.Context, inputs []embed.Input) ([][]float32, unsettled, error) {
	if len(inputs) == 0 {
		return nil, nil, nil
	}
	if v.embedder.Manifest().Remote() {
		return v.followed(ctx, inputs)
	}
	made, err := v.made(ctx, inputs)
	return made, nil, err
}

func (v *Vectors) made(ctx context.Context, inputs []embed.Input) ([][]float32, error) {
	made, err := parallel.Promptly(ctx, func() ([][]float32, error) { return v.embedder.Documents(ctx, inputs) })
	if err != nil {
		return nil, err
	}
	if len(made) != len(inputs) {
		return nil, fault.New(fault.EmbedderUnavailable, "the embedder made %d vectors of %d texts", len(made),
			len(inputs))
	}
	return made, nil
}

// NoteGone remembers the documents of files that are gone, for files that have
// the same content: a rename is a file that is gone and a new one.
func (v *Vectors) NoteGone(files []string, known map[string]*models.FileRecord) {
	v.moved = make(map[string][]models.DocumentID, len(files))
	for _, file := range files {
		if rec := known[file]; rec.Hash != "" {
			v.moved[rec.Hash] = rec.Documents
		}
	}
}

// Near are the documents whose embeddings those of a file may be: its own of
// the last run, or those of the file that it was before it got its name.
func (v *Vectors) Near(rec models.FileRecord, old *models.FileRecord) []models.DocumentID {
	if old != nil && len(old.Documents) > 0 {
		return old.Documents
	}
	return v.moved[rec.Hash]
}

// giveUp leaves all vectors that are missing to the next run.
func (v *Vectors) giveUp(why error) {
	v.waiting.CompareAndSwap(nil, new(fault.MessageOf(why)))
	v.later.Store(true)
}

// Waits is why vectors are missing at the end of a run, for people.
func (v *Vectors) Waits(following bool) string {
	why := v.waiting.Load()
	switch {
	case why != nil:
		return *why
	case following:
		return "their files changed meanwhile"
	}
	return ""
}

// An unsettled set has the numbers of inputs that have no vector yet.
type unsettled map[int]bool

// followed is what the embedder makes of inputs, but for those that it can't make
// now: all, once it has failed; or single ones that it refuses.
func (v *Vectors) followed(ctx context.Context, inputs []embed.Input) ([][]float32, unsettled, error) {
	missing := unsettled{}
	if !v.later.Load() {
		made, err := v.made(ctx, inputs)
		switch {
		case err == nil:
			return made, nil, nil
		case ctx.Err() != nil || fault.CodeOf(err) == fault.Internal:
			return nil, nil, err
		case errors.Is(err, embed.ErrRefused) && len(inputs) > 1:
			return v.oneByOne(ctx, inputs)
		case errors.Is(err, embed.ErrRefused):
			v.waiting.CompareAndSwap(nil, new(fault.MessageOf(err)))
		default:
			v.giveUp(err)
		}
	}
	for i := range inputs {
		missing[i] = true
	}
	return make([][]float32, len(inputs)), missing, nil
}

// oneByOne is followed for inputs of which the embedder refuses some.
func (v *Vectors) oneByOne(ctx context.Context, inputs []embed.Input) ([][]float32, unsettled, error) {
	all, missing := make([][]float32, len(inputs)), unsettled{}
	for i := range inputs {
		one, not, err := v.followed(ctx, inputs[i:i+1])
		if err != nil {
			return nil, nil, err
		}
		all[i] = one[0]
		if not[0] {
			missing[i] = true
		}
	}
	return all, missing, nil
}
