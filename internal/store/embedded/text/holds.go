package text

import (
	"strings"

	scorch "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// repositoriesIn are the repositories that have documents or records in a
// segment, deleted ones included. It reads little: the terms of one field and one
// record of each collection.
func repositoriesIn(seg scorch.Segment) ([]string, error) {
	found := map[string]bool{}
	if err := EachRepository(seg, func(id string, _ scorch.PostingsList) error {
		found[id] = true
		return nil
	}); err != nil {
		return nil, err
	}
	if err := eachCollection(seg, func(collection, key string) {
		for _, id := range []string{collection, key} {
			if _, id, ok := strings.Cut(id, ":"); ok {
				found[id] = true // models.FilesCollection and the like
			}
		}
		if collection == models.CollectionRepos {
			found[key] = true
		}
	}); err != nil {
		return nil, err
	}
	holds := make([]string, 0, len(found))
	for id := range found {
		holds = append(holds, id)
	}
	return holds, nil
}

// EachRepository calls yield with the documents of each repository in a segment,
// deleted ones included.
func EachRepository(seg scorch.Segment, yield func(id string, docs scorch.PostingsList) error) error {
	dict, err := seg.Dictionary(fts.FieldRepo)
	if err != nil {
		return err
	}
	for ids := dict.AutomatonIterator(nil, nil, nil); ; {
		next, err := ids.Next()
		if err != nil || next == nil {
			return err
		}
		docs, err := dict.PostingsList([]byte(next.Term), nil, nil)
		if err == nil {
			err = yield(next.Term, docs)
		}
		if err != nil {
			return err
		}
	}
}

// eachCollection calls yield with a record of each collection of a segment, and
// with each record of collections that have few and are not of one repository.
func eachCollection(seg scorch.Segment, yield func(collection, key string)) error {
	dict, err := seg.Dictionary(FieldID)
	if err != nil {
		return err
	}
	for from := recordPrefix; ; {
		next, err := dict.AutomatonIterator(nil, []byte(from), []byte(documentPrefix)).Next()
		if err != nil || next == nil {
			return err
		}
		collection, key, _ := strings.Cut(next.Term[len(recordPrefix):], "\x00")
		yield(collection, key)
		from = next.Term + "\x00"
		if collection != models.CollectionRepos && collection != models.CollectionMeta {
			from = recordPrefix + collection + "\x01"
		}
	}
}
