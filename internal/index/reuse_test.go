package index_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

// An asking is an embedder that remembers what it was asked.
type asking struct {
	vectors.Embedder

	mu    sync.Mutex
	known map[embed.Input]bool
	asked []embed.Input // since reset
	again []embed.Input // of those, what it was asked before
}

func counted(e vectors.Embedder) *asking {
	return &asking{Embedder: e, known: map[embed.Input]bool{}}
}

func (c *asking) Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error) {
	c.mu.Lock()
	for _, in := range inputs {
		if c.known[in] {
			c.again = append(c.again, in)
		}
		c.known[in] = true
		c.asked = append(c.asked, in)
	}
	c.mu.Unlock()
	return c.Embedder.Documents(ctx, inputs)
}

func (c *asking) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.again = nil, nil
}

// names are those of the symbols that were asked for, sorted.
func (c *asking) names() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := []string{}
	for _, in := range c.asked {
		names = append(names, in.Name)
	}
	slices.Sort(names)
	return names
}

// function is a Go function with a text of its own.
func function(name string, n int) string {
	return fmt.Sprintf("\n// %s does number %d.\nfunc %s() int { return %d }\n", name, n, name, n)
}

// library is a package with some functions, of which all have that number.
func library(n int, names ...string) string {
	var text strings.Builder
	text.WriteString("package lib\n")
	for _, name := range names {
		text.WriteString(function(name, n))
	}
	return text.String()
}

// onDisk is setUp over the embedded store.
func onDisk(t *testing.T, files map[string]string) *bench {
	t.Helper()
	b := setUp(t, files)
	st, err := embedded.Open(t.Context(), t.TempDir(), embedded.Options{Dims: b.embedder.Manifest().Dims})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	b.disk = st
	b.open(index.Config{})
	return b
}

// What the store has an embedding of is not embedded again, wherever it is now.
func TestEmbeddedOnce(t *testing.T) {
	kinds := []struct {
		name    string
		forgets bool // what no document has any more
		set     func(t *testing.T) *bench
	}{
		{"embedded", false, func(t *testing.T) *bench { return onDisk(t, nil) }},
		{"drafts", false, func(t *testing.T) *bench { return setUpDrafting(t, nil) }},
		{"no drafts", false, func(t *testing.T) *bench { return setUp(t, nil) }},
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { embeddedOnce(t, k.set(t), k.forgets, index.Config{}) })
	}
	t.Run("shared", func(t *testing.T) {
		inBubble(t, func(t *testing.T) { embeddedOnce(t, setUpServer(t, nil, server), true, server) })
	})
}

func embeddedOnce(t *testing.T, b *bench, forgets bool, config index.Config) {
	t.Helper()
	e := counted(b.embedder)
	b.embedder = e
	b.open(config)
	lib := filepath.Join("one", "lib.go")
	b.write(lib, library(1, "A", "B", "C", "D"))
	b.write("other.go", library(1, "E", "F"))
	b.write("README.md", "# Things\n\nThey are.\n")
	summaries := 2 // of a folder and of the repository
	steps := []struct {
		name     string
		do       func()
		full     bool
		want     []string // symbols that are embedded
		summary  bool     // some may be
		forgiven bool     // where the store forgets
	}{
		{"nothing", func() {}, false, nil, false, false},
		{"a file is touched", func() { b.touch(lib) }, false, nil, false, false},
		{"a full run", func() {}, true, nil, false, false},
		{
			"one function is edited", func() { b.write(lib, library(1, "A", "B", "C")+function("D", 2)) }, false,
			[]string{"D"},
			true, false,
		},
		{"a file moves", func() { b.rename("one", "two") }, false, nil, true, false},
		{
			"a file is copied", func() { b.write("three/lib.go", library(1, "A", "B", "C")+function("D", 2)) }, false, nil, true,
			true,
		},
		{"functions change places", func() { b.write("other.go", library(1, "F", "E")) }, false, nil, true, false},
		{"as it was, earlier", func() { b.write("two/lib.go", library(1, "A", "B", "C", "D")) }, false, nil, true, true},
		{"a full run again", func() {}, true, nil, false, false},
	}
	b.run()
	for _, s := range steps {
		e.reset()
		s.do()
		j := b.wait(b.start(s.full))
		if j.State != jobs.Done {
			t.Fatalf("%s: job %+v", s.name, j)
		}
		if j.Embedded != len(e.asked) {
			t.Errorf("%s: the job says that %d were embedded, there were %d", s.name, j.Embedded, len(e.asked))
		}
		if s.full && j.Reused == 0 {
			t.Errorf("%s: the job says that nothing was reused", s.name)
		}
		if s.forgiven && forgets {
			continue
		}
		symbols := slices.DeleteFunc(e.names(), func(name string) bool { return len(name) != 1 || name > "F" })
		if diff := cmp.Diff(s.want, symbols, equateEmpty); diff != "" {
			t.Errorf("%s: symbols embedded (-want +got):\n%s", s.name, diff)
		}
		if extra := len(e.asked) - len(symbols); extra > 0 && !s.summary || extra > 2*summaries {
			t.Errorf("%s: %d summaries and sections were embedded: %q", s.name, extra, e.names())
		}
		if len(e.again) > 0 && !forgets {
			t.Errorf("%s: asked again for %+v", s.name, e.again)
		}
	}
}

var equateEmpty = cmp.FilterValues(func(a, b []string) bool { return len(a)+len(b) == 0 },
	cmp.Comparer(func(_, _ []string) bool { return true }))

// touch gives a file another time.
func (b *bench) touch(name string) {
	b.Helper()
	file := filepath.Join(b.root, name)
	if err := os.Chtimes(file, someTime, someTime); err != nil {
		b.Fatal(err)
	}
}

// A branch that was left and comes back is not embedded again, with everything
// that was in the index of the other one gone from it.
func TestSwitchedBranches(t *testing.T) {
	b := onDisk(t, small)
	e := counted(b.embedder)
	b.embedder = e
	b.open(index.Config{})
	gitIn(t, b.root, "init", "-q", "-b", "first")
	gitIn(t, b.root, "add", ".")
	gitIn(t, b.root, "commit", "-qm", "first")
	b.run()
	gitIn(t, b.root, "checkout", "-q", "-b", "second")
	b.write("server/server.go", library(1, "A", "B"))
	b.remove("server/deep")
	b.write("more/more.go", library(2, "C"))
	gitIn(t, b.root, "add", "-A")
	gitIn(t, b.root, "commit", "-qm", "second")
	if j := b.run(); j.Embedded < 3 {
		t.Errorf("the second branch: job %+v", j)
	}
	for _, branch := range []string{"first", "second", "first"} {
		gitIn(t, b.root, "checkout", "-q", branch)
		e.reset()
		if j := b.run(); j.Changed == 0 || j.Reused == 0 || j.Embedded != 0 || len(e.asked) != 0 {
			t.Errorf("back on the %s branch %q were embedded: job %+v", branch, e.names(), j)
		}
	}
}

// Texts that occur several times in a file are embedded once.
func TestEmbeddedOnceInAFile(t *testing.T) {
	b := setUp(t, map[string]string{"a.go": "package a\n\nfunc init() {}\n\nfunc init() {}\n\nfunc init() {}\n"})
	e := counted(b.embedder)
	b.embedder = e
	b.open(index.Config{})
	j := b.run()
	if n := len(slices.DeleteFunc(e.names(), func(name string) bool { return name != "init" })); n != 1 {
		t.Errorf("init was embedded %d times", n)
	}
	vectors := 0
	for _, d := range b.store.all() {
		if d.SymbolName == "init" && d.Embedding != nil {
			vectors++
		}
	}
	if vectors != 3 || j.Reused != 2 {
		t.Errorf("%d of 3 functions have a vector, %d reused", vectors, j.Reused)
	}
}

// another is an embedder whose vectors can't be compared with those of Fake.
type another struct{ vectors.Embedder }

func (a another) Manifest() embed.Manifest {
	m := a.Embedder.Manifest()
	m.Revision = "2"
	return m
}

// Nothing that one embedder made is taken for another one's.
func TestAnotherEmbedderMakesAll(t *testing.T) {
	b := onDisk(t, small)
	first := b.run()
	e := counted(another{b.embedder})
	b.embedder = e
	b.open(index.Config{})
	j := b.wait(b.start(true))
	if j.State != jobs.Done || j.Embedded != first.Embedded || len(e.asked) != first.Embedded ||
		j.Reused != first.Reused {
		t.Errorf("job %+v, the first embedder made %d", j, first.Embedded)
	}
}

// vectorsOf is all hits of some requests for nearest documents, with scores.
func vectorsOf(t *testing.T, st *embedded.Store, dims int) [][]fts.Hit {
	t.Helper()
	var all [][]fts.Hit
	for i := range 4 {
		query := make([]float32, dims)
		query[i], query[(5*i+3)%dims] = 0.6, -0.8
		res, err := st.Search(t.Context(),
			fts.Request{Query: fts.MatchAll{}, KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: query, K: 1000}}, Size: 1000})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, res.Hits)
	}
	return all
}

// The vectors of an incremental index, most of them read from the store and put
// again, are those of a clean build to the bit: all scores are the same.
func TestReusedVectorsAreClean(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and nothing in it runs side by side")
	}
	b := onDisk(t, small)
	b.run()
	r := rand.New(rand.NewPCG(3, 4))
	for range 8 {
		for range 1 + r.IntN(4) {
			edit(b, r)
		}
		b.run()
		if r.IntN(2) == 0 {
			b.wait(b.start(true))
		}
		clean := onDisk(t, nil)
		clean.root, clean.clock = b.root, b.clock
		clean.run()
		dims := b.embedder.Manifest().Dims
		if diff := cmp.Diff(vectorsOf(t, clean.disk, dims), vectorsOf(t, b.disk, dims)); diff != "" {
			t.Fatal("hits (-clean +incremental):\n", diff)
		}
	}
}

// A preview counts the tokens of what would really be embedded.
func TestPreviewCountsNewTokens(t *testing.T) {
	b := setUp(t, small)
	b.run()
	full := b.preview(index.StartRequest{Full: true}).Repositories[0]
	if full.Changed == 0 || full.Tokens != 0 {
		t.Errorf("a full run would embed %d tokens of %d files", full.Tokens, full.Changed)
	}
	b.write("server/server.go", small["server/server.go"]+function("Added", 1))
	one := b.preview(index.StartRequest{}).Repositories[0]
	all := setUp(t, map[string]string{"server.go": "package server\n" + function("Added", 1)}).preview(
		index.StartRequest{}).Repositories[0]
	if one.Tokens == 0 || one.Tokens != all.Tokens {
		t.Errorf("one function more is %d tokens, want %d", one.Tokens, all.Tokens)
	}
}
