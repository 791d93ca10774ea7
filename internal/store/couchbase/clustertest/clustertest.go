// Package clustertest is what tests of the cluster store and of its setup share.
package clustertest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/couchbase/setup"
	"github.com/ragnav/ragnav/test/cbtest"
)

// Where the store is on a node, and the components of its vectors.
const (
	Bucket = "ragnav"
	Scope  = "code"
	Dims   = 8
)

// Patience is much more than anything here takes on a busy machine, and less
// than the node's delay.
const Patience = 5 * time.Minute

// Connect is the driver's connection to a node, without the store.
func Connect(t testing.TB, n *cbtest.Node) *gocb.Cluster {
	t.Helper()
	cluster, err := driver.Open(t.Context(), Config(n).WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cluster.Close(nil) })
	return cluster
}

// ScopeOf is the scope of the store on a node, as the driver has it.
func ScopeOf(t testing.TB, n *cbtest.Node) *gocb.Scope {
	t.Helper()
	return Connect(t, n).Bucket(Bucket).Scope(Scope)
}

// Config is that of a store on a node.
func Config(n *cbtest.Node) driver.Config {
	return driver.Config{
		ConnStr: n.ConnStr(), Bucket: Bucket, Scope: Scope, Username: "Administrator", Password: "password",
		Dims:         Dims,
		ReadyTimeout: Patience, OpTimeout: time.Minute,
	}
}

// Open opens the store on a node; change may change the configuration.
func Open(t testing.TB, n *cbtest.Node, change ...func(*driver.Config)) *couchbase.Store {
	t.Helper()
	c := Config(n)
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

// Lines collects what setup tells.
type Lines struct {
	mu  sync.Mutex
	All []string
}

// Add takes a line.
func (l *Lines) Add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.All = append(l.All, line)
}

// Has reports whether some line holds text.
func (l *Lines) Has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.All, func(line string) bool { return strings.Contains(line, text) })
}

// AtOnce is setup.Run that looks often, tells everything and gives up soon on what
// should pass.
func AtOnce(ctx context.Context, c driver.Config, o setup.Options, progress func(line string)) error {
	c.RefreshEvery = 30 * time.Millisecond
	o.Pace = setup.Pace{
		Poll: 2 * time.Millisecond, Tell: 2 * time.Millisecond, Stall: 20 * time.Millisecond,
		Passing: 300 * time.Millisecond,
	}
	return setup.Run(ctx, c, o, progress)
}

// SetUp sets a node up, which must succeed, and returns what that told.
func SetUp(t *testing.T, n *cbtest.Node, o setup.Options) *Lines {
	t.Helper()
	told := &Lines{}
	if err := AtOnce(t.Context(), Config(n), o, told.Add); err != nil {
		t.Fatalf("Setup: %v\n%s", err, strings.Join(told.All, "\n"))
	}
	return told
}

// SymbolDoc is a document with a vector of Dims components.
func SymbolDoc(repo models.RepoID, name string) models.Document {
	vector := make([]float32, Dims)
	vector[len(name)%Dims] = 1
	return models.Document{
		Header: models.Header{
			ID: models.SymbolID(repo, "a.go", name, 1), Type: models.TypeSymbol, RepoID: repo, FilePath: "a.go",
			SymbolName: name, Language: "Go",
		},
		Text: "some words of " + name, Embedding: vector,
	}
}

// Symbols is a batch of such documents of one repository.
func Symbols(names ...string) store.Batch {
	var b store.Batch
	for _, name := range names {
		b.Put = append(b.Put, SymbolDoc("o/r", name))
	}
	return b
}

// ByWords is a request by words of symbols.
func ByWords(words string) fts.Request {
	return fts.Request{Query: fts.Match{Field: fts.TextField(models.TypeSymbol), Match: words}, Size: 10}
}

// ByVector is a request for the nearest symbols.
func ByVector() fts.Request {
	vector := make([]float32, Dims)
	vector[0] = 1
	filter := fts.Filter(fts.FieldType, string(models.TypeSymbol))
	return fts.Request{
		Query: filter, KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: vector, K: 10, Filter: filter}},
		KNNOperator: "and", Size: 10,
	}
}

// AllPass fails the test when a check fails for good: on a busy machine one may
// run out of time.
func AllPass(t *testing.T, s *couchbase.Store) {
	t.Helper()
	bad := func(c models.Check) bool { return !c.OK || c.Degraded }
	found := s.Checks(t.Context())
	for end := time.Now().Add(time.Minute); slices.ContainsFunc(found, bad) && time.Now().Before(end); {
		found = s.Checks(t.Context())
	}
	for _, c := range found {
		if bad(c) {
			t.Errorf("%s: %s", c.Name, c.Message)
		}
	}
}

// WantCheck waits until a check is as wanted: on a busy machine it may run out of
// time.
func WantCheck(t *testing.T, s *couchbase.Store, name string, ok bool, says ...string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		found := s.Checks(t.Context())
		i := slices.IndexFunc(found, func(c models.Check) bool { return c.Name == name })
		if i < 0 {
			t.Fatalf("there is no check %s", name)
		}
		c := found[i]
		unsaid := slices.ContainsFunc(says, func(text string) bool { return !strings.Contains(c.Message, text) })
		if c.OK == ok && !unsaid {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: ok %v, want %v with %q: %s", name, c.OK, ok, says, c.Message)
		}
	}
}
