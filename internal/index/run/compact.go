package run

import (
	"context"
	"fmt"
	"time"

	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/parallel"
)

const (
	// compactFrom is how many documents a run must have written, in place of
	// others, for its store to be compacted. Otherwise the space to gain, some 7%
	// at most, is not worth the time, a fifth of the run: a first run leaves
	// nothing that is of no use, and a store that stays open merges by itself.
	compactFrom = 50_000
	// compactTimeout bounds a compaction; it takes seconds.
	compactTimeout = 10 * time.Minute
)

// A Compacter is a store that can make its files smaller. Stores that keep them
// on other machines can't.
type Compacter interface {
	// Compact tells progress how far it is, from 0.
	Compact(ctx context.Context, progress func(done, total int)) error
}

// compacts reports whether the run ends with compact.
func compacts(on *Site, s *state) bool {
	_, ok := on.Store.(Compacter)
	written := 0
	for _, file := range s.touched {
		if rec := s.files[file]; rec != nil {
			written += len(rec.Documents)
		}
	}
	return ok && !s.first && written >= compactFrom
}

// compact makes the store's files smaller after a large run. To cancel it ends
// the run well, at once: the index is complete without.
func compact(ctx context.Context, on *Site, s *state) error {
	if !compacts(on, s) {
		return nil
	}
	on.Job.CommitFrom(published, 1)
	limited, cancel := context.WithTimeout(ctx, compactTimeout)
	defer cancel()
	store, _ := on.Store.(Compacter)
	_, err := parallel.Promptly(limited,
		func() (struct{}, error) { return struct{}{}, store.Compact(limited, on.Job.Commit) })
	if jobs.GivenUp(ctx) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("everything is indexed, but compacting it failed: %w", err)
	}
	return nil
}

// published is the share of committing that is done when readers see all of it
// and the store is compacted next.
const published = 0.5
