package embedded

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
)

// maxID is the length of the longest id of a document, in bytes.
const maxID = 1<<16 - 1

// textFields tells the types that documents can have.
var textFields = func() map[models.DocType]bool {
	types := map[models.DocType]bool{}
	for _, l := range models.Levels() {
		types[l.DocType()] = true
	}
	return types
}()

// prepare turns a batch into a change of the index as it is now.
func (w *writer) prepare(ctx context.Context, b store.Batch) (*change, error) {
	st := w.files.newest()
	defer st.Release()
	c := &change{batch: index.NewBatch(), serial: w.files.commit.Serial}
	if err := w.deleteRepos(ctx, c, st, b.DeleteRepos); err != nil {
		return nil, err
	}
	if err := c.deleteRecords(st, b.DeleteRecords); err != nil {
		return nil, err
	}
	for _, id := range b.Delete {
		c.delete(st, string(id))
	}
	if err := c.put(b.Put, w.files.analyser); err != nil {
		return nil, err
	}
	for _, r := range b.PutRecords {
		value, err := json.Marshal(r.Value)
		if err != nil {
			return nil, fmt.Errorf("encode record %s of %s: %w", r.Key, r.Collection, err)
		}
		c.batch.Update(text.NewRecord(text.RecordKey(r.Collection, r.Key), value))
	}
	return c, nil
}

// delete deletes a document if there is one.
func (c *change) delete(st *search.State, id string) {
	if _, ok := st.Rows().Lookup(id); ok {
		c.batch.Delete(text.DocumentKey(id))
		c.rows = append(c.rows, vector.Row{ID: id, Deleted: true})
	}
}

// deleteRepos deletes the documents of repositories.
func (w *writer) deleteRepos(ctx context.Context, c *change, st *search.State, repos []models.RepoID) error {
	if len(repos) == 0 {
		return nil
	}
	var any fts.Disjunction
	for _, repo := range repos {
		any.Disjuncts = append(any.Disjuncts, fts.Filter(fts.FieldRepo, string(repo)))
	}
	ids, err := w.files.engine.IDs(ctx, st, any)
	if err != nil {
		return err
	}
	for _, id := range ids {
		c.delete(st, id)
	}
	return nil
}

func (c *change) deleteRecords(st *search.State, records []store.RecordID) error {
	for _, r := range records {
		keys, err := st.RecordKeys(r.Collection, r.Key)
		if err != nil {
			return err
		}
		for _, key := range keys {
			c.batch.Delete(key)
		}
	}
	return nil
}

// put puts documents, of several with one id the last.
func (c *change) put(docs []models.Document, analyser *fts.Analyser) error {
	if int64(c.serial)+int64(len(docs)) > math.MaxUint32-text.RowFreqOffset {
		return fmt.Errorf("no more than %d rows can ever be written; remove the data directory and index again",
			uint32(math.MaxUint32))
	}
	last := make(map[models.DocumentID]int, len(docs))
	for i := range docs {
		last[docs[i].ID] = i
	}
	c.rows = slices.Grow(c.rows, len(last))
	memo := text.NewBatchMemo()
	for i := range docs {
		d := &docs[i]
		if last[d.ID] != i {
			continue
		}
		c.batch.Update(text.NewDocument(d, c.serial, analyser, memo))
		c.rows = append(c.rows, vector.Row{
			ID: string(d.ID), Meta: codec.EncodeMeta(c.serial, d.Header, d.EmbeddingKey), Value: codec.EncodeDocument(*d),
			Vector: d.Embedding,
		})
		c.serial++
	}
	return nil
}

// demote removes what is left of the repositories that are marked and were not
// demoted yet. Their embeddings stay in the rows until they are compacted.
func (w *writer) demote(ctx context.Context) error {
	gone := map[models.RepoID]disk.Registration{}
	var ids []models.RepoID
	for _, r := range w.files.registrations.Load().All() {
		if r.Damaged != "" && !r.Demoted {
			gone[r.RepoID] = r
			ids = append(ids, r.RepoID)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	c, err := w.demotion(ctx, gone, ids)
	if err != nil {
		return err
	}
	if err := w.write(c); err != nil {
		return err
	}
	demoted := make([]disk.Registration, 0, len(gone))
	for _, r := range gone {
		r.Demoted = true
		demoted = append(demoted, r)
	}
	return w.files.registrations.Load().Change(demoted, nil)
}

func (w *writer) demotion(ctx context.Context, gone map[models.RepoID]disk.Registration, ids []models.RepoID) (*change,
	error,
) {
	var b store.Batch
	for id, r := range gone {
		b.DeleteRecords = append(b.DeleteRecords,
			store.RecordID{Collection: models.FilesCollection(id)}, store.RecordID{Collection: models.ContentsCollection(id)},
			store.RecordID{Collection: models.CollectionMeta, Key: models.FoldersKey(id)})
		b.PutRecords = append(b.PutRecords,
			store.Record{Collection: models.CollectionRepos, Key: string(id), Value: r.Record()})
	}
	c, err := w.prepare(ctx, b)
	if err != nil {
		return nil, err
	}
	st := w.files.newest()
	defer st.Release()
	if err := eachLive(st.Rows(), func(row int, h models.Header) {
		if _, ok := gone[h.RepoID]; ok {
			c.batch.Delete(text.DocumentKey(string(h.ID)))
			c.rows = append(c.rows, vector.Row{ID: string(h.ID), Deleted: true})
		}
	}); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := st.EachKey(id, c.batch.Delete); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// lostMeanwhile is the error of a batch that says that a repository is whole again,
// but is of a run that began before a part of its index was lost: such a run does not
// write again what it takes to be there. One that began later has said so first.
func (w *writer) lostMeanwhile(b store.Batch) error {
	for _, rec := range b.PutRecords {
		if rec.Collection != models.CollectionRepos {
			continue
		}
		repo, ok := repositoryOf(rec)
		if !ok || !mends(repo) {
			continue
		}
		if err := w.renewing(repo.RepoID); err != nil {
			return err
		}
	}
	return nil
}

// renewing is an error where a repository is to be indexed again, and no run does so.
func (w *writer) renewing(id models.RepoID) error {
	known, _ := w.files.registrations.Load().Get(id)
	if known.Damaged == "" {
		return nil
	}
	st := w.files.newest()
	defer st.Release()
	value, err := st.Record(models.CollectionRepos, string(id))
	if err != nil {
		return err
	}
	if there, _ := repositoryOf(store.Record{Key: string(id), Value: value}); there.State == models.StateIndexing {
		return nil
	}
	return fault.New(fault.IndexNotReady, "%s was not indexed: meanwhile %s", id, known.Damaged)
}
