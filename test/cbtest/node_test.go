package cbtest_test

import (
	"errors"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/couchbase/gocb/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/test/cbtest"
)

// patience is how long anything may take that should be there at once.
const patience = time.Minute

// dial opens a cluster with nothing but a user and a password.
func dial(t *testing.T, n *cbtest.Node, user, password string) *gocb.Cluster {
	t.Helper()
	c, err := gocb.Connect(n.ConnStr(), gocb.ClusterOptions{Username: user, Password: password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(nil) })
	return c
}

// connect is connectAs by the administrator.
func connect(t *testing.T, n *cbtest.Node) *gocb.Cluster {
	t.Helper()
	return connectAs(t, n, "Administrator", "password")
}

// connectAs is dial that waits until all services answer. It dials again when the
// driver has missed the configuration of the cluster, which it does not get
// again before there is another.
func connectAs(t *testing.T, n *cbtest.Node, user, password string) *gocb.Cluster {
	t.Helper()
	services := []gocb.ServiceType{gocb.ServiceTypeQuery, gocb.ServiceTypeSearch, gocb.ServiceTypeManagement}
	for wait := time.Second; ; wait *= 2 {
		c := dial(t, n, user, password)
		err := c.WaitUntilReady(wait, &gocb.WaitUntilReadyOptions{ServiceTypes: services})
		if err == nil {
			return c
		}
		if wait > patience {
			t.Fatal(err)
		}
	}
}

// start returns a node with bucket b and scope code, a cluster connected to it,
// and that scope.
func start(t *testing.T, o cbtest.Options) (*cbtest.Node, *gocb.Cluster, *gocb.Scope) {
	t.Helper()
	o.Bucket, o.Scope = "b", "code"
	n := cbtest.Start(t, o)
	c := connect(t, n)
	return n, c, ready(t, c).Scope("code")
}

// ready waits for the bucket of start.
func ready(t *testing.T, c *gocb.Cluster) *gocb.Bucket {
	t.Helper()
	b := c.Bucket("b")
	if err := b.WaitUntilReady(patience,
		&gocb.WaitUntilReadyOptions{ServiceTypes: []gocb.ServiceType{gocb.ServiceTypeKeyValue}}); err != nil {
		t.Fatal(err)
	}
	return b
}

// eventually polls until f is true.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); !f(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for: %s", what)
		}
	}
}

// wantErr fails unless err is what is wanted; nil is no error.
func wantErr(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want %v", what, err, want)
	}
}

func TestWrongPasswordIsRefusedEverywhere(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{Bucket: "b", Scope: "code"})
	for _, c := range []struct{ name, user, password string }{
		{"password", "Administrator", "wrong"},
		{"user", "somebody", "password"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := dial(t, n, c.user, c.password)
			err := cluster.Bucket("b").WaitUntilReady(time.Second, &gocb.WaitUntilReadyOptions{RetryStrategy: failFast{}})
			wantErr(t, "WaitUntilReady", err, gocb.ErrAuthenticationFailure)
		})
	}
	for _, path := range []string{"/pools", "/query/service", "/api/index"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, n.WebURL()+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth("Administrator", "wrong")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("GET %s: %s, %v, want 401", path, answer.Status, err)
		}
	}
}

// failFast retries nothing.
type failFast struct{}

func (failFast) RetryAfter(gocb.RetryRequest, gocb.RetryReason) gocb.RetryAction {
	return &gocb.NoRetryRetryAction{}
}

func TestPlainAuthentication(t *testing.T) {
	n := cbtest.Start(t, cbtest.Options{Username: "u,=", Password: "p", Bucket: "b", Scope: "code"})
	for _, mechanism := range []gocb.SaslMechanism{
		gocb.PlainSaslMechanism, gocb.ScramSha1SaslMechanism, gocb.ScramSha256SaslMechanism, gocb.ScramSha512SaslMechanism,
	} {
		t.Run(string(mechanism), func(t *testing.T) {
			c, err := gocb.Connect(n.ConnStr(), gocb.ClusterOptions{
				Username: "u,=", Password: "p",
				SecurityConfig: gocb.SecurityConfig{AllowedSaslMechanisms: []gocb.SaslMechanism{mechanism}},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close(nil) }()
			_, err = ready(t, c).DefaultCollection().Upsert("k", 1, nil)
			wantErr(t, "Upsert", err, nil)
		})
	}
}

func TestTwoNodesAtOnce(t *testing.T) {
	one, _, s1 := start(t, cbtest.Options{})
	two, _, s2 := start(t, cbtest.Options{Version: "7.6.5-5704-enterprise"})
	if _, err := s1.Collection("documents").Upsert("k", "one", nil); err != nil {
		t.Fatal(err)
	}
	_, err := s2.Collection("documents").Get("k", nil)
	wantErr(t, "Get from the other node", err, gocb.ErrDocumentNotFound)
	if diff := cmp.Diff([]int{1, 0}, []int{one.Len("documents"), two.Len("documents")}); diff != "" {
		t.Error(diff)
	}
}

func TestRestartKeepsData(t *testing.T) {
	n, c, s := start(t, cbtest.Options{})
	docs := s.Collection("documents")
	if _, err := docs.Upsert("k", "v", nil); err != nil {
		t.Fatal(err)
	}
	before := n.ConnStr()
	n.Stop()
	n.Stop()
	_, err := docs.Get("k", &gocb.GetOptions{Timeout: 100 * time.Millisecond})
	if err == nil { // a timeout, or the end of the connection when the driver notices it first
		t.Error("a stopped node gives a document")
	}
	_, err = c.Query("SELECT RAW ds_version()", &gocb.QueryOptions{Timeout: 100 * time.Millisecond, Adhoc: true})
	if err == nil {
		t.Error("a stopped node answers a query")
	}
	for range 2 { // the second time changes nothing
		if err := n.Start(); err != nil {
			t.Fatal(err)
		}
	}
	if got := n.ConnStr(); got != before {
		t.Errorf("address %s, want %s", got, before)
	}
	_, err = docs.Get("k", &gocb.GetOptions{Timeout: patience})
	wantErr(t, "Get after the restart", err, nil)
}

func TestCloseEndsAllGoroutines(t *testing.T) {
	n, _, s := start(t, cbtest.Options{Lag: func() time.Duration { return time.Hour }})
	if _, err := s.Collection("documents").Upsert("k", "v", nil); err != nil {
		t.Fatal(err)
	}
	n.Inject(cbtest.Fault{Delay: time.Hour})
	_, err := s.Collection("documents").Get("k", &gocb.GetOptions{Timeout: 50 * time.Millisecond})
	wantErr(t, "Get of a slow node", err, gocb.ErrTimeout)
	n.Close()
	n.Close()
	buf := make([]byte, 1<<20)
	stacks := string(buf[:runtime.Stack(buf, true)])
	for stack := range strings.SplitSeq(stacks, "\n\n") {
		if strings.Contains(stack, "cbtest.(*") {
			t.Errorf("still there:\n%s", stack)
		}
	}
	if err := n.Start(); err == nil {
		t.Error("a closed node starts")
	}
}

func TestVersionDecidesTheFeatures(t *testing.T) {
	for _, c := range []struct {
		version string
		want    error
	}{
		{"7.2.4-7070-enterprise", gocb.ErrFeatureNotAvailable},
		{"7.6.1-3200-enterprise", nil},
		{"8.0.0-1234-enterprise", nil},
	} {
		t.Run(c.version, func(t *testing.T) {
			_, cluster, s := start(t, cbtest.Options{Version: c.version})
			_, err := s.SearchIndexes().GetAllIndexes(nil)
			if c.want == nil {
				wantErr(t, "GetAllIndexes", err, nil)
			} else {
				wantErr(t, "GetAllIndexes", err, c.want)
			}
			r, err := cluster.Query("SELECT RAW ds_version()", &gocb.QueryOptions{Adhoc: true})
			if err != nil {
				t.Fatal(err)
			}
			var got string
			if err := r.One(&got); err != nil || got != c.version {
				t.Errorf("ds_version() = %q, %v, want %q", got, err, c.version)
			}
		})
	}
	if _, err := cbtest.New(cbtest.Options{Version: "new"}); err == nil {
		t.Error("a version without numbers is accepted")
	}
}

func TestCalls(t *testing.T) {
	n, c, s := start(t, cbtest.Options{})
	n.ResetCalls()
	if _, err := s.Collection("documents").Upsert("k", "v",
		&gocb.UpsertOptions{DurabilityLevel: gocb.DurabilityLevelMajority}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Query("SELECT RAW ds_version()", &gocb.QueryOptions{Adhoc: true}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, call := range n.Calls() {
		switch {
		case call.Op == "CMD_SET":
			got = append(got, call.Service+" "+call.Op+" "+call.Body)
		case call.Service == "query":
			got = append(got, call.Service+" "+call.Op)
		}
	}
	want := []string{"kv CMD_SET b.code.documents/k durability=majority", "query POST /query/service"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
