package couchbase

import (
	"context"
	"fmt"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// awaitIndexed waits until an index has as many documents as there were a look
// ago: documents may be written all the while, and the index is always a little
// behind them.
func awaitIndexed(ctx context.Context, u *setup, s *Store, name string) error {
	now := time.Now()
	w := wait{setup: u, name: name, counted: now, grew: now, told: now, before: -1}
	for {
		done, err := w.look(ctx, s)
		if done || err != nil {
			return err
		}
		if !driver.Pause(ctx, u.pace.poll) {
			return fmt.Errorf("wait for the search index %s: %w", name, ctx.Err())
		}
	}
}

// A wait is what has been seen of an index that is being built.
type wait struct {
	*setup
	name    string
	counted time.Time // when counting last succeeded
	failed  int       // how often it has failed since
	before  int64     // documents there were at the look before, -1 at the first
	indexed int64     // the most that the index had
	grew    time.Time // when that was
	told    time.Time // when the last line was told
}

// look counts once. An index that is new may not be countable yet, and in hours
// of waiting a count may fail.
func (w *wait) look(ctx context.Context, s *Store) (done bool, err error) {
	documents, indexed, err := w.count(ctx, s)
	now := time.Now()
	if err != nil {
		w.failed++
		if isForbidden(err) || w.pace.over(w.failed, w.counted) {
			return false, err
		}
		return false, nil
	}
	w.counted, w.failed = now, 0
	switch {
	case indexed >= documents:
		w.say("search index %s: complete, %d of %d documents", w.name, indexed, documents)
		return true, nil
	case w.before >= 0 && indexed >= w.before:
		w.say("search index %s: has %d of %d documents and keeps up with what is written", w.name, indexed, documents)
		return true, nil
	}
	w.before = documents
	if indexed > w.indexed {
		w.indexed, w.grew = indexed, now
	}
	w.tell(now, documents)
	return false, nil
}

func (w *wait) count(ctx context.Context, s *Store) (documents, indexed int64, err error) {
	if documents, err = documentCount(ctx, s); err != nil {
		return 0, 0, err
	}
	if indexed, err = countIndexed(ctx, s.scope, s.config, w.name); err != nil {
		return 0, 0, failed(ctx, w.config, "count the documents of the search index "+w.name, searchRoles, err)
	}
	return documents, indexed, nil
}

// tell tells progress, and that there is none, from time to time.
func (w *wait) tell(now time.Time, documents int64) {
	switch stood := now.Sub(w.grew); {
	case now.Sub(w.told) < w.pace.tell:
		return
	case stood >= w.pace.stall:
		w.say("search index %s: has %d of %d documents and has not grown for %v; look at the memory quota and the log of "+
			"the Search service. Still waiting",
			w.name, w.indexed, documents, stood.Round(time.Second))
	default:
		w.say("search index %s: has %d of %d documents", w.name, w.indexed, documents)
	}
	w.told = now
}

// documentCount counts what there is to be indexed. It does not wait for
// anything: the service answers it from its statistics up to 8.0, and by a scan
// from the release after, for which there would have to be a primary index.
func documentCount(ctx context.Context, s *Store) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, queryPatience)
	defer cancel()
	found, err := rows[int64](ctx, s, countDocuments, nil, gocb.QueryScanConsistencyNotBounded)
	if err != nil {
		return 0, s.config.Failed(ctx, "count the documents", err)
	}
	if len(found) == 0 {
		return 0, nil
	}
	return found[0], nil
}

// countIndexed counts what a search index has. Errors are the driver's.
func countIndexed(ctx context.Context, scope *gocb.Scope, config driver.Config, name string) (int64, error) {
	n, err := scope.SearchIndexes().GetIndexedDocumentsCount(name,
		&gocb.GetIndexedDocumentsCountOptions{Timeout: config.OpTimeout, Context: ctx})
	return int64(n), err
}
