package index_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// drafting is a memory that keeps drafts. Like the memory, they outlive
// processes, which this is one of: after its death it can write no more.
type drafting struct {
	*memory

	mu     sync.Mutex
	drafts map[models.RepoID]*kept
	dead   bool
	// appending is called ahead of each batch of a draft; its error is the batch's.
	appending func(models.Batch) error
	appended  map[string]int // files whose record came to a draft, and how often
	published int
	// reading is called after the first record of a file was read.
	reading func() error
	sealing func() // is called when a draft is complete, and not sealed
	sealed  func() // is called when it is, before the first batch is carried out
}

// kept is a draft.
type kept struct {
	label   string
	batches []models.Batch
}

func newDrafting(m *memory) *drafting {
	return &drafting{memory: m, drafts: map[models.RepoID]*kept{}, appended: map[string]int{}}
}

func (d *drafting) alive() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return errDead
	}
	return nil
}

func (d *drafting) die(dead bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = dead
}

func (d *drafting) Apply(ctx context.Context, b models.Batch) error {
	if err := d.alive(); err != nil {
		return err
	}
	for _, id := range b.DeleteRepos {
		if err := d.DropDraft(ctx, id); err != nil {
			return err
		}
	}
	return d.memory.Apply(ctx, b)
}

func (d *drafting) Records(ctx context.Context, collection string, yield func(string, json.RawMessage) error) error {
	return d.memory.Records(ctx, collection, func(key string, value json.RawMessage) error {
		if err := yield(key, value); err != nil || d.reading == nil || collection != models.FilesCollection(repoID) {
			return err
		}
		return d.reading()
	})
}

func (d *drafting) AppendDraft(ctx context.Context, id models.RepoID, label string, b models.Batch) error {
	if d.appending != nil {
		if err := d.appending(b); err != nil {
			return err
		}
	}
	if err := errors.Join(d.alive(), ctx.Err()); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	k := d.drafts[id]
	if k == nil {
		k = &kept{label: label}
		d.drafts[id] = k
	}
	if k.label != label {
		return errors.New("another draft is there")
	}
	b.PutRecords = slices.Clone(b.PutRecords)
	for i, r := range b.PutRecords {
		value, err := json.Marshal(r.Value)
		if err != nil {
			return err
		}
		b.PutRecords[i].Value = json.RawMessage(value)
		if r.Collection == models.FilesCollection(id) {
			d.appended[r.Key]++
		}
	}
	k.batches = append(k.batches, b)
	return nil
}

func (d *drafting) ReadDraft(_ context.Context, id models.RepoID, yield func(string, models.Batch) error) error {
	d.mu.Lock()
	k := d.drafts[id]
	d.mu.Unlock()
	if k == nil {
		return nil
	}
	for _, b := range k.batches {
		if err := yield(k.label, b); err != nil {
			return err
		}
	}
	return nil
}

func (d *drafting) PublishDraft(ctx context.Context, id models.RepoID, progress func(done, total int)) error {
	if d.sealing != nil {
		d.sealing()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := d.alive(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	k := d.drafts[id]
	if k == nil {
		return nil
	}
	delete(d.drafts, id)
	d.published++
	if d.sealed != nil {
		d.sealed()
	}
	for i, b := range k.batches {
		progress(i, len(k.batches))
		if err := d.memory.Apply(context.WithoutCancel(ctx), b); err != nil {
			return err
		}
	}
	return nil
}

func (d *drafting) DropDraft(_ context.Context, id models.RepoID) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.drafts, id)
	return nil
}

// waiting is how many batches the draft of the bench's repository has.
func (d *drafting) waiting() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if k := d.drafts[repoID]; k != nil {
		return len(k.batches)
	}
	return 0
}
