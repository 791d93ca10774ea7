package couchbase

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store"
)

const (
	// baseIndexName is the name of the first search index of a scope.
	baseIndexName = "code_vector_index"
	// liveIndexKey is the record of CollectionMeta that names the live one:
	// setup builds another and then changes the record.
	liveIndexKey = "search_index"
	// similarity is the only one whose scores are right for this program:
	// 1/d², which is positive and orders unit vectors as the cosine does.
	similarity = "l2_norm"
	// serverSimilarity is that of a definition that does not say.
	serverSimilarity = "l2_norm"
)

// A liveIndex is the search index that requests go to, as the server has it.
type liveIndex struct {
	name       string
	missing    bool   // there is no index of that name
	dims       int    // of the vectors; 0 when it has none
	similarity string // of the vectors
	version    string // of the server: "7.6.5-5704-enterprise"; "" when nobody tells
	prefilter  bool   // the filter of a knn clause works: from server 7.6.4
}

// liveRecord is the record liveIndexKey.
type liveRecord struct {
	Name string `json:"name"`
}

// index is what is known of the live index.
func (s *Store) index() liveIndex { return *s.live.Load() }

// refresh looks at the live index anew. When that fails, what was known stays.
func (s *Store) refresh(ctx context.Context) error {
	var rec liveRecord
	if _, err := s.Record(ctx, store.CollectionMeta, liveIndexKey, &rec); err != nil {
		return err
	}
	live := liveIndex{name: cmp.Or(rec.Name, baseIndexName)}
	version, err := s.version(ctx)
	if ctx.Err() != nil {
		return err
	}
	if known := s.live.Load(); err != nil && known != nil {
		version = known.version
	}
	live.version, live.prefilter = version, atLeast(version, 7, 6, 4)
	var definition *gocb.SearchIndex
	err = repeat(ctx, func() (err error) {
		definition, err = s.scope.SearchIndexes().GetIndex(live.name, &gocb.GetSearchIndexOptions{Timeout: s.timeout(ctx), Context: ctx})
		return err
	})
	switch {
	case isNoIndex(err):
		live.missing = true
	case err != nil:
		return s.failed(ctx, "read the definition of the search index", err)
	default:
		if live.dims, live.similarity, err = vectorsOf(*definition, s.config.Scope); err != nil {
			return s.failed(ctx, "read the definition of the search index", err)
		}
	}
	s.live.Store(&live)
	return nil
}

// keepFresh refreshes from time to time until the context ends. Failures are
// those of the next requests.
func (s *Store) keepFresh(ctx context.Context) {
	ticker := time.NewTicker(s.config.refreshEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_ = parallel.Call(func() error { return s.refresh(ctx) })
		}
	}
}

// onIndex does something with the live index. When it is not there, setup may
// have made another since: onIndex looks, and does it once more.
func (s *Store) onIndex(ctx context.Context, do func(live liveIndex) error) error {
	live := s.index()
	err := do(live)
	if !live.missing && !isNoIndex(err) {
		return err
	}
	if err := s.refresh(ctx); err != nil {
		return err
	}
	if live = s.index(); live.missing {
		return errNoIndex(live.name)
	}
	return do(live)
}

// searchable says why the index cannot answer a request, if it cannot.
func (l liveIndex) searchable(dims int, knn bool) error {
	switch {
	case l.missing:
		return errNoIndex(l.name)
	case knn && l.dims == 0:
		return fault.New(fault.IndexNotReady, "the search index %s has no vectors; run `ragnav setup couchbase`, or use mode \"lexical\"", l.name)
	case knn && l.dims != dims:
		return fault.New(fault.IndexNotReady,
			"the search index %s has vectors of %d components, the embedder makes %d; use the embedder it was made with, or run `ragnav setup couchbase` and index again",
			l.name, l.dims, dims)
	case knn && l.similarity != similarity:
		return fault.New(fault.IndexNotReady, "the search index %s compares vectors by %s, which ranks wrongly together with a filter; run `ragnav setup couchbase` to change it to %s",
			l.name, l.similarity, similarity)
	}
	return nil
}

func errNoIndex(name string) error {
	return fault.New(fault.RAGUnavailable, "the search index %s is missing; run `ragnav setup couchbase`", name)
}

// isNoIndex reports whether an error says that there is no such search index.
// The server has three ways to say so.
func isNoIndex(err error) bool {
	if errors.Is(err, gocb.ErrIndexNotFound) {
		return true
	}
	search, ok := errors.AsType[*gocb.SearchError](err)
	return ok && (strings.Contains(search.ErrorText, "no index definitions found") || strings.Contains(search.ErrorText, "index not found") || search.HTTPStatusCode == 404)
}

// vectorsOf reads dims and similarity from an index definition.
func vectorsOf(index gocb.SearchIndex, scope string) (dims int, similarity string, err error) {
	d, err := definitionOf(index)
	f := d.vectors(scope)
	return f.Dims, cmp.Or(f.Similarity, serverSimilarity), err
}

// atLeast compares a version such as "7.6.4-1234-enterprise".
func atLeast(version string, want ...int) bool {
	number, _, _ := strings.Cut(version, "-")
	parts := strings.Split(number, ".")
	for i, w := range want {
		have := 0
		if i < len(parts) {
			have, _ = strconv.Atoi(parts[i])
		}
		if have != w {
			return have > w
		}
	}
	return true
}
