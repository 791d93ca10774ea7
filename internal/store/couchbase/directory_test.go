package couchbase_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/test/cbtest"
)

func repositories(t *testing.T, s *couchbase.Store) (keys []string) {
	t.Helper()
	err := s.Records(t.Context(), models.CollectionRepos, func(key string, value json.RawMessage) error {
		keys = append(keys, key+" "+string(value))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// The list of repositories needs no Query service, and is right whoever adds
// and removes at the same time.
func TestRepositoriesAreListedByKey(t *testing.T) {
	node := startNode(t, cbtest.Options{})
	s, other := clustertest.Open(t, node), clustertest.Open(t, node)
	defer node.Inject(cbtest.Fault{Service: "query", Status: 500, Body: `{"errors":[{"code":5000,"msg":"away"}]}`})()
	put := func(s *couchbase.Store, key string, v any) {
		if err := s.Apply(t.Context(),
			store.Batch{PutRecords: []store.Record{{Collection: models.CollectionRepos, Key: key, Value: v}}}); err != nil {
			t.Error(err)
		}
	}
	remove := func(s *couchbase.Store, key string) {
		if err := s.Apply(t.Context(),
			store.Batch{DeleteRecords: []store.RecordID{{Collection: models.CollectionRepos, Key: key}}}); err != nil {
			t.Error(err)
		}
	}
	if got := repositories(t, s); got != nil {
		t.Errorf("a new store lists %q", got)
	}
	var both sync.WaitGroup
	for i, s := range []*couchbase.Store{s, other} {
		both.Go(func() {
			for n := range 20 {
				put(s, fmt.Sprintf("r%02d", 2*n+i), n)
				put(s, "shared", n)
				remove(s, "shared")
			}
			put(s, "shared", "last")
		})
	}
	both.Wait()
	want := []string{`shared "last"`}
	for i := range 40 {
		want = append(want, fmt.Sprintf("r%02d %d", i, i/2))
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, repositories(t, s)); diff != "" {
		t.Errorf("repositories (-want +got):\n%s", diff)
	}
	for i := range 40 {
		remove(other, fmt.Sprintf("r%02d", i))
	}
	if diff := cmp.Diff([]string{`shared "last"`}, repositories(t, s)); diff != "" {
		t.Errorf("after removing (-want +got):\n%s", diff)
	}
}
