package couchbase

import (
	"encoding/json"
	"testing"

	"github.com/couchbase/gocb/v2"
	"github.com/google/go-cmp/cmp"
)

func TestTokens(t *testing.T) {
	var set tokens
	set.add(nil)
	first := tokenOf(t, 7, 1, 5)
	set.add(&first)
	older := tokenOf(t, 7, 1, 4)
	set.add(&older)
	if diff := cmp.Diff([]uint64{5}, numbers(set.list())); diff != "" {
		t.Errorf("an older token counts (-want +got):\n%s", diff)
	}
	listed := set.list()
	failover := tokenOf(t, 7, 2, 1)
	set.add(&failover)
	set.forget(listed)
	if diff := cmp.Diff([]uint64{1}, numbers(set.list())); diff != "" {
		t.Errorf("a newer token is forgotten (-want +got):\n%s", diff)
	}
	set.forget(set.list())
	if got := set.list(); len(got) != 0 {
		t.Errorf("tokens %v are left", got)
	}
}

// tokenOf makes a token as the server's would be: its parts are not exported,
// but its JSON is read.
func tokenOf(t *testing.T, partition, history, number uint64) gocb.MutationToken {
	t.Helper()
	data, _ := json.Marshal(map[string]any{"b": map[string]any{jsonNumber(partition): []any{number, jsonNumber(history)}}})
	var state gocb.MutationState
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	return state.Internal().Tokens()[0]
}

func jsonNumber(n uint64) string {
	b, _ := json.Marshal(n)
	return string(b)
}

func numbers(tokens []gocb.MutationToken) []uint64 {
	var out []uint64
	for _, t := range tokens {
		out = append(out, t.SequenceNumber())
	}
	return out
}
