package couchbase_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/setup"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/test/cbtest"
)

func TestChecks(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	clustertest.SetUp(t, n, setup.Options{})
	s := clustertest.Open(t, n)
	if err := s.Apply(t.Context(), clustertest.Symbols("A")); err != nil {
		t.Fatal(err)
	}
	want := []models.Check{
		{Name: "couchbase", OK: true, Message: "the services Data and Search of " + n.ConnStr() + " answer"},
		{Name: "couchbase_query", OK: true, Message: "the Query service answers"},
		{Name: "couchbase_version", OK: true, Message: "Couchbase 8.0.0-1234-enterprise"},
		{Name: "search_index", OK: true, Message: "code_vector_index of ragnav.code"},
		{Name: "search_index_definition", OK: true, Message: "vectors of 8 components, l2_norm, and all fields"},
		{Name: "search_index_lag", OK: true, Message: "code_vector_index has 1 of 1 documents"},
	}
	if diff := cmp.Diff(want, s.Checks(t.Context())); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
}

func TestChecksVersion(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	clustertest.SetUp(t, n, setup.Options{})
	s := clustertest.Open(t, n)
	for version, want := range map[string]struct {
		ok   bool
		says string
	}{
		"7.2.4-7070-enterprise": {false, "7.6.2 or later"},
		"7.6.1-3200-enterprise": {false, "cannot index vectors as ragnav stores them"},
		"7.6.3-4200-enterprise": {true, "upgrade to 7.6.4 or later"},
		"7.6.5-5704-enterprise": {true, "from 8.0 by BM25"},
		"8.0.0-3777-enterprise": {true, "Couchbase 8.0.0-3777-enterprise"},
	} {
		t.Run(version, func(t *testing.T) {
			defer n.Inject(cbtest.Fault{
				Service: "query", Op: "ds_version", Status: 200,
				Body: `{"requestID":"1","results":["` + version + `"],"status":"success"}`,
			})()
			clustertest.WantCheck(t, s, "couchbase_version", want.ok, want.says)
		})
	}
}

func TestChecksWithoutIndex(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	createQueryIndexes(t, n)
	s := clustertest.Open(t, n)
	for _, name := range []string{"search_index", "search_index_definition", "search_index_lag"} {
		clustertest.WantCheck(t, s, name, false, "the search index code_vector_index is missing",
			"run `ragnav setup couchbase`")
	}
	clustertest.WantCheck(t, s, "couchbase", true)
	clustertest.WantCheck(t, s, "couchbase_version", true)
}

func TestChecksSearchAway(t *testing.T) {
	t.Parallel()
	n := cbtest.Start(t, cbtest.Options{})
	clustertest.SetUp(t, n, setup.Options{})
	s := clustertest.Open(t, n)
	remove := n.Inject(cbtest.Fault{Service: "search", Status: 503, Body: `{"error":"no"}`})
	clustertest.WantCheck(t, s, "couchbase", false, "does not answer as Search")
	clustertest.WantCheck(t, s, "couchbase_version", true)
	clustertest.WantCheck(t, s, "search_index", false)
	remove()
	clustertest.AllPass(t, s)

	n.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	for _, c := range s.Checks(ctx) {
		if c.OK || c.Message == "" {
			t.Errorf("%s is ok %v (%s) without a cluster", c.Name, c.OK, c.Message)
		}
	}
}

func TestChecksForbidden(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	clustertest.SetUp(t, n, setup.Options{})
	s := clustertest.Open(t, n)
	n.Inject(cbtest.Fault{
		Service: "search", Op: "/api/bucket", Status: 403,
		Body: `{"error":"rest_auth: preparePerms, err: forbidden"}`,
	})
	for _, name := range []string{"search_index", "search_index_definition", "search_index_lag"} {
		clustertest.WantCheck(t, s, name, false, `refuses user "Administrator"`, "search")
	}
}

// A cluster that hangs does not hang the checks.
func TestChecksHang(t *testing.T) {
	t.Parallel()
	n := cbtest.Start(t, cbtest.Options{})
	clustertest.SetUp(t, n, setup.Options{})
	s := clustertest.Open(t, n)
	n.Inject(cbtest.Fault{Delay: time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	found := s.Checks(ctx)
	if took := time.Since(began); took > clustertest.Patience {
		t.Errorf("checks took %v", took)
	}
	for _, c := range found {
		if c.OK || !strings.Contains(c.Message, "not") {
			t.Errorf("%s: ok %v, %q", c.Name, c.OK, c.Message)
		}
	}
	if len(found) != 6 {
		t.Errorf("%d checks", len(found))
	}
}

func TestChecksLag(t *testing.T) {
	lag := &switchable{}
	n := cbtest.Start(t, cbtest.Options{Lag: lag.get})
	clustertest.SetUp(t, n, setup.Options{})
	s := clustertest.Open(t, n)
	lag.set(time.Hour)
	var b store.Batch
	for i := range 7 {
		b.Put = append(b.Put, clustertest.SymbolDoc("o/r", fmt.Sprintf("Name%d", i)))
	}
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	clustertest.WantCheck(t, s, "search_index_lag", true, "code_vector_index has 0 of 7 documents; the others follow")
	lag.set(0)
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	clustertest.WantCheck(t, s, "search_index_lag", true, "code_vector_index has 7 of 7 documents")
}

// One check sees an embedder that the index is not for.
func TestChecksOtherEmbedder(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	clustertest.SetUp(t, n, setup.Options{})
	s := clustertest.Open(t, n, func(c *driver.Config) { c.Dims = 384 })
	clustertest.WantCheck(t, s, "search_index_definition", false, "the vectors have 8 components, not 384",
		"use the embedder that the index was made for, or run `ragnav setup couchbase`")
	if _, err := s.Search(t.Context(), fts.Request{Query: fts.MatchAll{}, Size: 1}); err != nil {
		t.Errorf("a search by words: %v", err)
	}
}

// A switchable duration is set by a test and read by the node.
type switchable struct{ d atomic.Int64 }

func (s *switchable) set(d time.Duration) { s.d.Store(int64(d)) }
func (s *switchable) get() time.Duration  { return time.Duration(s.d.Load()) }
