package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
)

// TestGate asks for what four packages of this project declare, by the questions
// that make would make of them: names come first, and sentences are not found
// worse than by BM25 with fields.
func TestGate(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it indexes four packages; run without -short")
	}
	dir := t.TempDir()
	root := filepath.Join(dir, "src", "gate")
	var declared []declaration
	for _, pkg := range []string{"fts", "query", "filter", "embed"} {
		of, err := strip(filepath.Join("..", "..", "internal", pkg), filepath.Join(root, pkg))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range of {
			d.path = pkg + "/" + d.path
			declared = append(declared, d)
		}
	}
	qs := tell(source{name: "gate", language: "Go"}, slices.Concat(sentences(declared), names(declared)))
	indexGate(t, filepath.Join(dir, "data"), root)
	results, err := options{set: dir, data: filepath.Join(dir, "data"), systems: "hybrid,bm25f"}.measure(t.Context(), qs,
		io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	of := func(system string, tasks ...string) figures {
		var list []figures
		for i, q := range qs {
			if slices.Contains(tasks, q.Task) {
				list = append(list, results.figures[system][i])
			}
		}
		return mean(list)
	}
	if f := of(ours, "exact", "case"); f.First < 0.97 {
		t.Errorf("names are first in %.3f of all cases, want .97", f.First)
	}
	if f := of(ours, "misspelt"); f.First < 0.8 {
		t.Errorf("misspelt names are first in %.3f of all cases, want .8", f.First)
	}
	if ours, fields := of(ours, "sentence"), of("bm25f", "sentence"); ours.NDCG < fields.NDCG {
		t.Errorf("NDCG@10 of sentences is %.3f, and %.3f by BM25 with fields", ours.NDCG, fields.NDCG)
	}
	if t.Failed() {
		report(os.Stdout, qs, results)
	}
}

func indexGate(t *testing.T, data, root string) {
	t.Helper()
	c, err := config.Resolve(map[string]string{"store": "embedded:" + data}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(t.Context(), c, app.Tool)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: []string{root}, RepoID: "gate"})
	if err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for job := resp.Items[0]; job.State != index.JobDone; job = resp.Items[0] {
		<-tick.C
		if resp, err = op.Job.By(t.Context(), a, index.JobRequest{ID: job.ID}); err != nil || job.State.Final() {
			t.Fatalf("the job ended %s: %v", job.State, err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}
