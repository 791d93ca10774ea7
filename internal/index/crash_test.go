package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/index/records"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// keeping is a process that is no server and stores what files have in them.
var keeping = index.Config{StoreContent: true}

var tiny = map[string]string{
	"README.md": "# API\n\nServes things.\n",
	"main.go":   "package main\n\nfunc main() {}\n\nfunc gone() {}\n",
	"a/a.go":    "package a\n\nfunc A() {}\n",
	"b/b.go":    "package b\n",
	"logo.bin":  "\x00\x01\x02",
}

// A crash is work that is cut short after each of its writes, or each so many,
// and what comes after that.
type crash struct {
	name   string
	first  bool // there is nothing in the store before
	every  int
	work   func(b *bench)
	repair func(b *bench)
}

func changed(b *bench) {
	b.write("main.go", "package main\n\nfunc main() {}\n\nfunc added() {}\n\nfunc more() {}\n")
	b.remove("a")
	b.write("c/c.go", "package c\n\nfunc C() {}\n")
	b.write("b/b.go", "")
	b.write("logo.bin", "text\n")
}

func changedRun(b *bench) {
	changed(b)
	b.attempt(false)
}

func attemptRun(b *bench) { b.attempt(false) }

// serverGoesOn has a server end what is unfinished.
func serverGoesOn(b *bench) {
	b.open(index.Config{HandOver: true, StoreContent: true})
	for _, j := range b.jobs() {
		if j = b.wait(j); j.State != jobs.Done {
			b.Errorf("job %+v", j)
		}
	}
}

func (b *bench) again() { b.run() }

// attempt runs the repository, whatever comes of it.
func (b *bench) attempt(full bool) {
	res, err := b.service.Start(b.Context(), index.StartRequest{Targets: []string{b.root}, RepoID: repoID, Full: full})
	if err == nil {
		_, _ = b.service.Wait(b.Context(), res.Items[0].ID, nil)
	}
}

func (b *bench) removeAll() error {
	_, err := b.service.Remove(b.Context(), index.RemoveRequest{RepoID: repoID})
	return err
}

func attemptRemoval(b *bench) { _ = b.removeAll() }

var crashes = []crash{
	{"the first run", true, 1, attemptRun, (*bench).again},
	{"the first run, a server goes on", true, 2, attemptRun, serverGoesOn},
	{"the first run, files change", true, 2, attemptRun, func(b *bench) {
		changed(b)
		b.run()
	}},
	{"an incremental run", false, 1, changedRun, (*bench).again},
	{"an incremental run, a server goes on", false, 2, changedRun, serverGoesOn},
	{"an incremental run, all is as before", false, 2, changedRun, func(b *bench) {
		revert(b)
		b.run()
	}},
	{"an incremental run, then nothing is there", false, 2, changedRun, func(b *bench) {
		for _, name := range []string{"main.go", "c", "b", "README.md", "logo.bin"} {
			b.remove(name)
		}
		b.run()
	}},
	{"a full run", false, 2, func(b *bench) { b.attempt(true) }, (*bench).again},
	{"a removal, a run", false, 1, attemptRemoval, (*bench).again},
	{"a removal, a removal", false, 1, attemptRemoval, func(b *bench) {
		if err := b.removeAll(); err != nil && fault.CodeOf(err) != fault.RepoNotFound {
			b.Error(err)
		}
		if got := b.store.content(); len(got) > 0 {
			b.Errorf("left behind: %v", got)
		}
		b.run()
	}},
}

// revert makes the files what they were at first, with their times.
func revert(b *bench) {
	b.remove("c")
	for name, content := range tiny {
		b.write(name, content)
	}
	age(b)
}

// age gives all files the same time.
func age(b *bench) {
	b.Helper()
	for name := range tiny {
		file := filepath.Join(b.root, filepath.FromSlash(name))
		if err := os.Chtimes(file, someTime, someTime); err != nil {
			b.Fatal(err)
		}
	}
}

// Wherever a process dies, the next one makes what a clean build makes: no
// document is missing and none is left over.
func TestCrashes(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	for _, c := range crashes {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for steps, done := 0, false; !done; steps += c.every {
				inBubble(t, func(t *testing.T) { done = c.cut(t, steps) })
				if t.Failed() {
					t.Fatalf("cut after %d writes", steps)
				}
			}
		})
	}
}

// cut cuts the work short after so many writes, and reports whether it was done
// by then.
func (c crash) cut(t *testing.T, steps int) (done bool) {
	b := setUpServer(t, tiny, keeping)
	age(b)
	if !c.first {
		b.run()
	}
	b.node.order = newOrder(steps)
	b.node.steps = steps
	c.work(b)
	done = b.node.enter(t.Context()) == nil
	p := b.peer(keeping)
	c.repair(p)
	wantClean(t, p)
	return done
}

// wantClean wants the cluster to hold what a first run into an empty store
// makes, records and all.
func wantClean(t *testing.T, b *bench) { t.Helper(); wantCleanOf(t, b, 16) }

// wantCleanOf is wantClean for an embedder of that many dimensions.
func wantCleanOf(t *testing.T, b *bench, dims int) {
	t.Helper()
	clean := setUp(t, nil)
	clean.root, clean.clock = b.root, b.clock
	clean.with(clean.store, dims)
	clean.run()
	got := b.store.content()
	if key := "meta folders:" + string(repoID); got[key] == `{"dirs":null}` {
		delete(got, key) // of a repository without files any more
	}
	if diff := diffContent(clean.store.content(), got); diff != "" {
		t.Error("the index (+) is not what a clean build (-) makes:\n", diff)
	}
	b.wantFree()
}

// A second crash while the first is being repaired is as good as the first.
func TestCrashAfterCrash(t *testing.T) {
	for seed := range 20 {
		inBubble(t, func(t *testing.T) {
			r := newOrder(seed)
			b := setUpServer(t, tiny, keeping)
			b.run()
			p := b
			for range 3 {
				edit(p, r)
				changed(p)
				p.node.order, p.node.steps = r, r.IntN(40)
				work := []func(*bench){changedRun, attemptRemoval, func(b *bench) { b.attempt(true) }}
				work[r.IntN(len(work))](p)
				p = p.peer(keeping)
			}
			p.run()
			wantClean(t, p)
		})
	}
}

// A crash while the embedder is replaced leaves an index of the one or the
// other.
func TestCrashOfAnotherEmbedder(t *testing.T) {
	for _, dims := range []int{8, 16} {
		t.Run(fmt.Sprint(dims), func(t *testing.T) {
			for steps, done := 0, false; !done; steps += 2 {
				inBubble(t, func(t *testing.T) { done = replaceEmbedder(t, steps, dims) })
				if t.Failed() {
					t.Fatalf("cut after %d writes", steps)
				}
			}
		})
	}
}

// replaceEmbedder cuts a run with a new embedder short, and goes on with one of
// that many dimensions.
func replaceEmbedder(t *testing.T, steps, dims int) (done bool) {
	b := setUpServer(t, tiny, keeping)
	b.run()
	b.node = b.node.peer()
	b.node.order, b.node.steps = newOrder(steps), steps
	b.with(b.node, 8)
	b.attempt(true)
	done = b.node.enter(t.Context()) == nil
	b.node = b.node.peer()
	b.with(b.node, dims)
	full := records.CheckEmbedder(t.Context(), b.node, embedtest.New(dims).Manifest()) != nil
	if j := b.wait(b.start(full)); j.State != jobs.Done {
		t.Fatalf("the run ended %s: %v", j.State, *j.Error)
	}
	wantCleanOf(t, b, dims)
	return done
}

// with opens a service over a store with another embedder.
func (b *bench) with(st records.Store, dims int) {
	b.Helper()
	s, err := index.Open(b.Context(), st, embedtest.New(dims), index.Config{StoreContent: true, Now: b.clock})
	if err != nil {
		b.Fatal(err)
	}
	b.service = s
	b.Cleanup(func() { _ = s.Close() })
}

// Documents that no record tells of go with the first run.
func TestUnknownDocuments(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := setUpServer(t, tiny, keeping)
		ghost := models.Document{Header: models.Header{ID: "file:acme/api:ghost.go", Type: models.TypeFile, RepoID: repoID}}
		other := models.Document{Header: models.Header{ID: "file:other:x.go", Type: models.TypeFile, RepoID: "other"}}
		if err := b.store.Apply(t.Context(), models.Batch{Put: []models.Document{ghost, other}}); err != nil {
			t.Fatal(err)
		}
		b.run()
		all := b.store.all()
		if _, there := all[ghost.ID]; there {
			t.Error("the ghost is still there")
		}
		if _, there := all[other.ID]; !there {
			t.Error("a document of another repository is gone")
		}
	})
}

// A repository of which a part was deleted is never called fresh.
func TestRecoverAfterPurge(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := setUpServer(t, tiny, keeping)
		b.run()
		r := b.record()
		r.State = models.StateIndexing
		mark := map[string]any{"dirs": []string{"."}, "purge": true}
		if err := b.node.Apply(t.Context(), models.Batch{PutRecords: []models.Record{
			{Collection: models.CollectionRepos, Key: string(repoID), Value: r},
			{Collection: models.CollectionMeta, Key: "folders:" + string(repoID), Value: mark},
		}}); err != nil {
			t.Fatal(err)
		}
		p := b.peer(keeping)
		if r := p.record(); r.State != models.StateError {
			t.Errorf("record %+v", r)
		}
		p.run()
		wantClean(t, p)
	})
}
