package couchbase

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// tokens says, for each partition of the bucket, the last write of this
// process that searches are not known to see.
type tokens struct {
	mu   sync.Mutex
	last map[uint64]gocb.MutationToken // by partition
}

// add notes a write; the cluster may have sent no token.
func (t *tokens) add(token *gocb.MutationToken) {
	if token == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == nil {
		t.last = map[uint64]gocb.MutationToken{}
	}
	// After a failover numbers may start lower, under another history.
	old, ok := t.last[token.PartitionID()]
	if !ok || old.PartitionUUID() != token.PartitionUUID() || old.SequenceNumber() < token.SequenceNumber() {
		t.last[token.PartitionID()] = *token
	}
}

func (t *tokens) list() []gocb.MutationToken {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Values(t.last))
}

// forget removes tokens, unless there was a later write.
func (t *tokens) forget(tokens []gocb.MutationToken) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, token := range tokens {
		if t.last[token.PartitionID()] == token {
			delete(t.last, token.PartitionID())
		}
	}
}

// Settle returns when searches see all documents that this process has written
// or deleted before. How long that takes is up to the Search service, so give
// the context a deadline. After a failover that gave partitions another
// history, the service cannot tell any more; then Settle only makes sure that
// it answers.
func (s *Store) Settle(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	waitFor := s.tokens.list()
	if len(waitFor) == 0 {
		return nil
	}
	for n := uint32(0); ; n++ {
		err := s.onIndex(ctx, func(live liveIndex) error { return s.seen(ctx, live, waitFor) })
		switch {
		case err == nil:
			s.tokens.forget(waitFor)
			return nil
		case errors.Is(err, errOtherHistory) && n >= driver.MaxRetries:
			s.tokens.forget(waitFor)
			waitFor = nil
		case !errors.Is(err, errOtherHistory) && !errors.Is(err, errBehind) && !errors.Is(err, gocb.ErrTimeout):
			return s.config.Failed(ctx, "wait for the search index", err)
		}
		if !driver.Pause(ctx, driver.Backoff(min(n, driver.MaxRetries))) {
			return s.config.Failed(ctx, "wait for the search index", ctx.Err())
		}
	}
}

// What an index says that cannot answer as of the writes asked for.
var (
	errBehind       = errors.New("the search index is behind the documents")
	errOtherHistory = errors.New("the search index has another history of the documents")
)

// seen asks an index for an answer as of the writes of those tokens.
func (s *Store) seen(ctx context.Context, live liveIndex, waitFor []gocb.MutationToken) error {
	ctx, cancel := s.config.Bounded(ctx)
	defer cancel()
	if err := live.searchable(s.config.Dims, false); err != nil {
		return err
	}
	options := &gocb.SearchOptions{Raw: map[string]any{"size": 0}}
	if len(waitFor) > 0 {
		options.Raw["ctl"] = s.asOf(live.name, waitFor)
	}
	err := driver.Repeat(ctx, func() error {
		res, err := s.sendOnce(ctx, live.name, gocb.SearchRequest{SearchQuery: fts.MatchNone{}}, options)
		if err == nil && res.Failed > 0 {
			return errBehind
		}
		return consistency(err)
	})
	if err != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	return nil
}

// asOf asks for an answer as of some writes. The service knows the index by its
// full name and waits for nothing that is said of another; the driver's own
// option says it of the short name (gocb v2.11.1).
func (s *Store) asOf(index string, writes []gocb.MutationToken) map[string]any {
	vector := make(map[string]uint64, len(writes)) // "partition/history" to number
	for _, w := range writes {
		vector[fmt.Sprintf("%d/%d", w.PartitionID(), w.PartitionUUID())] = w.SequenceNumber()
	}
	name := s.config.Bucket + "." + s.config.Scope + "." + index
	return map[string]any{"consistency": map[string]any{"level": "at_plus", "vectors": map[string]any{name: vector}}}
}

// consistency makes errBehind and errOtherHistory of what the service says when
// it cannot answer as of the writes asked for: status 412, or 400, where only
// the words tell.
func consistency(err error) error {
	search, ok := errors.AsType[*gocb.SearchError](err)
	switch {
	case !ok, search.HTTPStatusCode != 412 && search.HTTPStatusCode != 400,
		search.HTTPStatusCode == 400 && !strings.Contains(search.ErrorText, "consistency"):
		return err
	case strings.Contains(search.ErrorText, "mismatched"):
		return errOtherHistory
	}
	return errBehind
}
