package couchbase

import (
	"context"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
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

// refresh looks at the live index anew. When that fails, what was known stays.
func refresh(ctx context.Context, s *Store) error {
	name, _, err := definition.Live(ctx, s)
	if err != nil {
		return err
	}
	live := liveIndex{name: name}
	version, err := versionOf(ctx, s)
	if ctx.Err() != nil {
		return err
	}
	if known := s.live.Load(); err != nil && known != nil {
		version = known.version
	}
	live.version, live.prefilter = version, driver.AtLeast(version, 7, 6, 4)
	var found *gocb.SearchIndex
	err = driver.Repeat(ctx, func() (err error) {
		found, err = s.scope.SearchIndexes().GetIndex(live.name,
			&gocb.GetSearchIndexOptions{Timeout: s.config.Timeout(ctx), Context: ctx})
		return err
	})
	switch {
	case driver.IsNoIndex(err):
		live.missing = true
	case err != nil:
		return s.config.Failed(ctx, "read the definition of the search index", err)
	default:
		if live.dims, live.similarity, err = definition.VectorsOf(*found, s.config.Scope); err != nil {
			return s.config.Failed(ctx, "read the definition of the search index", err)
		}
	}
	s.live.Store(&live)
	return nil
}

// keepFresh refreshes from time to time until the context ends. Failures are
// those of the next requests.
func keepFresh(ctx context.Context, s *Store) {
	ticker := time.NewTicker(s.config.RefreshEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_ = parallel.Call(func() error { return refresh(ctx, s) })
		}
	}
}

// onIndex does something with the live index. When it is not there, setup may
// have made another since: onIndex looks, and does it once more.
func onIndex(ctx context.Context, s *Store, do func(live liveIndex) error) error {
	live := s.index()
	err := do(live)
	if !live.missing && !driver.IsNoIndex(err) {
		return err
	}
	if err := refresh(ctx, s); err != nil {
		return err
	}
	if live = s.index(); live.missing {
		return driver.ErrNoIndex(live.name)
	}
	return do(live)
}

// searchable says why the index cannot answer a request, if it cannot.
func (l liveIndex) searchable(dims int, knn bool) error {
	switch {
	case l.missing:
		return driver.ErrNoIndex(l.name)
	case knn && l.dims == 0:
		return fault.New(fault.IndexNotReady,
			"the search index %s has no vectors; run `ragnav setup couchbase`, or use mode \"lexical\"", l.name)
	case knn && l.dims != dims:
		return fault.New(fault.IndexNotReady,
			"the search index %s has vectors of %d components, the embedder makes %d; use the embedder it was made with, or "+
				"run `ragnav setup couchbase` and index again",
			l.name, l.dims, dims)
	case knn && l.similarity != definition.Similarity:
		return fault.New(fault.IndexNotReady,
			"the search index %s compares vectors by %s, which ranks wrongly together with a filter; run `ragnav setup "+
				"couchbase` to change it to %s",
			l.name, l.similarity, definition.Similarity)
	}
	return nil
}
