package couchbase

import (
	"unicode/utf8"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
)

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
