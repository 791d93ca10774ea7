package driver

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/couchbase/gocbcore/v10"

	"github.com/ragnav/ragnav/internal/fault"
)

// A Pool is what the cluster manager tells about the cluster. It is empty when
// the user may not see it.
type Pool struct {
	Nodes []struct {
		Version  string   `json:"version"`  // "7.6.5-5704-enterprise"
		Services []string `json:"services"` // kv, n1ql, index, fts
	} `json:"nodes"`
	SearchQuotaMiB int `json:"ftsMemoryQuota"`
}

// Count is how many nodes run a service.
func (p Pool) Count(service string) int {
	n := 0
	for _, node := range p.Nodes {
		if slices.Contains(node.Services, service) {
			n++
		}
	}
	return n
}

// Version is that of the oldest node, which decides what the cluster can do.
func (p Pool) Version() string {
	oldest := ""
	for _, node := range p.Nodes {
		if oldest == "" || !newer(node.Version, oldest) {
			oldest = node.Version
		}
	}
	return oldest
}

// newer compares two versions.
func newer(a, b string) bool {
	var n [3]int
	_, _ = fmt.Sscanf(b, "%d.%d.%d", &n[0], &n[1], &n[2]) // what cannot be read counts as 0
	return AtLeast(a, n[:]...)
}

// ReadPool asks the cluster manager. gocb does not tell which node runs which
// service before a bucket is open, so this takes the driver below it.
func ReadPool(ctx context.Context, c Config) (Pool, error) {
	agent, err := managerAgent(c)
	if err != nil {
		return Pool{}, err
	}
	defer func() { _ = agent.Close() }()
	type answer struct {
		resp *gocbcore.HTTPResponse
		err  error
	}
	answered := make(chan answer, 1)
	op, err := agent.DoHTTPRequest(&gocbcore.HTTPRequest{
		Service: gocbcore.MgmtService, Method: "GET", Path: "/pools/default", IsIdempotent: true,
		Deadline: time.Now().Add(c.OpTimeout), RetryStrategy: gocbcore.NewBestEffortRetryStrategy(nil),
	}, func(resp *gocbcore.HTTPResponse, err error) { answered <- answer{resp, err} })
	if err != nil {
		return Pool{}, err
	}
	defer context.AfterFunc(ctx, op.Cancel)()
	a := <-answered
	if a.err != nil {
		return Pool{}, a.err
	}
	defer func() { _ = a.resp.Body.Close() }()
	return decodePool(a.resp)
}

func decodePool(resp *gocbcore.HTTPResponse) (Pool, error) {
	var p Pool
	if resp.StatusCode != 200 {
		return p, fmt.Errorf("read /pools/default: status %d", resp.StatusCode)
	}
	err := json.NewDecoder(io.LimitReader(resp.Body, 16<<20)).Decode(&p)
	if err == nil && len(p.Nodes) == 0 {
		err = fmt.Errorf("read /pools/default: no nodes")
	}
	return p, err
}

func managerAgent(c Config) (*gocbcore.Agent, error) {
	roots, err := c.roots()
	if err != nil {
		return nil, err
	}
	config := &gocbcore.AgentConfig{}
	config.SecurityConfig.Auth = gocbcore.PasswordAuthProvider{Username: c.Username, Password: c.Password}
	if roots != nil {
		config.SecurityConfig.TLSRootCAProvider = func() *x509.CertPool { return roots }
	}
	if err := config.FromConnStr(c.ConnStr); err != nil {
		return nil, err
	}
	return gocbcore.CreateAgent(config)
}

// AtLeast compares a version such as "7.6.4-1234-enterprise".
func AtLeast(version string, want ...int) bool {
	number, _, _ := strings.Cut(version, "-")
	parts := strings.Split(number, ".")
	for i, w := range want {
		have := 0
		if i < len(parts) {
			have, _ = strconv.Atoi(parts[i])
		}
		if have != w {
			return have > w
		}
	}
	return true
}

// CheckVersion refuses servers that cannot index the documents as they are
// written: vectors as base64 came with 7.6.2. No version passes.
func CheckVersion(version string) error {
	if version != "" && !AtLeast(version, 7, 6, 2) {
		return fault.New(fault.RAGUnavailable,
			"Couchbase %s cannot index vectors as ragnav stores them; it takes 7.6.2 or later, and 7.6.4 or later is better",
			version)
	}
	return nil
}
