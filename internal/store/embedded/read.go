package embedded

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/store/embedded/search"
)

// Documents implements store.Reader.
func (s *Store) Documents(ctx context.Context, ids []models.DocumentID) ([]models.Document, error) {
	var docs []models.Document
	err := s.readers.read(ctx, "read a document", func(st *search.State) (err error) {
		docs, err = s.files.engine.Documents(ctx, st, ids)
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// Record implements store.Reader.
func (s *Store) Record(ctx context.Context, collection, key string, v any) (bool, error) {
	found := false
	err := s.readers.read(ctx, "read a record", func(st *search.State) error {
		value, err := st.Record(collection, key)
		if err == nil && collection == models.CollectionRepos {
			value, err = s.files.registrations.Load().Shown(models.RepoID(key), value)
		}
		if raw, ok := v.(*json.RawMessage); ok {
			*raw = value
		} else if err == nil && value != nil && v != nil {
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
	for _, r := range s.files.registrations.Load().Lost() {
		all[string(r.RepoID)] = nil
	}
	err := s.records(ctx, collection, func(key string, value json.RawMessage) error {
		all[key] = value
		return nil
	})
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		value, err := s.files.registrations.Load().Shown(models.RepoID(key), all[key])
		if err != nil {
			return s.files.unavailable(ctx, "read a record", err)
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
	err := s.readers.read(ctx, "list records", func(st *search.State) error {
		err := s.files.engine.Records(ctx, st, collection, func(key string, value json.RawMessage) error {
			stopped = yield(key, value)
			return stopped
		})
		if stopped == nil {
			return err
		}
		d, _ := errors.AsType[*disk.Damage](s.files.intact(st.Base(), true)) // what made no sense may be damaged
		if d == nil {
			return nil // the error of the yield goes out by cmp.Or
		}
		return d
	})
	return cmp.Or(err, stopped)
}

// Embeddings implements store.Reader. It finds embeddings of any document,
// whatever near is; of those that were deleted or replaced too, until the rows
// are compacted, and of those in drafts. A vector has the components that its
// codes stand for, and the same codes when it is put again.
func (s *Store) Embeddings(ctx context.Context, keys []models.EmbeddingKey,
	_ []models.DocumentID,
) (map[models.EmbeddingKey][]float32, error) {
	found := map[models.EmbeddingKey][]float32{}
	if err := s.readers.read(ctx, "read embeddings", func(st *search.State) error {
		return s.files.engine.Embeddings(st, keys, found)
	}); err != nil {
		return nil, err
	}
	if err := s.drafts.folder.Embeddings(keys, found); err != nil {
		return nil, s.files.unavailable(ctx, "read the embeddings of a draft", err)
	}
	return found, nil
}

// Search implements store.Searcher. Total is always counted.
func (s *Store) Search(ctx context.Context, req fts.Request) (result fts.Result, err error) {
	if err := req.Check(s.files.components()); err != nil {
		return fts.Result{}, err
	}
	err = s.readers.read(ctx, "search", func(st *search.State) error {
		result, err = s.files.engine.Search(ctx, st, req)
		return err
	})
	if err != nil {
		return fts.Result{}, err
	}
	return result, nil
}

// Pin returns a context under which all reading from this store sees one state,
// the newest as of now: a request that reads several times gets answers that
// belong together. Call release at its end. A context that is pinned already
// stays as it is.
func (s *Store) Pin(ctx context.Context) (pinned context.Context, release func(), err error) {
	if ctx.Value(pinKey{s.readers}) != nil {
		return ctx, func() {}, nil
	}
	st, err := s.readers.acquire(ctx)
	if err != nil {
		return ctx, func() {}, err
	}
	return s.readers.with(ctx, st), func() { s.readers.release(st) }, nil
}

// Overlay returns a context under which Search and Documents see the documents
// of o in place of those that it hides, and of those with the same ids, until
// release. Records are as they are stored. The documents may be shared with
// others and are not changed. What was made of the last few overlays is kept: the
// same key costs nothing again.
func (s *Store) Overlay(ctx context.Context, o models.Overlay) (over context.Context, release func(), err error) {
	var st *search.State
	err = s.readers.read(ctx, "lay documents over the index", func(under *search.State) (err error) {
		if st, err = s.files.engine.Overlay(ctx, under, o); err != nil {
			return err
		}
		s.readers.begin()
		return nil
	})
	if err != nil {
		return ctx, nil, err
	}
	return s.readers.with(ctx, st), func() { s.readers.release(st) }, nil
}
