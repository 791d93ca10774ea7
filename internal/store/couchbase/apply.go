package couchbase

import (
	"context"
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

// Apply implements store.Writer. The batch is checked and encoded as a whole
// before anything is written; a batch of some thousand documents is held in
// memory twice. Records are written last, so that a record that speaks of
// documents is never there before them. When it fails, the error says how many
// of the writes under way were carried out.
func (s *Store) Apply(ctx context.Context, b store.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkBatch(b, s.config.Dims); err != nil {
		return err
	}
	c, err := s.encode(ctx, b)
	if err != nil {
		return s.config.Failed(ctx, "encode a batch", err)
	}
	for _, repo := range b.DeleteRepos {
		if err := s.removeAll(ctx, s.documents, keysOfDocuments, map[string]any{"repo": repo}); err != nil {
			return err
		}
	}
	if err := s.remove(ctx, s.documents, c.deletions); err != nil {
		return err
	}
	for _, collection := range c.collections {
		if err := s.removeAll(ctx, s.records, keysOfRecords, map[string]any{"c": collection}); err != nil {
			return err
		}
	}
	if err := s.remove(ctx, s.records, c.recordDeletions); err != nil {
		return err
	}
	if err := s.delist(ctx, b.DeleteRecords); err != nil {
		return err
	}
	if err := s.put(ctx, s.documents, c.documents); err != nil {
		return err
	}
	return s.putRecords(ctx, b.PutRecords, c.records)
}

// checkBatch refuses what would be stored and never found.
func checkBatch(b store.Batch, dims int) error {
	for i := range b.Put {
		d := &b.Put[i]
		switch {
		case d.ID == "" || !utf8.ValidString(string(d.ID)):
			return fault.New(fault.InvalidRequest, "batch: %.100q is not the id of a document", d.ID)
		case !docTypes[d.Type]:
			return fault.New(fault.InvalidRequest, "batch: document %s has the unknown type %q", d.ID, d.Type)
		case d.Embedding != nil && len(d.Embedding) != dims:
			return fault.New(fault.InvalidRequest, "batch: the vector of %s has %d components, the index %d", d.ID,
				len(d.Embedding), dims)
		}
	}
	for _, r := range b.PutRecords {
		if err := checkRecord(r.Collection, r.Key); err != nil {
			return err
		}
	}
	return nil
}

func checkRecord(collection, key string) error {
	if collection == "" || key == "" || !utf8.ValidString(collection) || !utf8.ValidString(key) {
		return fault.New(fault.InvalidRequest, "collection %q, key %q do not name a record", collection, key)
	}
	return nil
}

var docTypes = func() map[models.DocType]bool {
	known := map[models.DocType]bool{}
	for _, l := range models.Levels() {
		known[l.DocType()] = true
	}
	return known
}()
