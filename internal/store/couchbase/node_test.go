package couchbase_test

import (
	"encoding/json"
	"testing"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/test/cbtest"
)

// startNode starts a node with bucket, scope, collections, indexes for lists
// and a search index for vectors of clustertest.Dims.
func startNode(t testing.TB, o cbtest.Options) *cbtest.Node {
	t.Helper()
	o.Bucket, o.Scope = clustertest.Bucket, clustertest.Scope
	n := cbtest.Start(t, o)
	createQueryIndexes(t, n)
	createIndex(t, n, definition.Options{Dims: clustertest.Dims})
	return n
}

func createQueryIndexes(t testing.TB, n *cbtest.Node) {
	t.Helper()
	scope := clustertest.ScopeOf(t, n)
	for name, index := range map[string][]string{
		"records": {"ragnav_records_ck", "c", "k"}, "documents": {"ragnav_documents_repo", "repo_id"},
	} {
		if err := scope.Collection(name).QueryIndexes().CreateIndex(index[0], index[1:],
			&gocb.CreateQueryIndexOptions{IgnoreIfExists: true}); err != nil {
			t.Fatal(err)
		}
	}
}

func createIndex(t testing.TB, n *cbtest.Node, o definition.Options) {
	t.Helper()
	o.Bucket, o.Scope = clustertest.Bucket, clustertest.Scope
	definition, err := definition.JSON(o)
	if err != nil {
		t.Fatal(err)
	}
	var index gocb.SearchIndex
	if err := json.Unmarshal(definition, &index); err != nil {
		t.Fatal(err)
	}
	if err := clustertest.ScopeOf(t, n).SearchIndexes().UpsertIndex(index, nil); err != nil {
		t.Fatal(err)
	}
}
