package couchbase

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// A search index is always a little behind the documents, and far behind while
// a large repository comes in; that is no reason to stop answering. It is one
// when a good part is missing and nothing more arrives.
const (
	toleratedLag   = 1000        // documents that may be missing
	toleratedShare = 0.05        // part of all documents that may be missing
	stuckAfter     = time.Minute // without one more document indexed
)

// A lagWatch remembers whether the index has grown since the check before.
type lagWatch struct {
	mu      sync.Mutex
	name    string
	indexed int64
	grew    time.Time // zero: little was missing
}

// stood is for how long the index has not grown although it should have. While
// little is missing it need not, however long nothing was written.
func (w *lagWatch) stood(name string, documents, indexed int64, now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if tolerable(documents, indexed) {
		w.grew = time.Time{}
		return 0
	}
	if w.name != name || indexed != w.indexed || w.grew.IsZero() {
		w.name, w.indexed, w.grew = name, indexed, now
	}
	return now.Sub(w.grew)
}

func checkLag(ctx context.Context, s *Store) (string, error) {
	name, _, err := definition.Live(ctx, s)
	if err != nil {
		return "", err
	}
	indexed, err := driver.CountIndexed(ctx, s.scope, s.config, name)
	switch {
	case driver.IsNoIndex(err):
		return "", driver.ErrNoIndex(name)
	case driver.IsForbidden(err):
		return "", driver.Refused(s.config, err)
	case err != nil:
		return "", s.config.Failed(ctx, "count the documents of the search index", err)
	}
	documents, err := s.CountDocuments(ctx)
	if err != nil {
		return "", errQuery{err}
	}
	return judgeLag(name, documents, indexed, s.lag.stood(name, documents, indexed, time.Now()))
}

// judgeLag tells the numbers, and whether they are too bad to answer by.
func judgeLag(name string, documents, indexed int64, stood time.Duration) (string, error) {
	missing := documents - indexed
	switch {
	case missing <= 0:
		return fmt.Sprintf("%s has %d of %d documents", name, indexed, documents), nil
	case tolerable(documents, indexed):
		return fmt.Sprintf("%s has %d of %d documents; the others follow", name, indexed, documents), nil
	case stood < stuckAfter:
		return fmt.Sprintf("%s has %d of %d documents and is catching up: searches find less until it has", name, indexed,
			documents), nil
	}
	return "", fault.New(fault.RAGUnavailable,
		"%s has only %d of %d documents and has not grown for %v; look at the memory quota and the log of the Search service",
		name, indexed, documents, stood.Round(time.Second))
}

// tolerable reports whether so little is missing that it does not count.
func tolerable(documents, indexed int64) bool {
	missing := documents - indexed
	return missing <= toleratedLag || float64(missing) <= toleratedShare*float64(documents)
}
