package couchbase_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/definition"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/test/cbtest"
)

// Open says what is wrong and what to do, in its own words.
func TestOpenSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	node := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	stopped := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	stopped.Stop()
	noPEM := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(noPEM, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		change func(*driver.Config)
		code   fault.Code
		says   string
	}{
		{
			"nobody there", func(c *driver.Config) { c.ConnStr = stopped.ConnStr() }, fault.RAGUnavailable,
			"no Couchbase cluster is ready at " + stopped.ConnStr(),
		},
		{"not trusted", func(c *driver.Config) { c.ConnStr = untrusted(t) }, fault.RAGUnavailable, "RAGNAV_COUCHBASE_CA"},
		{
			"wrong password", func(c *driver.Config) { c.Password, c.ReadyTimeout = "wrong", clustertest.Patience },
			fault.RAGUnavailable,
			`refuses user "Administrator"; look at RAGNAV_COUCHBASE_USERNAME`,
		},
		{"no bucket", func(c *driver.Config) { c.Bucket = "other" }, fault.RAGUnavailable, "run `ragnav setup couchbase`"},
		{
			"no scope", func(c *driver.Config) { c.Scope, c.OpTimeout = "other", 3*time.Second }, fault.RAGUnavailable,
			"no scope other with the collections documents and records; run `ragnav setup couchbase`",
		},
		{
			"bad address", func(c *driver.Config) { c.ConnStr = "http://127.0.0.1" }, fault.InvalidRequest,
			"is not the address of a Couchbase cluster",
		},
		{
			"bad durability", func(c *driver.Config) { c.Durability = "all" }, fault.InvalidRequest,
			"none, majority or persist",
		},
		{"roots without TLS", func(c *driver.Config) { c.CAFile = noPEM }, fault.InvalidRequest, "use couchbases://"},
		{
			"no roots", func(c *driver.Config) { c.CAFile, c.ConnStr = noPEM, "couchbases://127.0.0.1" }, fault.InvalidRequest,
			"no certificate",
		},
		{
			"roots that are not there", func(c *driver.Config) { c.CAFile, c.ConnStr = noPEM+"x", "couchbases://127.0.0.1" },
			fault.InvalidRequest, "cannot be read",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := clustertest.Config(node)
			c.ReadyTimeout = 4 * time.Second
			tt.change(&c)
			start := time.Now()
			s, err := couchbase.Open(t.Context(), c)
			if err == nil {
				_ = s.Close()
			}
			if fault.CodeOf(err) != tt.code || !strings.Contains(fault.MessageOf(err), tt.says) {
				t.Errorf("Open = %s %q, want %s %q", fault.CodeOf(err), fault.MessageOf(err), tt.code, tt.says)
			}
			if took := time.Since(start); took > clustertest.Patience {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// untrusted is the address of somebody whose certificate nobody has signed.
func untrusted(t *testing.T) string {
	t.Helper()
	signer := httptest.NewTLSServer(nil)
	defer signer.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", signer.TLS)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1)) // the handshake
			_ = conn.Close()
		}
	}()
	return "couchbases://" + listener.Addr().String()
}

func TestOpenNamesTheServiceThatIsMissing(t *testing.T) {
	t.Parallel()
	node := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	defer node.Inject(cbtest.Fault{Service: "search", Op: "/api/ping", Status: 500})()
	c := clustertest.Config(node)
	c.ReadyTimeout = 3 * time.Second
	s, err := couchbase.Open(t.Context(), c)
	if err == nil {
		_ = s.Close()
	}
	if fault.CodeOf(err) != fault.RAGUnavailable || !strings.Contains(fault.MessageOf(err), "does not answer as Search;") {
		t.Errorf("Open = %v, want a word on the Search service", err)
	}
}

// A collection that goes away is told, not waited for without end.
func TestCollectionIsDropped(t *testing.T) {
	t.Parallel()
	node := startNode(t, cbtest.Options{})
	s := clustertest.Open(t, node, func(c *driver.Config) { c.OpTimeout = 2 * time.Second })
	bucket := clustertest.Connect(t, node).Bucket(clustertest.Bucket)
	if err := bucket.CollectionsV2().DropCollection(clustertest.Scope, "records",
		nil); err != nil {
		t.Fatal(err)
	}
	for _, op := range []operation{opRecord, opRecords} {
		if err := op.do(t.Context(), s); fault.CodeOf(err) != fault.RAGUnavailable ||
			!strings.Contains(fault.MessageOf(err), "run `ragnav setup couchbase`") {
			t.Errorf("%s = %v, want a word on the missing collection", op.name, err)
		}
	}
}

func TestOpenIsCancelled(t *testing.T) {
	t.Parallel()
	node := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	node.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := couchbase.Open(ctx, clustertest.Config(node)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Open = %v, want the deadline", err)
	}
}

// Documents and records work without a search index; searches start to work
// when there is one.
func TestMissingIndex(t *testing.T) {
	node := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	s := clustertest.Open(t, node)
	putOne(t, s)
	search := func() (fts.Result, error) { return s.Search(t.Context(), fts.Request{Query: fts.MatchAll{}, Size: 1}) }
	if _, err := search(); fault.CodeOf(err) != fault.RAGUnavailable ||
		!strings.Contains(fault.MessageOf(err), "code_vector_index is missing; run `ragnav setup couchbase`") {
		t.Errorf("Search = %v, want a word on the missing index", err)
	}
	createIndex(t, node, definition.Options{Dims: clustertest.Dims})
	if res, err := search(); err != nil || res.Total != 1 {
		t.Errorf("Search with an index = %+v, %v; want the document", res, err)
	}
}

// What a connection sends over HTTP does not wait for a configuration of the
// cluster that the driver has missed.
func TestConnectionsKnowTheCluster(t *testing.T) {
	t.Parallel()
	node := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	for range 30 {
		cluster, err := driver.Open(t.Context(), clustertest.Config(node).WithDefaults())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cluster.Query("SELECT RAW ds_version()", &gocb.QueryOptions{Adhoc: true}); err != nil {
			t.Error(err)
		}
		if err := cluster.Close(nil); err != nil {
			t.Error(err)
		}
	}
}
