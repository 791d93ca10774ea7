package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/test/cbtest"
)

// A clusterFault is what becomes of a search while something of the cluster
// does not work. Code "" is an answer, with a warning when there is one.
type clusterFault struct {
	name    string
	fault   cbtest.Fault
	status  int
	code    string
	warning string
}

var clusterFaults = []clusterFault{
	{
		"search out of memory", searchFault(429, `{"error":"query request rejected: mem quota","status":"fail"}`), 503,
		"OVERLOADED", "",
	},
	{"too many searches", searchFault(429, `{"error":"num_concurrent_requests","status":"fail"}`), 503, "OVERLOADED", ""},
	{"search starting", searchFault(503, `{"error":"x"}`), 503, "OVERLOADED", ""},
	{"search broken", searchFault(500, `{"error":"boom"}`), 503, "RAG_UNAVAILABLE", ""},
	{
		"search moving", searchFault(412, `{"error":"pindex_consistency mismatched partition","status":"fail"}`), 503,
		"RAG_UNAVAILABLE", "",
	},
	{"search hangs", cbtest.Fault{Service: "search", Op: "query", Delay: time.Hour}, 504, "TIMEOUT", ""},
	{"search cut", cbtest.Fault{Service: "search", Op: "query", Cut: true}, 503, "RAG_UNAVAILABLE", ""},
	{"one partition away", cbtest.Fault{Service: "search", Op: "query", FailPartitions: 1}, 200, "", "PARTIAL_RESULTS"},
	{"all partitions away", cbtest.Fault{Service: "search", Op: "query", FailPartitions: 4}, 503, "RAG_UNAVAILABLE", ""},
	{"reads hang", cbtest.Fault{Service: "kv", Op: "CMD_GET", Delay: time.Hour}, 504, "TIMEOUT", ""},
	{"one read cut", cbtest.Fault{Service: "kv", Op: "CMD_GET", Cut: true, Times: 1}, 200, "", ""},
}

func searchFault(status int, body string) cbtest.Fault {
	return cbtest.Fault{Service: "search", Op: "query", Status: status, Body: body}
}

// A server on a cluster answers each fault as the contract says, within the
// request's limit, and answers again as soon as the fault is over.
func TestClusterFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it runs programs for long")
	}
	t.Parallel()
	node := cbtest.Start(t, cbtest.Options{Bucket: "ragnav", Scope: "code", Partitions: 4})
	sh, root := newClusterShell(t, node), gitRepo(t, clockRepo)
	// A busy machine may keep the driver waiting beyond its limit, which is no matter here.
	out, errs, exit := sh.try("index", "--quiet", root)
	for try := 0; exit == fault.Timeout.Row().Exit && try < 2; try++ {
		out, errs, exit = sh.try("index", "--quiet", root)
	}
	if exit != 0 {
		t.Fatalf("ragnav index: exit %d\n%s%s", exit, out, errs)
	}
	server, hurried := sh.serve("--request-timeout", "1m"), sh.serve("--request-timeout", "1s")
	before := server.searchHits(t)
	for _, tt := range clusterFaults {
		t.Run(tt.name, func(t *testing.T) {
			asked := server
			if tt.status == http.StatusGatewayTimeout {
				asked = hurried // a busy machine may take longer for what is no matter of time
			}
			remove := node.Inject(tt.fault)
			status, header, reply := asked.search(t)
			remove()
			if code := models.Or(reply.Meta.ErrorCode, ""); status != tt.status || code != tt.code {
				t.Errorf("%d %s, want %d %s", status, code, tt.status, tt.code)
			}
			if tt.code != "" && (reply.Meta.Message == nil || strings.Contains(*reply.Meta.Message, "127.0.0.1")) {
				t.Errorf("message %v", reply.Meta.Message)
			}
			if (header.Get("Retry-After") != "") != (tt.code == "OVERLOADED") {
				t.Errorf("Retry-After %q with %s", header.Get("Retry-After"), tt.code)
			}
			if len(reply.Meta.Warnings) > 0 != (tt.warning != "") || tt.warning != "" &&
				reply.Meta.Warnings[0].Code != tt.warning {
				t.Errorf("warnings %v, want %q", reply.Meta.Warnings, tt.warning)
			}
			if after := server.searchHits(t); after != before {
				t.Errorf("after the fault %d hits, want %d", after, before)
			}
		})
	}
	t.Run("node restarts", func(t *testing.T) { restart(t, node, hurried, before) })
}

// restart stops the node and starts it again: replies say so meanwhile, and the
// server needs no restart.
func restart(t *testing.T, node *cbtest.Node, server *process, hits int) {
	node.Stop()
	if status, _, reply := server.search(t); status < 500 || reply.Meta.ErrorCode == nil {
		t.Errorf("status %d without the cluster", status)
	}
	if body := server.send(t, "GET", "/readyz", ""); !strings.Contains(body, `"ok":false`) {
		t.Errorf("ready without the cluster: %s", body)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(patience)
	for {
		status, _, reply := server.search(t)
		if status == http.StatusOK && len(reply.Items) == hits {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("status %d long after the node is back: %+v", status, reply.Meta)
		}
	}
}

func (p *process) search(t *testing.T) (int, http.Header, models.Result[models.SearchResult]) {
	t.Helper()
	resp, err := http.Post(p.url+"/api/rag/search", "application/json",
		strings.NewReader(`{"query":"parse a time stamp","level":"symbol"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var reply models.Result[models.SearchResult]
	if err := json.Unmarshal(body, &reply); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return resp.StatusCode, resp.Header, reply
}

func (p *process) searchHits(t *testing.T) int {
	t.Helper()
	status, _, reply := p.search(t)
	if status != http.StatusOK || len(reply.Items) == 0 {
		t.Fatalf("status %d, %+v", status, reply)
	}
	return len(reply.Items)
}
