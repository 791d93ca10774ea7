package embedded

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
)

// Documents implements store.Reader.
func (s *Store) Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error) {
	docs := make([]models.Document, 0, len(ids))
	err := s.read(ctx, "read a document", func(st *state) error {
		for _, id := range ids {
			if err := ctx.Err(); err != nil {
				return err
			}
			d, found, err := st.document(string(id))
			if err != nil {
				return err
			}
			if found {
				docs = append(docs, d)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// document reads the document of an id.
func (s *state) document(id string) (models.Document, bool, error) {
	if s.over != nil {
		if d, ok := s.over.docs[models.DocumentID(id)]; ok {
			return d, true, nil
		}
	}
	row, ok := s.rows.Lookup(id)
	if !ok {
		return models.Document{}, false, nil
	}
	header, err := codec.MetaHeader(id, s.rows.Meta(row))
	if err != nil {
		return models.Document{}, false, err
	}
	e, found, err := s.lookup(text.DocumentKey(id))
	if err != nil {
		return models.Document{}, false, err
	}
	if !found {
		return models.Document{}, false, fmt.Errorf("document %s: %w", id, errNoRow)
	}
	value, err := s.stored(e.segment, e.doc)
	if err != nil {
		return models.Document{}, false, err
	}
	d, err := codec.DecodeDocument(value, header)
	return d, true, err
}

// Record implements store.Reader.
func (s *Store) Record(ctx context.Context, collection, key string, v any) (bool, error) {
	found := false
	err := s.read(ctx, "read a record", func(st *state) error {
		value, err := st.record(collection, key)
		if err == nil && collection == models.CollectionRepos {
			value, err = s.shown(key, value)
		}
		if err == nil && value != nil && v != nil {
			err = json.Unmarshal(value, v)
		}
		found = err == nil && value != nil
		return err
	})
	return found, err
}

// record is the value of a record, or nil.
func (s *state) record(collection, key string) (json.RawMessage, error) {
	e, found, err := s.lookup(text.RecordKey(collection, key))
	if err != nil || !found {
		return nil, err
	}
	return s.stored(e.segment, e.doc)
}

// Records implements store.Reader.
func (s *Store) Records(ctx context.Context, collection string,
	yield func(key string, value json.RawMessage) error,
) error {
	if collection != models.CollectionRepos {
		return s.records(ctx, collection, yield)
	}
	all := map[string]json.RawMessage{}
	for _, r := range s.registrations.All() {
		if r.Damaged != "" {
			all[string(r.RepoID)] = nil
		}
	}
	err := s.records(ctx, collection, func(key string, value json.RawMessage) error {
		all[key] = value
		return nil
	})
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		value, err := s.shown(key, all[key])
		if err != nil {
			return s.unavailable(ctx, "read a record", err)
		}
		if err := yield(key, value); err != nil {
			return err
		}
	}
	return nil
}

// records are the records as the index has them.
func (s *Store) records(ctx context.Context, collection string,
	yield func(key string, value json.RawMessage) error,
) error {
	var stopped error
	err := s.read(ctx, "list records", func(st *state) error {
		found, err := st.prefixed(text.RecordKey(collection, ""))
		if err != nil {
			return err
		}
		for _, e := range found {
			if err := ctx.Err(); err != nil {
				return err
			}
			value, err := st.stored(e.segment, e.doc)
			if err != nil {
				return err
			}
			if stopped = yield(e.key[len(text.RecordKey(collection, "")):], value); stopped != nil {
				return nil //nolint:nilerr // the error of the yield goes out by cmp.Or
			}
		}
		return nil
	})
	return cmp.Or(stopped, err)
}

// An entry says where the bleve document of a key is.
type entry struct {
	key     string
	segment int
	doc     uint64
}

// lookup finds the live bleve document of a key.
func (s *state) lookup(key string) (entry, bool, error) {
	for i, seg := range s.reader.Segments() {
		docs, err := seg.DocNumbers([]string{key})
		if err != nil {
			return entry{}, false, fmt.Errorf("look up %q: %w", key, err)
		}
		if !docs.IsEmpty() {
			return entry{key, i, uint64(docs.Minimum())}, true, nil
		}
	}
	return entry{}, false, nil
}

// prefixed finds the live bleve documents whose key begins with prefix, which
// does not end in 0xff, in the order of keys.
func (s *state) prefixed(prefix string) ([]entry, error) {
	end := []byte(prefix)
	end[len(end)-1]++
	var found []entry
	for i, seg := range s.reader.Segments() {
		dict, err := seg.Segment().Dictionary(text.FieldID)
		if err != nil {
			return nil, fmt.Errorf("list ids: %w", err)
		}
		ids := dict.AutomatonIterator(nil, []byte(prefix), end)
		for {
			next, err := ids.Next()
			if err != nil {
				return nil, fmt.Errorf("list ids: %w", err)
			}
			if next == nil {
				break
			}
			list, err := dict.PostingsList([]byte(next.Term), seg.Deleted(), nil)
			if err != nil {
				return nil, fmt.Errorf("list ids: %w", err)
			}
			p, err := list.Iterator(false, false, false, nil).Next()
			if err != nil {
				return nil, fmt.Errorf("list ids: %w", err)
			}
			if p != nil {
				found = append(found, entry{next.Term, i, p.Number()})
			}
		}
	}
	slices.SortFunc(found, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	return found, nil
}

// stored is a copy of the value that a bleve document holds.
func (s *state) stored(segment int, doc uint64) ([]byte, error) {
	return s.field(segment, doc, text.FieldValue)
}

// key is the key of a bleve document.
func (s *state) key(segment int, doc uint64) (string, error) {
	key, err := s.field(segment, doc, text.FieldID)
	return string(key), err
}

// field visits all fields: zapx shares its buffers between goroutines after a
// visit that ends with the id.
func (s *state) field(segment int, doc uint64, name string) ([]byte, error) {
	var value []byte
	err := s.reader.Segments()[segment].VisitDocument(doc, func(field string, _ byte, v []byte, _ []uint64) bool {
		if field == name {
			value = bytes.Clone(v)
		}
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read a stored value: %w", err)
	}
	return value, nil
}

// Embeddings implements store.Reader. It finds embeddings of any document,
// whatever near is; of those that were deleted or replaced too, until the rows
// are compacted, and of those in drafts. A vector has the components that its
// codes stand for, and the same codes when it is put again.
func (s *Store) Embeddings(ctx context.Context, keys []models.EmbeddingKey,
	_ []models.DocumentID,
) (map[models.EmbeddingKey][]float32, error) {
	found := map[models.EmbeddingKey][]float32{}
	if err := s.read(ctx, "read embeddings", func(st *state) error {
		return s.keys.Vectors(st.base().rows, keys, found)
	}); err != nil {
		return nil, err
	}
	if err := s.drafts.Embeddings(keys, found); err != nil {
		return nil, s.unavailable(ctx, "read the embeddings of a draft", err)
	}
	return found, nil
}
