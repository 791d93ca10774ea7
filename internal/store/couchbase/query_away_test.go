package couchbase_test

import (
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/setup"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/test/cbtest"
)

// Without the Query service a server starts and searches, and says what it
// cannot do.
func TestWithoutQueryService(t *testing.T) {
	for name, away := range map[string]cbtest.Fault{
		"away":  {Service: "query", Status: 503, Body: `{"errors":[{"code":1,"msg":"no"}],"status":"fatal"}`},
		"hangs": {Service: "query", Delay: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := cbtest.Start(t, cbtest.Options{})
			clustertest.SetUp(t, n, setup.Options{})
			defer n.Inject(away)()
			s := clustertest.Open(t, n)
			repository := store.Record{Collection: models.CollectionRepos, Key: "o/r", Value: models.Repository{RepoID: "o/r"}}
			b := clustertest.Symbols("Parse")
			b.PutRecords = []store.Record{repository}
			if err := s.Apply(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if err := s.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
			res, err := s.Search(t.Context(), clustertest.ByVector())
			if err != nil || len(res.Hits) != 1 || res.Degraded != "" {
				t.Errorf("Search = %+v, %v; want one hit", res, err)
			}
			for _, check := range []string{
				"couchbase", "couchbase_query", "couchbase_version", "search_index",
				"search_index_definition", "search_index_lag",
			} {
				clustertest.WantCheck(t, s, check, true)
			}
			var degraded []string
			for _, c := range s.Checks(t.Context()) {
				if c.Degraded {
					degraded = append(degraded, c.Name)
				}
			}
			if diff := cmp.Diff([]string{"couchbase_query", "search_index_lag"}, degraded); diff != "" {
				t.Errorf("degraded (-want +got):\n%s", diff)
			}
		})
	}
}

// A count of all documents asks for no consistency: with one, servers after 8.0
// look for a primary index, which there is not.
func TestCountWithoutPrimaryIndex(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{Version: "8.1.0-1-enterprise"})
	clustertest.SetUp(t, n, setup.Options{})
	clustertest.AllPass(t, clustertest.Open(t, n))
}
