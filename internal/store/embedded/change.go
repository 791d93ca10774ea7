package embedded

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
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
func (s *Store) prepare(b store.Batch) (*change, error) {
	st := s.newest()
	defer st.release()
	c := &change{batch: index.NewBatch(), serial: s.commit.Serial}
	if err := c.deleteRepos(st, b.DeleteRepos); err != nil {
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
		c.batch.Update(newRecord(recordID(r.Collection, r.Key), value))
	}
	return c, nil
}

// delete deletes a document if there is one.
func (c *change) delete(st *state, id string) {
	if _, ok := st.rows.Lookup(id); ok {
		c.batch.Delete(id)
		c.rows = append(c.rows, vector.Row{ID: id, Deleted: true})
	}
}

func (c *change) deleteRepos(st *state, repos []models.RepoID) error {
	for _, seg := range st.reader.Segments() {
		if len(repos) == 0 {
			break
		}
		dict, err := seg.Segment().Dictionary(fts.FieldRepo)
		if err != nil {
			return fmt.Errorf("find the documents of a repository: %w", err)
		}
		for _, repo := range repos {
			list, err := dict.PostingsList([]byte(repo), seg.Deleted(), nil)
			if err != nil {
				return fmt.Errorf("find the documents of %s: %w", repo, err)
			}
			docs := list.Iterator(false, false, false, nil)
			for {
				p, err := docs.Next()
				if err != nil {
					return fmt.Errorf("find the documents of %s: %w", repo, err)
				}
				if p == nil {
					break
				}
				id, err := seg.DocID(p.Number())
				if err != nil {
					return fmt.Errorf("read an id: %w", err)
				}
				c.delete(st, string(id))
			}
		}
	}
	return nil
}

func (c *change) deleteRecords(st *state, records []store.RecordID) error {
	for _, r := range records {
		if r.Key != "" {
			id := recordID(r.Collection, r.Key)
			_, found, err := st.lookup(id)
			if err != nil {
				return err
			}
			if found {
				c.batch.Delete(id)
			}
			continue
		}
		found, err := st.prefixed(recordID(r.Collection, ""))
		if err != nil {
			return err
		}
		for _, e := range found {
			c.batch.Delete(e.id)
		}
	}
	return nil
}

// put puts documents, of several with one id the last.
func (c *change) put(docs []models.Document, analyser *fts.Analyser) error {
	if int64(c.serial)+int64(len(docs)) > math.MaxUint32-rowFreqOffset {
		return fmt.Errorf("no more than %d rows can ever be written; remove the data directory and index again", uint32(math.MaxUint32))
	}
	last := make(map[models.DocumentID]int, len(docs))
	for i := range docs {
		last[docs[i].ID] = i
	}
	c.rows = slices.Grow(c.rows, len(last))
	for i := range docs {
		d := &docs[i]
		if last[d.ID] != i {
			continue
		}
		doc, err := newDocument(d, c.serial, analyser)
		if err != nil {
			return err
		}
		c.batch.Update(doc)
		c.rows = append(c.rows, vector.Row{ID: string(d.ID), Meta: appendMeta(nil, c.serial, &d.Header), Vector: d.Embedding})
		c.serial++
	}
	return nil
}
