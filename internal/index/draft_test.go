package index_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// setUpDrafting is setUp over a store that keeps drafts.
func setUpDrafting(t *testing.T, files map[string]string) *bench {
	t.Helper()
	b := setUp(t, files)
	b.drafts = newDrafting(b.store)
	b.open(index.Config{})
	return b
}

// wide writes files of ten functions each: some 15 or 30 of them fill a batch.
func wide(b *bench, version int) {
	b.Helper()
	for i := range 100 {
		var text strings.Builder
		fmt.Fprintf(&text, "package wide\n\n// Version %d.\n", version)
		for n := range 10 {
			fmt.Fprintf(&text, "\nfunc F%dV%d() {}\n", n, version)
		}
		b.write(fmt.Sprintf("wide/f%02d.go", i), text.String())
	}
}

// after calls do before batch number n of drafts from now on, and has it come
// to that batch.
func (d *drafting) after(n int, do func() error) {
	d.appending = func(models.Batch) error {
		if n--; n >= 0 {
			return nil
		}
		return do()
	}
}

// A run of few changes is one batch: files, summaries and the repository's record.
func TestSmallSwap(t *testing.T) {
	b := setUpDrafting(t, small)
	b.run()
	before := b.store.batches()
	b.write("main.go", "package main\n\nfunc other() {}\n")
	b.remove("server/deep")
	if j := b.run(); j.Changed != 1 || j.Removed != 1 {
		t.Errorf("job %+v", j)
	}
	if n := b.store.batches() - before; n != 1 {
		t.Errorf("%d batches, want 1", n)
	}
	if len(b.drafts.appended) != 0 {
		t.Errorf("a draft for %v", b.drafts.appended)
	}
	sameAsClean(t, b)
}

// A run of many changes is seen at its end only.
func TestLargeSwap(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	t.Parallel()
	b := setUpDrafting(t, small)
	wide(b, 1)
	b.run()
	before := b.store.content()
	wide(b, 2)
	batches := 0
	b.drafts.appending = func(models.Batch) error {
		if batches++; !cmp.Equal(before, b.store.content()) {
			return errors.New("readers see something new")
		}
		return nil
	}
	b.run()
	if batches < 4 || b.drafts.published != 1 {
		t.Errorf("%d batches, %d publications", batches, b.drafts.published)
	}
	sameAsClean(t, b)
}

// A run that is cancelled leaves the index as it was and says so; the next one
// does none of it again.
func TestCancelledSwap(t *testing.T) {
	t.Parallel()
	b := setUpDrafting(t, nil)
	wide(b, 1)
	b.run()
	docs, record := b.store.all(), b.record()
	wide(b, 2)
	var j jobs.Job
	started := make(chan struct{})
	b.drafts.after(2, func() error {
		<-started
		impatient, stop := context.WithCancel(t.Context())
		stop()
		_, err := b.service.Cancel(impatient, index.JobRequest{ID: j.ID})
		return err
	})
	j = b.start(false)
	close(started)
	if j = b.wait(j); j.State != jobs.Cancelled {
		t.Fatalf("job %+v", j)
	}
	if diff := cmp.Diff(docs, b.store.all()); diff != "" {
		t.Fatal("the documents changed")
	}
	record.LastError = b.record().LastError
	if diff := cmp.Diff(record, b.record()); diff != "" || !strings.Contains(record.LastError, "as it was before") {
		t.Errorf("%q\n%s", record.LastError, diff)
	}
	b.drafts.appending = nil
	waiting := b.drafts.waiting()
	if b.run(); waiting < 2 {
		t.Fatalf("only %d batches in the draft", waiting)
	}
	sameAsClean(t, b)
	for name, n := range b.drafts.appended {
		if n != 1 {
			t.Errorf("%s was made %d times", name, n)
		}
	}
}

// A run that is cancelled while its draft is published comes to its end.
func TestCancelledPublication(t *testing.T) {
	t.Parallel()
	b := setUpDrafting(t, nil)
	wide(b, 1)
	b.run()
	wide(b, 2)
	var j jobs.Job
	started := make(chan struct{})
	b.drafts.sealed = func() {
		<-started
		impatient, stop := context.WithCancel(t.Context())
		stop()
		res, err := b.service.Cancel(impatient, index.JobRequest{ID: j.ID})
		if err != nil {
			t.Error(err)
		} else if said := res.Meta.Message; said == nil || !strings.Contains(*said, "not stopped yet") {
			t.Errorf("message %v", said)
		}
	}
	j = b.start(false)
	close(started)
	if j = b.wait(j); j.State != jobs.Done {
		t.Errorf("job %+v", j)
	}
	sameAsClean(t, b)
	if res, err := b.service.Cancel(t.Context(), index.JobRequest{ID: j.ID}); err != nil || res.Meta.Message == nil ||
		!strings.Contains(*res.Meta.Message, "ended already, as done") {
		t.Errorf("when it has ended: %+v, %v", res, err)
	}
}

// Killed after any batch, with files that change meanwhile or don't, the index
// is that of before, and the next run makes that of a clean build.
func TestKilledSwap(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	for _, c := range []struct {
		name     string
		full     bool
		at       int // batch of the draft
		more     int // files that change before the next run
		nextFull bool
		again    int // files at most that are made again, besides
	}{
		{"at once", false, 0, 0, false, 0},
		{"early", false, 1, 0, false, 0},
		{"late", false, 3, 0, false, 0},
		{"late, files change", false, 3, 20, false, 20},
		{"full", true, 2, 0, true, 0},
		{"full, files change", true, 2, 10, true, 10},
		{"full, then not", true, 2, 0, false, 0},
		{"not full, then full", false, 3, 0, true, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := setUpDrafting(t, small)
			wide(b, 1)
			b.run()
			before := b.store.content()
			wide(b, 2)
			b.remove("server")
			b.drafts.after(c.at, func() error { b.drafts.die(true); return errDead })
			if j := b.wait(b.start(c.full)); j.State != jobs.Failed {
				t.Fatalf("job %+v", j)
			}
			if diff := diffContent(before, b.store.content()); diff != "" {
				t.Fatal("the old index is not as it was:\n", diff)
			}
			b.drafts.die(false)
			b.drafts.appending = nil
			b.open(index.Config{})
			rng := rand.New(rand.NewPCG(1, 1))
			for range c.more {
				b.write(fmt.Sprintf("wide/f%02d.go", rng.IntN(60)), fmt.Sprintf("package wide\n\nfunc G%d() {}\n", rng.IntN(100)))
			}
			if j := b.wait(b.start(c.nextFull)); j.State != jobs.Done {
				t.Fatalf("job %+v", j)
			}
			sameAsClean(t, b)
			again := 0
			for _, n := range b.drafts.appended {
				again += n - 1
			}
			if again > c.again {
				t.Errorf("%d files were made again, want at most %d", again, c.again)
			}
			if n := b.drafts.waiting(); n != 0 {
				t.Errorf("%d batches are left in the draft", n)
			}
		})
	}
}

// Cancelled before all records are read, a run leaves the repository's record as
// it was, counts and all.
func TestCancelledWhileReadingRecords(t *testing.T) {
	b := setUpDrafting(t, small)
	b.run()
	before := b.record()
	var j jobs.Job
	started := make(chan struct{})
	b.drafts.reading = func() error {
		<-started
		impatient, stop := context.WithCancel(t.Context())
		stop()
		_, err := b.service.Cancel(impatient, index.JobRequest{ID: j.ID})
		return errors.Join(err, context.Canceled)
	}
	b.write("main.go", "package main\n")
	j = b.start(false)
	close(started)
	if j = b.wait(j); j.State != jobs.Cancelled || j.Documents != before.DocCount {
		t.Errorf("job %+v", j)
	}
	if diff := cmp.Diff(before, b.record()); diff != "" {
		t.Error(diff)
	}
}

// Cut off when all is in the draft, with the summaries and the repository's
// record, a run has the next one publish it, with what has changed since.
func TestCutOffBeforePublication(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	for name, c := range map[string]struct {
		cancel, change bool
	}{
		"killed": {}, "cancelled": {cancel: true}, "killed, a file changes": {change: true},
		"cancelled, a file changes": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setUpDrafting(t, small)
			wide(b, 1)
			b.run()
			before := b.store.all()
			wide(b, 2)
			b.remove("server/deep")
			var j jobs.Job
			started := make(chan struct{})
			b.drafts.sealing = func() {
				<-started
				if !c.cancel {
					b.drafts.die(true)
					return
				}
				impatient, stop := context.WithCancel(t.Context())
				stop()
				if _, err := b.service.Cancel(impatient, index.JobRequest{ID: j.ID}); err != nil {
					t.Error(err)
				}
			}
			j = b.start(false)
			close(started)
			if j = b.wait(j); (j.State == jobs.Cancelled) != c.cancel || j.State == jobs.Done {
				t.Fatalf("job %+v", j)
			}
			if !cmp.Equal(before, b.store.all()) {
				t.Fatal("the documents changed")
			}
			b.drafts.die(false)
			b.drafts.sealing = nil
			made := len(b.drafts.appended)
			b.open(index.Config{})
			if c.change {
				b.write("wide/f07.go", "package wide\n")
				b.write("new/new.go", "package fresh\n")
			}
			b.run()
			sameAsClean(t, b)
			if n := len(b.drafts.appended); n-made > 1 {
				t.Errorf("%d files were made again", n-made)
			}
			if r := b.record(); r.LastError != "" {
				t.Errorf("record %+v", r)
			}
		})
	}
}

// A draft that was made with something else doesn't count.
func TestForeignDraft(t *testing.T) {
	b := setUpDrafting(t, small)
	b.run()
	rec := b.file("main.go")
	rec.Documents = append(rec.Documents, "ghost")
	if err := b.drafts.AppendDraft(t.Context(), repoID, `{"schema":1}`, models.Batch{PutRecords: []models.Record{
		{Collection: models.FilesCollection(repoID), Key: "main.go", Value: rec},
	}}); err != nil {
		t.Fatal(err)
	}
	b.run()
	if n := b.drafts.waiting(); n != 0 {
		t.Errorf("%d batches are left", n)
	}
	sameAsClean(t, b)
}

// After any edits, kills and removals a drafting store has what a clean build makes.
func TestSwapsAreClean(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and nothing in it runs side by side")
	}
	t.Parallel()
	b := setUpDrafting(t, small)
	wide(b, 0)
	b.run()
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 6 {
		if r.IntN(3) == 0 {
			wide(b, i)
		}
		for range 1 + r.IntN(4) {
			edit(b, r)
		}
		at := r.IntN(6)
		b.drafts.after(at, func() error { b.drafts.die(true); return errDead })
		b.wait(b.start(r.IntN(4) == 0))
		b.drafts.die(false)
		b.drafts.appending = nil
		b.open(index.Config{})
		if r.IntN(2) == 0 {
			edit(b, r)
		}
		b.run()
		sameAsClean(t, b)
	}
}
