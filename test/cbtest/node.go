package cbtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/rpc"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// host is where the node listens.
const host = "127.0.0.1"

// Options say what kind of node to start. The zero value is a node of version
// 8.0 without buckets.
type Options struct {
	// Version is what ds_version() and the cluster manager say, and decides
	// which search features there are: scoped and vector indexes from 7.6.0,
	// pre-filters from 7.6.4, BM25 from 8.0. Default "8.0.0-1234-enterprise".
	Version string
	// Username and Password of the administrator. Default Administrator/password.
	Username, Password string
	// Users are the other accounts.
	Users []Account
	// Bucket and Scope, when set, exist from the start, with the collections
	// "documents" and "records".
	Bucket, Scope string
	// Partitions of every search index, for status.total. Default 1.
	Partitions int
	// Nodes is how many there are as far as indexes and the cluster manager are
	// concerned; only one is there. Default 1.
	Nodes int
	// Lag is how far the search indexes are behind the writes. It is asked
	// again and again while a write waits, so a test can shorten it. Nil: not
	// at all.
	Lag func() time.Duration
	// Now is the clock of document expiry. Default time.Now.
	Now func() time.Time
}

// A Node is one Couchbase server with all services. All methods may be called
// concurrently.
type Node struct {
	opts    Options
	version version
	http    int // port of the cluster manager, Query and Search
	kv      int // port of the key-value service

	engines *rpc.Client // the process of Search services

	faults faults
	calls  callLog
	data   *data
	feeder *feeder

	mu      sync.Mutex
	running *services   // nil while stopped
	kept    reservation // of the ports, while stopped
	closed  bool
}

// Start starts a node that closes itself when t ends. Where there can be no engine t is skipped, but not in CI.
func Start(t testing.TB, o Options) *Node {
	t.Helper()
	n, err := New(o)
	if errors.Is(err, ErrNoEngine) && !slices.Contains(environment, "CI=true") {
		t.Skipf("SKIPPED: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// New starts a node on two free loopback ports. The caller closes it.
func New(o Options) (*Node, error) {
	o = withDefaults(o)
	v, err := parseVersion(o.Version)
	if err != nil {
		return nil, err
	}
	engines, err := process()
	if err != nil {
		return nil, err
	}
	n := &Node{opts: o, version: v, engines: engines}
	n.data = newData(n)
	n.feeder = startFeeder(o.Lag)
	if o.Bucket != "" {
		err = n.data.seed(o.Bucket, o.Scope)
	}
	if err == nil {
		err = n.Start()
	}
	if err != nil {
		n.Close()
		return nil, err
	}
	return n, nil
}

func withDefaults(o Options) Options {
	if o.Version == "" {
		o.Version = "8.0.0-1234-enterprise"
	}
	if o.Username == "" {
		o.Username = "Administrator"
	}
	if o.Password == "" {
		o.Password = "password"
	}
	o.Users = append([]Account{{o.Username, o.Password, []string{"admin"}}}, o.Users...)
	if o.Partitions < 1 {
		o.Partitions = 1
	}
	o.Nodes = max(o.Nodes, 1)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// ConnStr returns the connection string, "couchbase://127.0.0.1:PORT".
func (n *Node) ConnStr() string { return "couchbase://" + hostPort(n.kv) }

// WebURL returns the address of the HTTP services, "http://127.0.0.1:PORT".
func (n *Node) WebURL() string { return "http://" + hostPort(n.http) }

// Start listens again, on the same ports, after Stop. On a running node it does
// nothing; on a closed one it is an error.
func (n *Node) Start() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return fmt.Errorf("cbtest: start: the node is closed")
	}
	if n.running != nil {
		return nil
	}
	kv, err := listen(n.kv)
	if err != nil {
		return err
	}
	web, err := listen(n.http)
	if err != nil {
		_ = kv.Close()
		return err
	}
	if n.kv == 0 {
		n.kv, n.http = port(kv), port(web)
	}
	n.kept.release()
	n.kept = reservation{}
	n.running = serve(n, kv, web)
	return nil
}

// Stop cuts all connections, closes the listeners and waits until every request
// has ended. Documents and indexes are kept.
func (n *Node) Stop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.running != nil {
		n.running.stop()
		n.running = nil
		n.kept, _ = reserve(n.kv, n.http) // else Start says who has them
	}
}

// Close stops the node for good and waits for all of its goroutines.
func (n *Node) Close() {
	n.Stop()
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed {
		n.closed = true
		n.kept.release()
		n.feeder.close()
		n.data.close()
	}
}

// Len returns the number of live documents in a collection of Options.Bucket
// and Options.Scope; 0 when there is no such collection.
func (n *Node) Len(collection string) int {
	return n.data.len(n.opts.Bucket, n.opts.Scope, collection)
}

func listen(port int) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", hostPort(port))
	if err != nil {
		return nil, fmt.Errorf("cbtest: %w", err)
	}
	return l, nil
}

func hostPort(port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

// maxCalls is how many calls are remembered.
const maxCalls = 10_000

// A Call is one request that reached the node.
type Call struct {
	// Service is "kv", "search", "query" or "mgmt".
	Service string
	// Op is the command name, "CMD_SET", or the HTTP method and path,
	// "POST /query/service".
	Op string
	// Body is the HTTP request body, or of a key-value command
	// "bucket.scope.collection/key", followed by " durability=LEVEL" when the
	// client asked for one (majority, majorityAndPersistToActive,
	// persistToMajority).
	Body string
}

// callLog is a ring of the last maxCalls calls.
type callLog struct {
	mu    sync.Mutex
	calls []Call
	next  int // where the next one goes, once calls is full
}

func (l *callLog) add(c Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.calls) < maxCalls {
		l.calls = append(l.calls, c)
		return
	}
	l.calls[l.next] = c
	l.next = (l.next + 1) % maxCalls
}

// Calls returns the last 10,000 requests, oldest first.
func (n *Node) Calls() []Call {
	l := &n.calls
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]Call, 0, len(l.calls))
	out = append(out, l.calls[l.next:]...)
	return append(out, l.calls[:l.next]...)
}

// ResetCalls forgets all calls.
func (n *Node) ResetCalls() {
	n.calls.mu.Lock()
	defer n.calls.mu.Unlock()
	n.calls.calls, n.calls.next = nil, 0
}

// Inject puts f in force and returns what removes it.
func (n *Node) Inject(f Fault) (remove func()) {
	n.faults.mu.Lock()
	defer n.faults.mu.Unlock()
	live := &f
	n.faults.live = append(n.faults.live, live)
	return func() {
		n.faults.mu.Lock()
		defer n.faults.mu.Unlock()
		n.faults.drop(live)
	}
}
