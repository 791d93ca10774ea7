package cluster_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/testcontainers/testcontainers-go"
	image "github.com/testcontainers/testcontainers-go/modules/couchbase"

	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
)

// images are the servers to test on: the last ones of both lines, and one from
// before knn clauses had a filter.
var images = []string{"couchbase:enterprise-8.0.3", "couchbase:enterprise-7.6.11", "couchbase:enterprise-7.6.3"}

const skipped = `
SKIPPED: NO COUCHBASE CLUSTER WAS TESTED. Docker does not answer, and RAGNAV_TEST_COUCHBASE names no cluster (couchbase://HOST/BUCKET.SCOPE).
`

func skipWithoutDocker(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		if t.Skipped() {
			fmt.Fprint(os.Stderr, skipped)
		}
	})
	testcontainers.SkipIfProviderIsNotHealthy(t)
}

// start runs a node in a container that is gone when t ends.
func start(t *testing.T, name string) cluster {
	t.Helper()
	node, err := image.Run(t.Context(), name, image.WithAdminCredentials("Administrator", "password"))
	testcontainers.CleanupContainer(t, node)
	if err != nil {
		t.Fatalf("start %s: %v", name, err)
	}
	raiseQuotas(t, node)
	address, err := node.ConnectionString(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := cluster{create: true, config: driver.Config{
		ConnStr: address, Bucket: "ragnav", Scope: "code", Username: node.Username(), Password: node.Password(),
		Dims: dims, ReadyTimeout: 2 * time.Minute, OpTimeout: 30 * time.Second,
	}}
	c.setup(t, c.config)
	return c
}

// raiseQuotas gives the services more memory than the module's 256 MiB each:
// vectors need it, and so does the bucket.
func raiseQuotas(t *testing.T, node *image.CouchbaseContainer) {
	t.Helper()
	address, err := node.PortEndpoint(t.Context(), image.MGMT_PORT+"/tcp", "http")
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"memoryQuota": {"1024"}, "ftsMemoryQuota": {"1024"}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/pools/default",
		strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(node.Username(), node.Password())
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		why, _ := io.ReadAll(resp.Body)
		t.Fatalf("raise the memory quotas: %s: %s", resp.Status, why)
	}
}
