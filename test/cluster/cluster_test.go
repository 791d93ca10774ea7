// Package cluster_test runs the contract of a store, and compares what cbtest
// pretends with what is true, on real Couchbase clusters:
//
//   - on the one that RAGNAV_TEST_COUCHBASE names (couchbase://HOST/BUCKET.SCOPE,
//     with RAGNAV_COUCHBASE_USERNAME and RAGNAV_COUCHBASE_PASSWORD). It must be
//     there and have that bucket. Each test makes a scope of its own, named
//     SCOPE_ and eight random digits, and drops it;
//   - else on containers of several server versions, when Docker is there;
//   - else on none, which one line on the standard error tells.
//
// It is a module of its own, so that Docker's client is no dependency of ragnav.
package cluster_test

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/setup"
	"github.com/ragnav/ragnav/internal/store/storetest"
)

// dims is the number of components of the tests' vectors.
const dims = 8

// A cluster is where tests run. Its config names a bucket; the scope is how the
// names of the tests' own scopes start.
type cluster struct {
	config driver.Config
	create bool // the bucket may be created
}

func TestCluster(t *testing.T) {
	if url := os.Getenv("RAGNAV_TEST_COUCHBASE"); url != "" {
		t.Run("existing", func(t *testing.T) { all(t, existing(t, url)) })
		return
	}
	skipWithoutDocker(t)
	for _, image := range images {
		t.Run(image, func(t *testing.T) { all(t, start(t, image)) })
	}
}

// all is every test on one cluster. Those of the contract need a server that
// heeds the filter of a knn clause.
func all(t *testing.T, c cluster) {
	version := c.version(t)
	t.Logf("server version %s", version)
	t.Run("Setup", func(t *testing.T) { setUpTwice(t, c) })
	t.Run("Facts", func(t *testing.T) { facts(t, c, version) })
	t.Run("Swap", func(t *testing.T) { swap(t, c) })
	t.Run("Contract", func(t *testing.T) {
		if !prefilters(version) {
			t.Skipf("server %s has no pre-filter: searches are worse there, as docs/couchbase.md says", version)
		}
		storetest.Run(t, func(t *testing.T) store.Store { return c.open(t) }, dims,
			storetest.Traits{Shared: true, ServerScores: true})
	})
}

// existing is the cluster of RAGNAV_TEST_COUCHBASE.
func existing(t *testing.T, url string) cluster {
	t.Helper()
	getenv := func(key string) string {
		if key == "HOME" { // a setting that is not asked for needs it
			return t.TempDir()
		}
		return os.Getenv(key)
	}
	c, err := config.Resolve(map[string]string{"store": url}, getenv)
	if err != nil {
		t.Fatalf("RAGNAV_TEST_COUCHBASE is set, but cannot be used: %v", err)
	}
	if c.Embedded() {
		t.Fatalf("RAGNAV_TEST_COUCHBASE is %s; it names no cluster", url)
	}
	return cluster{config: driver.Config{
		ConnStr: c.Couchbase.ConnStr, Bucket: c.Couchbase.Bucket, Scope: c.Couchbase.Scope,
		Username: c.Couchbase.Username, Password: string(c.Couchbase.Password),
		CAFile: c.Couchbase.CAFile, Durability: c.Couchbase.Durability, Dims: dims, ReadyTimeout: 30 * time.Second,
	}}
}

// fresh is the cluster's config with a scope of its own, which is dropped when
// t ends.
func (c cluster) fresh(t *testing.T) driver.Config {
	t.Helper()
	digits := make([]byte, 4)
	if _, err := rand.Read(digits); err != nil {
		t.Fatal(err)
	}
	config := c.config
	config.Scope += "_" + hex.EncodeToString(digits)
	t.Cleanup(func() { drop(t, config) })
	return config
}

// open returns an empty store.
func (c cluster) open(t *testing.T) *couchbase.Store {
	t.Helper()
	config := c.fresh(t)
	c.setup(t, config)
	return openIn(t, config)
}

func (c cluster) setup(t *testing.T, config driver.Config) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if err := setup.Run(ctx, config, setup.Options{ExistingBucket: !c.create},
		func(line string) { t.Log(line) }); err != nil {
		t.Fatalf("Setup: %v", err)
	}
}

func openIn(t *testing.T, config driver.Config) *couchbase.Store {
	t.Helper()
	st, err := couchbase.Open(t.Context(), config)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return st
}

// drop removes the scope with all that is in it, search indexes first: they
// would be left over for a moment.
func drop(t *testing.T, config driver.Config) {
	bucket, done := connect(t, config)
	defer done()
	const patience = time.Minute
	indexes := bucket.Scope(config.Scope).SearchIndexes()
	found, err := indexes.GetAllIndexes(&gocb.GetAllSearchIndexOptions{Timeout: patience})
	if err != nil {
		t.Logf("search indexes of %s: %v", config.Scope, err)
	}
	for _, index := range found {
		if err := indexes.DropIndex(index.Name, &gocb.DropSearchIndexOptions{Timeout: patience}); err != nil {
			t.Logf("drop %s: %v", index.Name, err)
		}
	}
	err = bucket.CollectionsV2().DropScope(config.Scope, &gocb.DropScopeOptions{Timeout: patience})
	if err != nil && !errors.Is(err, gocb.ErrScopeNotFound) {
		t.Errorf("the scope %s is left over: %v", config.Scope, err)
	}
}

// connect opens the bucket with nothing but gocb.
func connect(t *testing.T, config driver.Config) (bucket *gocb.Bucket, done func()) {
	t.Helper()
	options := gocb.ClusterOptions{Username: config.Username, Password: config.Password}
	if config.CAFile != "" {
		pem, err := os.ReadFile(config.CAFile)
		if err != nil {
			t.Fatal(err)
		}
		options.SecurityConfig.TLSRootCAs = x509.NewCertPool()
		options.SecurityConfig.TLSRootCAs.AppendCertsFromPEM(pem)
	}
	c, err := gocb.Connect(config.ConnStr, options)
	if err != nil {
		t.Fatal(err)
	}
	bucket = c.Bucket(config.Bucket)
	if err := bucket.WaitUntilReady(30*time.Second, nil); err != nil {
		_ = c.Close(nil)
		t.Fatalf("the bucket %s at %s: %v", config.Bucket, config.ConnStr, err)
	}
	return bucket, func() {
		if err := c.Close(nil); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
}
