package setup

import (
	"context"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// awaitIndexed waits until an index has as many documents as there were a look
// ago: documents may be written all the while, and the index is always a little
// behind them.
func awaitIndexed(ctx context.Context, u *setup, s *couchbase.Store, name string) error {
	now := time.Now()
	w := wait{setup: u, name: name, counted: now, grew: now, told: now, before: -1}
	for {
		done, err := w.look(ctx, s)
		if done || err != nil {
			return err
		}
		if !driver.Pause(ctx, u.options.Pace.Poll) {
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
func (w *wait) look(ctx context.Context, s *couchbase.Store) (done bool, err error) {
	documents, indexed, err := w.count(ctx, s)
	now := time.Now()
	if err != nil {
		w.failed++
		if driver.IsForbidden(err) || w.options.Pace.over(w.failed, w.counted) {
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

func (w *wait) count(ctx context.Context, s *couchbase.Store) (documents, indexed int64, err error) {
	if documents, err = s.CountDocuments(ctx); err != nil {
		return 0, 0, err
	}
	if indexed, err = driver.CountIndexed(ctx, s.Scope(), w.config, w.name); err != nil {
		return 0, 0, failed(ctx, w.config, "count the documents of the search index "+w.name, searchRoles, err)
	}
	return documents, indexed, nil
}

// tell tells progress, and that there is none, from time to time.
func (w *wait) tell(now time.Time, documents int64) {
	switch stood := now.Sub(w.grew); {
	case now.Sub(w.told) < w.options.Pace.Tell:
		return
	case stood >= w.options.Pace.Stall:
		w.say("search index %s: has %d of %d documents and has not grown for %v; look at the memory quota and the log of "+
			"the Search service. Still waiting",
			w.name, w.indexed, documents, stood.Round(time.Second))
	default:
		w.say("search index %s: has %d of %d documents", w.name, w.indexed, documents)
	}
	w.told = now
}
