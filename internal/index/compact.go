package index

import (
	"context"
	"fmt"
	"time"
)

const (
	// compactFrom is how many documents a run must have written for its store to
	// be compacted. Below that the space to gain is not worth the time.
	compactFrom = 50_000
	// compactTimeout bounds a compaction; it takes some 0.1 s per 1,000 documents.
	compactTimeout = 10 * time.Minute
)

// A compacter is a store that can make its files smaller. Stores that keep them
// on other machines can't.
type compacter interface {
	Compact(ctx context.Context) error
}

// compact makes the store's files smaller after a large run. To cancel it ends
// the run well: the index is complete without.
func (r *run) compact(ctx context.Context) error {
	store, ok := r.store.(compacter)
	written := 0
	for _, file := range r.touched {
		if rec := r.files[file]; rec != nil {
			written += len(rec.Documents)
		}
	}
	if !ok || written < compactFrom {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, compactTimeout)
	defer cancel()
	err := store.Compact(limited)
	if givenUp(ctx) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("everything is indexed, but compacting it failed: %w", err)
	}
	return nil
}
