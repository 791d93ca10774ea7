package search

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/codec"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
)

// ErrNoRow is a document without its row: the files don't belong together.
var ErrNoRow = errors.New("the index and the rows disagree")

// document reads the document of an id, by values.
func (s *State) document(id string, values *vector.ValueReader) (models.Document, bool, error) {
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
	value, err := s.rows.Value(values, row)
	if err != nil {
		return models.Document{}, false, fmt.Errorf("document %s: %w", id, err)
	}
	d, err := codec.DecodeDocument(value, header)
	return d, true, err
}

// Record is the value of a record, or nil.
func (s *State) Record(collection, key string) (json.RawMessage, error) {
	e, found, err := s.lookup(text.RecordKey(collection, key))
	if err != nil || !found {
		return nil, err
	}
	return s.value(e)
}

// RecordKeys are the keys in the index of the records of a collection; of one of
// them where its key is not empty.
func (s *State) RecordKeys(collection, key string) ([]string, error) {
	if key != "" {
		e, found, err := s.lookup(text.RecordKey(collection, key))
		if err != nil || !found {
			return nil, err
		}
		return []string{e.key}, nil
	}
	found, err := s.prefixed(text.RecordKey(collection, ""))
	keys := make([]string, len(found))
	for i, e := range found {
		keys[i] = e.key
	}
	return keys, err
}

// An entry says where the bleve document of a key is.
type entry struct {
	key     string
	segment int
	doc     uint64
}

// lookup finds the live bleve document of a key.
func (s *State) lookup(key string) (entry, bool, error) {
	for i, seg := range s.Segments() {
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
func (s *State) prefixed(prefix string) ([]entry, error) {
	end := []byte(prefix)
	end[len(end)-1]++
	var found []entry
	for i, seg := range s.Segments() {
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

// value is the value of a record.
func (s *State) value(e entry) ([]byte, error) {
	stored, err := s.field(e.segment, e.doc, text.FieldValue)
	if err != nil {
		return nil, err
	}
	value := text.RecordValue(e.key, stored)
	if value == nil {
		return nil, fmt.Errorf("record %q: %w", e.key, codec.ErrDamaged)
	}
	return value, nil
}

// key is the key of a bleve document.
func (s *State) key(segment int, doc uint64) (string, error) {
	key, err := s.field(segment, doc, text.FieldID)
	return string(key), err
}

// field visits all fields: zapx shares its buffers between goroutines after a
// visit that ends with the id.
func (s *State) field(segment int, doc uint64, name string) ([]byte, error) {
	var value []byte
	err := s.Segments()[segment].VisitDocument(doc, func(field string, _ byte, v []byte, _ []uint64) bool {
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

// EachKey calls yield with the keys of a repository's documents, whether they have
// rows or not.
func (s *State) EachKey(id models.RepoID, yield func(key string)) error {
	for i, snapshot := range s.Segments() {
		dict, err := snapshot.Segment().Dictionary(fts.FieldRepo)
		if err != nil {
			return err
		}
		list, err := dict.PostingsList([]byte(id), snapshot.Deleted(), nil)
		if err != nil {
			return err
		}
		docs := vector.NewBits(int(snapshot.Segment().Count())) //nolint:gosec // documents of a segment
		if err := addPostings(docs, list); err != nil {
			return err
		}
		for doc := range docs.Members() {
			key, err := s.key(i, uint64(doc)) //nolint:gosec // not negative
			if err != nil {
				return err
			}
			yield(key)
		}
	}
	return nil
}
