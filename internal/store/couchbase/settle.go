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

// What an index says that cannot answer as of the writes asked for.
var (
	errBehind       = errors.New("the search index is behind the documents")
	errOtherHistory = errors.New("the search index has another history of the documents")
)

// seen asks an index for an answer as of the writes of those tokens.
func seen(ctx context.Context, s *Store, live liveIndex, waitFor []gocb.MutationToken) error {
	ctx, cancel := s.config.Bounded(ctx)
	defer cancel()
	if err := live.searchable(s.config.Dims, false); err != nil {
		return err
	}
	options := &gocb.SearchOptions{Raw: map[string]any{"size": 0}}
	if len(waitFor) > 0 {
		options.Raw["ctl"] = asOf(s.config, live.name, waitFor)
	}
	err := driver.Repeat(ctx, func() error {
		res, err := sendOnce(ctx, s, live.name, gocb.SearchRequest{SearchQuery: fts.MatchNone{}}, options)
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
func asOf(config driver.Config, index string, writes []gocb.MutationToken) map[string]any {
	vector := make(map[string]uint64, len(writes)) // "partition/history" to number
	for _, w := range writes {
		vector[fmt.Sprintf("%d/%d", w.PartitionID(), w.PartitionUUID())] = w.SequenceNumber()
	}
	name := config.Bucket + "." + config.Scope + "." + index
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
