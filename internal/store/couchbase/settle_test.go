package couchbase_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/test/cbtest"
)

// The server waits only for what is said of an index by its full name.
func TestSettleNamesTheIndexInFull(t *testing.T) {
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	node.ResetCalls()
	applyAndSettle(t, s, batch(3))
	type body struct {
		Ctl struct {
			Timeout     int
			Consistency struct {
				Level   string
				Vectors map[string]map[string]uint64
			}
		}
	}
	calls := slices.DeleteFunc(node.Calls(),
		func(c cbtest.Call) bool { return c.Service != "search" || !strings.HasSuffix(c.Op, "/query") })
	if len(calls) != 1 {
		t.Fatalf("%d searches, want 1: %v", len(calls), calls)
	}
	var b body
	if err := json.Unmarshal([]byte(calls[0].Body), &b); err != nil {
		t.Fatal(err)
	}
	vectors := b.Ctl.Consistency.Vectors
	if diff := cmp.Diff([]string{"ragnav.code.code_vector_index"}, slices.Collect(maps.Keys(vectors))); diff != "" {
		t.Errorf("indexes (-want +got):\n%s", diff)
	}
	if b.Ctl.Consistency.Level != "at_plus" || len(vectors["ragnav.code.code_vector_index"]) == 0 || b.Ctl.Timeout == 0 {
		t.Errorf("ctl is %+v, want the writes, at_plus and a timeout", b.Ctl)
	}
}

// What the server says with status 400, too, is about the writes.
func TestSettleInWords(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node)
	for _, tt := range []struct {
		name, text string
		times      int
	}{
		{
			"after a failover, 7.6",
			"rest_index: Query, indexName: i, err: bleve: pindex_consistency mismatched partition, uuid: 7", maxRetries + 1,
		},
		{
			"after a failover, later",
			"rest_index: Query, indexName: i, err: bleve: pindex consistency mismatched partition uuid for 5", maxRetries + 1,
		},
		{"behind", "rest_index: Query, indexName: i, err: pindex_consistency: request cancelled or timed out while waiting " +
			"for index pindexes to reach the requested consistency", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, _ := json.Marshal(map[string]string{"error": tt.text, "status": "fail"})
			defer node.Inject(cbtest.Fault{Service: "search", Op: "query", Times: tt.times, Status: 400, Body: string(text)})()
			if err := opSettle.do(t.Context(), s); err != nil {
				t.Errorf("Settle = %v", err)
			}
		})
	}
}
