package embedded

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
)

// Documents implements store.Reader.
func (s *Store) Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error) {
	docs := make([]models.Document, 0, len(ids))
	err := s.read(ctx, "read a document", func(st *search.State) error {
		for _, id := range ids {
			if err := ctx.Err(); err != nil {
				return err
			}
			d, found, err := st.Document(string(id))
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

// Record implements store.Reader.
func (s *Store) Record(ctx context.Context, collection, key string, v any) (bool, error) {
	found := false
	err := s.read(ctx, "read a record", func(st *search.State) error {
		value, err := st.Record(collection, key)
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
	err := s.read(ctx, "list records", func(st *search.State) error {
		found, err := st.Prefixed(text.RecordKey(collection, ""))
		if err != nil {
			return err
		}
		for _, e := range found {
			if err := ctx.Err(); err != nil {
				return err
			}
			value, err := st.Value(e)
			if err != nil {
				return err
			}
			if stopped = yield(e.Key[len(text.RecordKey(collection, "")):], value); stopped != nil {
				return nil //nolint:nilerr // the error of the yield goes out by cmp.Or
			}
		}
		return nil
	})
	return cmp.Or(stopped, err)
}

// Embeddings implements store.Reader. It finds embeddings of any document,
// whatever near is; of those that were deleted or replaced too, until the rows
// are compacted, and of those in drafts. A vector has the components that its
// codes stand for, and the same codes when it is put again.
func (s *Store) Embeddings(ctx context.Context, keys []models.EmbeddingKey,
	_ []models.DocumentID,
) (map[models.EmbeddingKey][]float32, error) {
	found := map[models.EmbeddingKey][]float32{}
	if err := s.read(ctx, "read embeddings", func(st *search.State) error {
		return s.engine.Embeddings(st, keys, found)
	}); err != nil {
		return nil, err
	}
	if err := s.drafts.Embeddings(keys, found); err != nil {
		return nil, s.unavailable(ctx, "read the embeddings of a draft", err)
	}
	return found, nil
}

// Search implements store.Searcher. Total is always counted.
func (s *Store) Search(ctx context.Context, req fts.Request) (result fts.Result, err error) {
	if err := req.Check(s.components()); err != nil {
		return fts.Result{}, err
	}
	err = s.read(ctx, "search", func(st *search.State) error {
		result, err = s.engine.Search(ctx, st, req)
		return err
	})
	if err != nil {
		return fts.Result{}, err
	}
	return result, nil
}
