package couchbase_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/test/cbtest"
)

const (
	testBucket = "ragnav"
	testScope  = "code"
	testDims   = 8
)

// startNode starts a node with bucket, scope, collections, indexes for lists
// and a search index for vectors of testDims.
func startNode(t testing.TB, o cbtest.Options) *cbtest.Node {
	t.Helper()
	o.Bucket, o.Scope = testBucket, testScope
	n := cbtest.Start(t, o)
	createQueryIndexes(t, n)
	createIndex(t, n, definition.Options{Dims: testDims})
	return n
}

func createQueryIndexes(t testing.TB, n *cbtest.Node) {
	t.Helper()
	scope := bareCluster(t, n).Bucket(testBucket).Scope(testScope)
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
	o.Bucket, o.Scope = testBucket, testScope
	definition, err := definition.JSON(o)
	if err != nil {
		t.Fatal(err)
	}
	var index gocb.SearchIndex
	if err := json.Unmarshal(definition, &index); err != nil {
		t.Fatal(err)
	}
	cluster := bareCluster(t, n)
	if err := cluster.Bucket(testBucket).Scope(testScope).SearchIndexes().UpsertIndex(index, nil); err != nil {
		t.Fatal(err)
	}
}

// bareCluster is the driver's connection to a node, without the store.
func bareCluster(t testing.TB, n *cbtest.Node) *gocb.Cluster {
	t.Helper()
	cluster, err := couchbase.Connect(t.Context(), testConfig(n))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Close(nil) })
	return cluster
}

func testConfig(n *cbtest.Node) driver.Config {
	return driver.Config{
		ConnStr: n.ConnStr(), Bucket: testBucket, Scope: testScope, Username: "Administrator", Password: "password",
		Dims:         testDims,
		ReadyTimeout: patience, OpTimeout: time.Minute,
	}
}

// openStore opens the store on a node; change may change the configuration.
func openStore(t testing.TB, n *cbtest.Node, change ...func(*driver.Config)) *couchbase.Store {
	t.Helper()
	c := testConfig(n)
	for _, f := range change {
		f(&c)
	}
	s, err := couchbase.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
