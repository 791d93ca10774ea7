package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A run over a usable index changes nothing that readers see until its end, if
// the store is a Drafter: then its result comes at once, with the summaries and
// the repository's record. One batch is kept in memory until then. More go to a
// draft, which outlives the process: the next run takes over what is in it.
//
// Over other stores, and where there is no usable index yet, batches are
// committed as they come.

// A Drafter is a store that gathers changes of a repository unseen, until they
// are published at once.
type Drafter interface {
	// AppendDraft adds a batch, durably, to what is gathered under a label.
	AppendDraft(ctx context.Context, id models.RepoID, label string, b models.Batch) error
	// ReadDraft calls yield with each batch that was gathered, in order. The
	// values of records are json.RawMessage.
	ReadDraft(ctx context.Context, id models.RepoID, yield func(label string, b models.Batch) error) error
	// PublishDraft carries out all of it, and tells progress how many batches are
	// done. An error of the context means that nothing has happened; after
	// another one the store may go on later.
	PublishDraft(ctx context.Context, id models.RepoID, progress func(done, total int)) error
	// DropDraft forgets it.
	DropDraft(ctx context.Context, id models.RepoID) error
}

// A draft is the part of a run that readers don't see yet; nil where there is none.
type draft struct {
	Drafter

	before models.Repository // the record as readers see it
	label  string
	begun  bool            // something is in the store's draft
	sealed bool            // its publication failed: the store may go on with it at any time
	held   models.Batch    // what is not, of a run that needs no more than one batch
	made   map[string]bool // of a full run: files whose documents were all made in the draft
}

// A draftLabel tells with what a draft was made.
type draftLabel struct {
	Schema   int            `json:"schema"`
	Full     bool           `json:"full"`
	Embedder embed.Manifest `json:"embedder"`
}

// takeDraft takes over what the last run has left unpublished, if this run
// would make the same of it.
func takeDraft(ctx context.Context, on *Site, s *state) error {
	store, ok := on.Store.(Drafter)
	if !ok || on.Board != nil || !s.fresh {
		return nil
	}
	want := draftLabel{Schema: models.SchemaVersion, Full: s.full, Embedder: on.Embed.Manifest()}
	label, err := json.Marshal(want)
	if err != nil {
		return err
	}
	id := s.repo.RepoID
	d := &draft{Drafter: store, before: s.repo, label: string(label), made: map[string]bool{}}
	s.draft = d
	usable := true
	err = store.ReadDraft(ctx, id, func(label string, b models.Batch) error {
		if !d.begun {
			var found draftLabel
			err := json.Unmarshal([]byte(label), &found)
			same := found.Schema == want.Schema && found.Embedder == want.Embedder
			usable = err == nil && same && (found.Full || !want.Full)
			d.begun, d.label = true, label
		}
		if !usable {
			return nil
		}
		return s.overlay(d, b)
	})
	if err == nil && d.begun && !usable {
		d.begun, d.label = false, string(label)
		err = store.DropDraft(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("read the draft of %s: %w", id, err)
	}
	s.altered = d.begun
	return nil
}

// overlay brings what is known of the files up to a batch of the draft.
func (s *state) overlay(d *draft, b models.Batch) error {
	id := s.repo.RepoID
	put := make(map[models.DocumentID]bool, len(b.Put))
	for i := range b.Put {
		put[b.Put[i].ID] = true
	}
	for _, gone := range b.DeleteRecords {
		if gone.Collection == models.FilesCollection(id) {
			delete(s.files, gone.Key)
			delete(d.made, gone.Key)
		}
	}
	for _, rec := range b.PutRecords {
		value, _ := rec.Value.(json.RawMessage)
		switch {
		case rec.Collection == models.FilesCollection(id):
			var f models.FileRecord
			if err := json.Unmarshal(value, &f); err != nil {
				return err
			}
			s.files[rec.Key] = &f
			if s.full {
				d.made[rec.Key] = allIn(put, f.Documents)
			}
		case rec.Collection == models.CollectionMeta && rec.Key == models.FoldersKey(id):
			s.folders = records.Folders{}
			if err := json.Unmarshal(value, &s.folders); err != nil {
				return err
			}
		}
	}
	return nil
}

func allIn(set map[models.DocumentID]bool, ids []models.DocumentID) bool {
	return !slices.ContainsFunc(ids, func(id models.DocumentID) bool { return !set[id] })
}

// stage takes a batch of changes, of which the last may be held until the end.
func (d *draft) stage(ctx context.Context, id models.RepoID, b models.Batch, last bool) error {
	if last && !d.begun {
		d.held = b
		return nil
	}
	if len(withoutEmpty(b)) == 0 {
		return nil
	}
	return d.add(ctx, id, b)
}

// add adds a batch to the store's draft.
func (d *draft) add(ctx context.Context, id models.RepoID, b models.Batch) error {
	if err := d.AppendDraft(ctx, id, d.label, b); err != nil {
		return err
	}
	d.begun = true
	return nil
}

// swap shows readers what the run has made, all at once, with a last batch.
func (d *draft) swap(ctx context.Context, on *Site, id models.RepoID, last models.Batch) error {
	b := d.held
	b.Delete = append(b.Delete, last.Delete...)
	b.Put = append(b.Put, last.Put...)
	b.PutRecords = append(b.PutRecords, last.PutRecords...)
	if !d.begun {
		if err := on.apply(ctx, b); err != nil {
			return err
		}
	} else {
		if err := d.add(ctx, id, b); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := d.PublishDraft(ctx, id, on.Job.Commit); err != nil {
			d.sealed = ctx.Err() == nil || !errors.Is(err, ctx.Err())
			return err
		}
	}
	return nil
}
