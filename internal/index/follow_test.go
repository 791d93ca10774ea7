package index_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/embed/openai"
	"github.com/ragnav/ragnav/internal/embed/openai/openaitest"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// served is a bench whose vectors come from a server of four texts a request.
func served(t *testing.T, files map[string]string) (*bench, *openaitest.Server) {
	t.Helper()
	s := openaitest.New(t, 16)
	b := setUp(t, files)
	b.embedder = openai.New(openai.Options{
		URL: s.URL, Model: "m", Dims: 16, Batch: 4, Concurrency: 1,
		Timeout: time.Second,
	})
	b.open(index.Config{})
	return b, s
}

// dying makes a server refuse every request after the first n, for good.
func dying(s *openaitest.Server, n int) {
	var seen atomic.Int64
	s.Fail(func(w http.ResponseWriter, _ openaitest.Request) bool {
		if seen.Add(1) <= int64(n) {
			return false
		}
		openaitest.Refuse(w, http.StatusUnauthorized, "the key has expired") // what is not tried again
		return true
	})
}

// withVectors are the documents of a store that have a vector, and those that lack one.
func withVectors(b *bench) (with, without []models.DocumentID) {
	for _, id := range b.ids() {
		if d := b.store.all()[id]; d.EmbeddingKey == (models.EmbeddingKey{}) && d.Type != models.TypeFile {
			without = append(without, id)
		} else if d.Embedding != nil {
			with = append(with, id)
		}
	}
	return with, without
}

// wantLike wants the store to hold what a run with a server in good health makes.
func wantLike(t *testing.T, b *bench) {
	t.Helper()
	clean, _ := served(t, nil)
	clean.root, clean.clock = b.root, b.clock
	clean.run()
	if diff := diffContent(clean.store.content(), b.store.content()); diff != "" {
		t.Error("the index (+) is not what a clean build (-) makes:\n", diff)
	}
	want, none := withVectors(clean)
	got, missing := withVectors(b)
	if diff := cmp.Diff(want, got); diff != "" || len(none)+len(missing) > 0 {
		t.Errorf("documents with a vector (-want +got); %d have none:\n%s", len(missing), diff)
	}
}

// Whenever the embedder dies in a run, the index is complete in words, says what
// is missing and why, and the next run makes that and nothing twice.
func TestEmbedderDies(t *testing.T) {
	for n, done := 0, false; !done; n++ {
		b, s := served(t, small)
		dying(s, n)
		j := b.run()
		done = j.Pending == 0
		if rec := b.record(); rec.State != models.StateFresh || rec.LastError != "" || rec.Pending != j.Pending ||
			(rec.PendingReason == "") != done {
			t.Errorf("after %d requests: %+v", n, rec)
		}
		with, without := withVectors(b)
		if len(without) != j.Pending || n == 0 && (len(with) > 0 || !strings.Contains(j.PendingReason, "refuses the key")) {
			t.Errorf("after %d requests: %d documents with a vector, %d without, the job says %d: %s", n, len(with),
				len(without), j.Pending, j.PendingReason)
		}
		cover, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID})
		if err != nil || cover.Pending != j.Pending || (len(cover.Meta.Warnings) == 0) != done {
			t.Errorf("after %d requests: coverage says %d, %v, %v", n, cover.Pending, cover.Meta.Warnings, err)
		}
		s.Fail(nil)
		before := len(s.Texts())
		if j = b.run(); j.Pending != 0 {
			t.Errorf("after %d requests: the next run leaves %d", n, j.Pending)
		}
		if again := len(s.Texts()) - before; again > len(without) {
			t.Errorf("after %d requests: %d texts are embedded for %d documents", n, again, len(without))
		}
		wantLike(t, b)
		if t.Failed() || n > 50 {
			t.Fatalf("dead after %d requests", n)
		}
	}
}

// Wherever a process dies while vectors follow, the next one goes on.
func TestProcessDiesWhileVectorsFollow(t *testing.T) {
	for n, done := 2, false; !done; n++ { // 2: registered, and begun
		b, _ := served(t, small)
		applied := 0
		b.store.before = func(models.Batch) error {
			if applied++; applied > n {
				return errors.New("the process is gone")
			}
			return nil
		}
		done = b.wait(b.start(false)).State == jobs.Done
		b.store.before = nil
		b.open(index.Config{})
		if j := b.run(); j.Pending != 0 {
			t.Errorf("after %d batches: %d documents wait", n, j.Pending)
		}
		wantLike(t, b)
		if t.Failed() || n > 50 {
			t.Fatalf("dead after %d batches", n)
		}
	}
}

// An edit of one function asks for its vector only, also when the embedder is
// away meanwhile.
func TestEditWhileTheEmbedderIsAway(t *testing.T) {
	b, s := served(t, nil)
	b.write("lib.go", library(1, "One", "Two", "Three"))
	b.run()
	dying(s, 0)
	b.write("lib.go", library(1, "One", "Two")+function("Three", 3))
	if j := b.run(); j.Pending == 0 || j.Pending > 3 { // the function, its folder and the repository
		t.Errorf("%d documents wait", j.Pending)
	}
	s.Fail(nil)
	before := len(s.Texts())
	b.run()
	if asked := s.Texts()[before:]; len(asked) > 3 || !strings.Contains(strings.Join(asked, ""), "Three does number 3") {
		t.Errorf("asked for %q", asked)
	}
	wantLike(t, b)
}

// A file that changes while vectors are made keeps its documents until the next run.
func TestFileChangesBeforeItsVectors(t *testing.T) {
	b, s := served(t, nil)
	for i := range 30 { // more than are looked into at once
		b.write(fmt.Sprintf("%02d.go", i), library(1, fmt.Sprintf("F%d", i)))
	}
	s.Fail(func(http.ResponseWriter, openaitest.Request) bool {
		b.write("29.go", library(2, "Other"))
		return false
	})
	j := b.run()
	rec := b.file("29.go")
	if j.Pending == 0 || rec.Pending != j.Pending || !strings.Contains(fmt.Sprint(rec.Documents), "F29") ||
		j.PendingReason == "" {
		t.Errorf("%+v, %+v", j, rec)
	}
	s.Fail(nil)
	b.run()
	wantLike(t, b)
}

// A text that the embedder refuses is said, and keeps no other from its vector.
func TestRefusedText(t *testing.T) {
	b, s := served(t, nil)
	b.write("lib.go", library(1, "One", "Two", "Poison", "Three"))
	s.Fail(func(w http.ResponseWriter, r openaitest.Request) bool {
		if !strings.Contains(strings.Join(r.Input, ""), "Poison does") {
			return false
		}
		openaitest.Refuse(w, http.StatusBadRequest, "can't be tokenised")
		return true
	})
	j := b.run()
	_, without := withVectors(b)
	want := []models.DocumentID{"symbol:acme/api:lib.go:Poison"}
	if diff := cmp.Diff(want, without); diff != "" || j.Pending != 1 ||
		!strings.Contains(j.PendingReason, "can't be tokenised") {
		t.Errorf("%+v (-want +got):\n%s", j, diff)
	}
	s.Fail(nil)
	b.run()
	wantLike(t, b)
}

// A search that looks at changed files does not wait for the embedder.
func TestLiveFilesDontWait(t *testing.T) {
	b, s := served(t, small)
	b.run()
	before := len(s.Requests())
	b.write("main.go", library(7, "Seven"))
	tree, err := disk.Open(t.Context(), b.root)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Close() }()
	made, err := b.service.Compose(t.Context(), tree, b.record(), []string{"main.go"})
	if err != nil || len(made) != 1 || len(made[0].Documents) < 2 || len(s.Requests()) != before {
		t.Errorf("%+v, %v, %d requests", made, err, len(s.Requests())-before)
	}
}

// A server goes on by itself once its embedder is back.
func TestVectorsAreCaughtUpWith(t *testing.T) {
	b, s := served(t, small)
	dying(s, 3)
	if j := b.run(); j.Pending == 0 {
		t.Fatal("nothing waits")
	}
	b.open(index.Config{GoOn: time.Millisecond})
	s.Fail(nil)
	deadline := time.Now().Add(time.Minute)
	for b.record().Pending > 0 {
		if time.Now().After(deadline) {
			t.Fatal("nobody goes on")
		}
		time.Sleep(time.Millisecond)
	}
	b.close()
	b.open(index.Config{})
	wantLike(t, b)
}

// A local embedder that fails is a failed run, as before.
func TestLocalEmbedderFails(t *testing.T) {
	b := setUp(t, small)
	b.embedder = failing{embedtest.New(16)}
	b.open(index.Config{})
	if j := b.wait(b.start(false)); j.State != jobs.Failed {
		t.Errorf("the run ended %s", j.State)
	}
}

type failing struct{ vectors.Embedder }

func (failing) Documents(context.Context, []embed.Input) ([][]float32, error) {
	return nil, fault.New(fault.EmbedderUnavailable, "no vectors today")
}
