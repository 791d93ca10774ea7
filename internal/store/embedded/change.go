package embedded

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
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
func (s *Store) prepare(ctx context.Context, b store.Batch) (*change, error) {
	st := s.newest()
	defer st.Release()
	c := &change{batch: index.NewBatch(), serial: s.commit.Serial}
	if err := s.deleteRepos(ctx, c, st, b.DeleteRepos); err != nil {
		return nil, err
	}
	if err := c.deleteRecords(st, b.DeleteRecords); err != nil {
		return nil, err
	}
	for _, id := range b.Delete {
		c.delete(st, string(id))
	}
	if err := c.put(b.Put, s.analyser); err != nil {
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
func (s *Store) deleteRepos(ctx context.Context, c *change, st *search.State, repos []models.RepoID) error {
	if len(repos) == 0 {
		return nil
	}
	var any fts.Disjunction
	for _, repo := range repos {
		any.Disjuncts = append(any.Disjuncts, fts.Filter(fts.FieldRepo, string(repo)))
	}
	ids, err := s.engine.IDs(ctx, st, any)
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
		if r.Key != "" {
			key := text.RecordKey(r.Collection, r.Key)
			_, found, err := st.Lookup(key)
			if err != nil {
				return err
			}
			if found {
				c.batch.Delete(key)
			}
			continue
		}
		found, err := st.Prefixed(text.RecordKey(r.Collection, ""))
		if err != nil {
			return err
		}
		for _, e := range found {
			c.batch.Delete(e.Key)
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
		c.rows = append(c.rows,
			vector.Row{ID: string(d.ID), Meta: codec.EncodeMeta(c.serial, d.Header, d.EmbeddingKey), Vector: d.Embedding})
		c.serial++
	}
	return nil
}
