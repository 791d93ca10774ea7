package couchbase_test

import (
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/storetest"
	"github.com/ragnav/ragnav/test/cbtest"
)

// The contract of all stores, on servers that differ in what they can do.
func TestContract(t *testing.T) {
	for name, node := range map[string]cbtest.Options{
		"8.0":                 {},
		"7.6.1, no prefilter": {Version: "7.6.1-3200-enterprise"},
		"behind, partitioned": {
			Version: "7.6.5-5704-enterprise", Partitions: 3,
			Lag: func() time.Duration { return 20 * time.Millisecond },
		},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && node.Partitions == 0 {
				t.Skip("SKIPPED: the same against one kind of node is enough here")
			}
			t.Parallel()
			open := func(t *testing.T) store.Store { return clustertest.Open(t, startNode(t, node)) }
			storetest.Run(t, open, clustertest.Dims, storetest.Traits{Shared: true, ServerScores: true})
		})
	}
}
