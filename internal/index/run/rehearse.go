package run

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index/compose"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A Foreseen is what a run would do with one file.
type Foreseen struct {
	Record  models.FileRecord // as it will be
	Put     bool              // documents are put into the store
	Dropped bool              // documents leave it
	Tokens  int               // to embed, estimated
}

// A rehearsal says of a run that was not made what files don't tell.
type rehearsal struct {
	Commit  string
	Renewed bool // every file would be read again
	Removed int  // files that are gone, with their documents
}

// Rehearse does what a run does at a site, as far as nothing is written, and calls
// add for each file that it would look at.
func Rehearse(ctx context.Context, on *Site, add func(Foreseen)) (all rehearsal, err error) {
	on.Store, on.Board, on.Embed = unwritable{on.Store}, nil, unembedded{on.Embed}
	r := newRun(on, &Memory{}, "")
	if err := r.survey(ctx); err != nil {
		return all, err
	}
	defer func() { err = cmp.Or(err, r.tree.Close()) }()
	if r.replace || r.folders.Purge { // as begin does
		r.files, r.folders = map[string]*models.FileRecord{}, records.Folders{}
	}
	found, err := listing.List(ctx, r.tree, r.Config.Limits())
	if err != nil {
		return all, fmt.Errorf("list the files of %s: %w", r.repo.Root, err)
	}
	ignored, err := listing.Ignored(ctx, r.tree, r.Config.Limits())
	if err != nil {
		return all, fmt.Errorf("list what is ignored in %s: %w", r.repo.Root, err)
	}
	all.Commit, all.Renewed = r.origin.Commit, r.renewed
	p := r.looker.plan(found, nil)
	for _, file := range p.gone {
		all.Removed += compose.Count(len(r.files[file].Documents) > 0)
	}
	for _, rec := range p.skipped {
		add(foresee(skip(rec, r.files[rec.Path]), r.files[rec.Path]))
	}
	for _, rec := range p.same {
		add(foresee(change{path: rec.Path}, rec))
	}
	err = r.looker.lookInto(ctx, p.read, func(ch change) error {
		add(foresee(ch, r.files[ch.path]))
		return nil
	})
	if err != nil {
		return all, err
	}
	for _, rec := range ignored {
		add(Foreseen{Record: rec})
	}
	return all, nil
}

// foresee is one file's change against its old record, which may be nil.
func foresee(ch change, old *models.FileRecord) Foreseen {
	rec := ch.record
	if rec == nil {
		rec = old
	}
	f := Foreseen{Record: *rec, Put: len(ch.put) > 0, Dropped: len(ch.drop) > 0}
	for _, doc := range ch.put {
		f.Tokens += estimated(doc)
	}
	return f
}

// estimated is how many tokens an embedder sees of a document.
func estimated(doc models.Document) int {
	if len(doc.Embedding) == 0 {
		return 0
	}
	return int(doc.Embedding[0])
}

// unembedded stands for an embedder: what it makes of an input is an estimate
// of its tokens instead of a vector.
type unembedded struct{ vectors.Embedder }

// bytesPerToken of code and English prose, as tokenisers of language models cut
// them: 3 to 5.
const bytesPerToken = 4

// Documents implements Embedder.
func (unembedded) Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error) {
	estimates := make([][]float32, len(inputs))
	for i, in := range inputs {
		n := min(len(in.Text), compose.MaxEmbedText) + len(in.Name) + len(in.Parent) + len(in.File)
		estimates[i] = []float32{float32((n + bytesPerToken - 1) / bytesPerToken)}
	}
	return estimates, ctx.Err()
}

// unwritable is a store that refuses every change, so that a preview can't make
// one by mistake.
type unwritable struct{ records.Store }

// Embeddings implements Store: what need not be made has no tokens to embed.
func (u unwritable) Embeddings(ctx context.Context, keys []models.EmbeddingKey,
	near []models.DocumentID,
) (map[models.EmbeddingKey][]float32, error) {
	found, err := u.Store.Embeddings(ctx, keys, near)
	for key := range found {
		found[key] = nil
	}
	return found, err
}

// Apply implements Store.
func (unwritable) Apply(context.Context, models.Batch) error {
	return fault.New(fault.Internal, "a preview wrote to the store")
}
