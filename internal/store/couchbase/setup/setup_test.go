package setup_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/store/couchbase/setup"

	"github.com/ragnav/ragnav/internal/store/couchbase/clustertest"

	"github.com/couchbase/gocb/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/test/cbtest"
)

// changes are the requests that change something in the cluster.
func changes(n *cbtest.Node) []string {
	var found []string
	for _, c := range n.Calls() {
		method, path, _ := strings.Cut(c.Op, " ")
		switch {
		case c.Service == "query":
			if !strings.Contains(c.Body, `"statement":"SELECT`) && method == "POST" {
				found = append(found, c.Op)
			}
		case strings.HasSuffix(path, "/query"): // a search
		case method == "PUT", method == "POST", method == "DELETE", c.Op == "CMD_SET", c.Op == "CMD_ADD",
			c.Op == "CMD_REPLACE":
			found = append(found, c.Op)
		}
	}
	return found
}

func TestSetup(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	told := clustertest.SetUp(t, n, setup.Options{})
	want := []string{
		"cluster " + n.ConnStr() + ": 1 node, Couchbase 8.0.0-1234-enterprise",
		"bucket ragnav: made, 512 MiB of memory, 0 replicas",
		"collection code.documents: made",
		"collection code.records: made",
		"query index ragnav_records_ck: made, 0 replicas",
		"query index ragnav_documents_repo: made, 0 replicas",
		"search index code_vector_index: made; waiting until it has every document",
		"search index code_vector_index: complete, 0 of 0 documents",
		"verified: search index ragnav.code.code_vector_index with vectors of 8 components, l2_norm, 1 partition, 0 " +
			"replicas, words scored by bm25",
	}
	got := slices.DeleteFunc(told.All, func(line string) bool { return strings.Contains(line, ", for ") }) // how it waited
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}

	s := clustertest.Open(t, n)
	if err := s.Apply(t.Context(), clustertest.Symbols("Parse")); err != nil {
		t.Fatal(err)
	}
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, req := range map[string]fts.Request{
		"words": clustertest.ByWords("parse"), "vector": clustertest.ByVector(),
	} {
		if res, err := s.Search(t.Context(), req); err != nil || len(res.Hits) != 1 {
			t.Errorf("search by %s: %d hits, error %v", name, len(res.Hits), err)
		}
	}
	clustertest.AllPass(t, s)
}

// Query indexes get a replica where there is a node for it, search indexes when
// somebody asks.
func TestSetupReplicas(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		asked int
		says  []string
	}{
		{"nobody asks", 0, []string{
			"ragnav_records_ck: made, 1 replica", "ragnav_documents_repo: made, 1 replica",
			"1 partition, 0 replicas",
		}},
		{"asked", 1, []string{"ragnav_records_ck: made, 1 replica", "1 partition, 1 replica"}},
		{"two", 2, []string{"ragnav_records_ck: made, 2 replicas", "1 partition, 2 replicas"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := cbtest.Start(t, cbtest.Options{Nodes: 3 - tt.asked%2})
			told := clustertest.SetUp(t, n, setup.Options{Replicas: tt.asked})
			for _, line := range tt.says {
				if !told.Has(line) {
					t.Errorf("%q is not told:\n%s", line, strings.Join(told.All, "\n"))
				}
			}
			if again := changesOf(t, n, setup.Options{Replicas: tt.asked}); len(again) > 0 {
				t.Errorf("a second run sent %q", again)
			}
		})
	}
}

// changesOf runs Setup and returns what it changed.
func changesOf(t *testing.T, n *cbtest.Node, o setup.Options) []string {
	t.Helper()
	n.ResetCalls()
	clustertest.SetUp(t, n, o)
	return changes(n)
}

// What is there and right is left alone.
func TestSetupAgain(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	clustertest.SetUp(t, n, setup.Options{Partitions: 3})
	n.ResetCalls()
	told := clustertest.SetUp(t, n, setup.Options{})
	if got := changes(n); len(got) > 0 {
		t.Errorf("a second run sent %q", got)
	}
	for _, line := range []string{
		"bucket ragnav: there", "collection code.documents: there", "collection code.records: there",
		"query index ragnav_records_ck: there", "query index ragnav_documents_repo: there",
		"search index code_vector_index: there, and as it should be", "3 partitions",
	} {
		if !told.Has(line) {
			t.Errorf("%q is not told:\n%s", line, strings.Join(told.All, "\n"))
		}
	}
}

func TestSetupCompletes(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	records := clustertest.ScopeOf(t, n).Collection("records")
	err := records.QueryIndexes().CreateIndex("ragnav_records_ck", []string{"c", "k"},
		&gocb.CreateQueryIndexOptions{Deferred: true})
	if err != nil {
		t.Fatal(err)
	}
	told := clustertest.SetUp(t, n, setup.Options{ExistingBucket: true})
	for _, line := range []string{
		"bucket ragnav: there", "collection code.documents: there",
		"query index ragnav_records_ck: made", "search index code_vector_index: made",
	} {
		if !told.Has(line) {
			t.Errorf("%q is not told:\n%s", line, strings.Join(told.All, "\n"))
		}
	}
	clustertest.AllPass(t, clustertest.Open(t, n))
}

// A server of before 8.0 refuses the setting of the scoring.
func TestSetupOldServer(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{Version: "7.6.5-5704-enterprise"})
	if told := clustertest.SetUp(t, n, setup.Options{}); !told.Has("words scored by tf-idf") {
		t.Error(strings.Join(told.All, "\n"))
	}
	clustertest.AllPass(t, clustertest.Open(t, n))
}

func TestSetupRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	t.Parallel()
	here := cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope}
	const pool = `{"ftsMemoryQuota":1024,"nodes":[{"version":"8.0.0-1-enterprise","services":["kv","n1ql","fts"]}]}`
	tests := []struct {
		name    string
		node    cbtest.Options
		config  func(*driver.Config)
		options setup.Options
		fault   cbtest.Fault
		code    fault.Code
		says    []string
	}{
		{
			name: "old server", node: cbtest.Options{Version: "7.6.1-3200-enterprise"}, code: fault.RAGUnavailable,
			says: []string{"7.6.1", "7.6.2 or later"},
		},
		{
			name: "older server", node: cbtest.Options{Version: "7.2.6-1-enterprise"}, code: fault.RAGUnavailable,
			says: []string{"7.2.6"},
		},
		{
			name: "wrong password", config: func(c *driver.Config) { c.Password = "no" },
			code: fault.RAGUnavailable, says: []string{`refuses user "Administrator"`, "RAGNAV_COUCHBASE_PASSWORD"},
		},
		{
			name: "no index service", fault: cbtest.Fault{Service: "mgmt", Op: "/pools/default", Status: 200, Body: pool},
			code: fault.RAGUnavailable, says: []string{"the Index service", "add a node"},
		},
		{
			name: "no bucket", options: setup.Options{ExistingBucket: true}, code: fault.RAGUnavailable,
			says: []string{"no bucket ragnav", "by hand"},
		},
		{
			name: "may not make a bucket",
			fault: cbtest.Fault{
				Service: "mgmt", Op: "ramQuotaMB", Status: 403,
				Body: `{"message":"Forbidden. User needs one of the following permissions"}`,
			},
			code: fault.RAGUnavailable, says: []string{"may not make the bucket ragnav", "Cluster Admin"},
		},
		{
			name: "no memory for the bucket",
			fault: cbtest.Fault{
				Service: "mgmt", Op: "ramQuotaMB", Status: 400,
				Body: `{"errors":{"ramQuota":"RAM quota specified is too large to be provisioned into this ` +
					`cluster."},"summaries":{}}`,
			},
			code: fault.RAGUnavailable, says: []string{"512 MiB", "RAM quota specified is too large"},
		},
		{
			name:  "may not make a scope",
			fault: cbtest.Fault{Service: "mgmt", Op: "name=code", Status: 403, Body: `{"message":"Forbidden"}`},
			code:  fault.RAGUnavailable, says: []string{"may not make the scope code", "Manage Scopes"},
		},
		{
			name: "may not make query indexes", node: here,
			fault: cbtest.Fault{
				Service: "query", Op: "CREATE INDEX", Status: 401,
				Body: `{"errors":[{"code":13014,"msg":"User does not have credentials to run index operations."}],"status":"fatal"}`,
			},
			code: fault.RAGUnavailable, says: []string{"may not make the query index", "Query Manage Index"},
		},
		{
			name: "may not make search indexes", node: here,
			fault: cbtest.Fault{
				Service: "search", Op: "planParams", Status: 403,
				Body: `{"error":"rest_auth: preparePerms, err: forbidden","status":"fail"}`,
			},
			code: fault.RAGUnavailable, says: []string{"may not make the search index", "Search Admin"},
		},
		{
			name: "search index refused", node: here,
			fault: cbtest.Fault{
				Service: "search", Op: "planParams", Status: 400,
				Body: `{"error":"rest_create_index: error creating index: code_vector_index, err: manager_api: not enough nodes ` +
					`for replicas","status":"fail"}`,
			},
			code: fault.RAGUnavailable, says: []string{"could not make the search index", "not enough nodes for replicas"},
		},
		{
			name: "dims", config: func(c *driver.Config) { c.Dims = 0 }, code: fault.InvalidRequest,
			says: []string{"0 components"},
		},
		{
			name: "similarity", options: setup.Options{Similarity: "euclid"}, code: fault.InvalidRequest,
			says: []string{"euclid"},
		},
		{
			name: "address", config: func(c *driver.Config) { c.ConnStr = "mysql://x" }, code: fault.InvalidRequest,
			says: []string{"mysql://x"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := cbtest.Start(t, tt.node)
			if tt.fault != (cbtest.Fault{}) {
				n.Inject(tt.fault)
			}
			c := clustertest.Config(n)
			if tt.config != nil {
				tt.config(&c)
			}
			err := clustertest.AtOnce(t.Context(), c, tt.options, func(string) {})
			f, ok := errors.AsType[*fault.Error](err)
			if !ok || f.Code != tt.code {
				t.Fatalf("error %v, want %s", err, tt.code)
			}
			for _, text := range tt.says {
				if !strings.Contains(f.Message, text) {
					t.Errorf("%q does not say %q", f.Message, text)
				}
			}
		})
	}
}

func TestSetupOtherQueryIndex(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	records := clustertest.ScopeOf(t, n).Collection("records")
	if err := records.QueryIndexes().CreateIndex("ragnav_records_ck", []string{"k"}, nil); err != nil {
		t.Fatal(err)
	}
	err := clustertest.AtOnce(t.Context(), clustertest.Config(n), setup.Options{}, func(string) {})
	if fault.CodeOf(err) != fault.Conflict ||
		!strings.Contains(fault.MessageOf(err), "DROP INDEX `ragnav_records_ck` ON `ragnav`.`code`.`records`") {
		t.Errorf("error %v", err)
	}
}

func TestSetupTellsQuotas(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	n.Inject(cbtest.Fault{Service: "mgmt", Op: "/pools/default", Times: 1, Status: 200, Body: `{"ftsMemoryQuota":256,"nodes":[
		{"version":"8.0.1-1-enterprise","services":["kv","n1ql","index"]},
		{"version":"8.0.0-1-enterprise","services":["kv","fts"]}]}`})
	told := clustertest.SetUp(t, n, setup.Options{BucketRAMMiB: 1024})
	for _, line := range []string{
		"2 nodes, Couchbase 8.0.0-1", "may use 256 MiB of memory",
		"1024 MiB of memory, 1 replica",
	} {
		if !told.Has(line) {
			t.Errorf("%q is not told:\n%s", line, strings.Join(told.All, "\n"))
		}
	}
}

// Who may not look at the cluster can still make what he may.
func TestSetupWithoutSight(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{Bucket: clustertest.Bucket, Scope: clustertest.Scope})
	// nodes, bucket
	n.Inject(cbtest.Fault{Service: "mgmt", Op: "/pools/default", Times: 2, Status: 403, Body: `{"message":"Forbidden"}`})
	told := clustertest.SetUp(t, n, setup.Options{})
	for _, line := range []string{"cannot be seen", "bucket ragnav: there", "verified"} {
		if !told.Has(line) {
			t.Errorf("%q is not told:\n%s", line, strings.Join(told.All, "\n"))
		}
	}
}

func TestSetupIsCancelled(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	err := clustertest.AtOnce(ctx, clustertest.Config(n), setup.Options{}, func(line string) {
		if strings.HasPrefix(line, "collection") {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
