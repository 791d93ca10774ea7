package index_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestFirstRun(t *testing.T) {
	b := setUp(t, small)
	j := b.run()
	want := jobs.Job{
		ID: j.ID, RepoID: repoID, Target: b.root, State: jobs.Done,
		Total: 9, Done: 9, Changed: 6, Skipped: 3, Documents: len(b.ids()),
	}
	if diff := cmp.Diff(want, j,
		cmpopts.IgnoreFields(jobs.Job{}, "Rate", "ETASeconds", "StartedAt", "FinishedAt", "Covered", "Embedded",
			"Reused")); diff != "" {
		t.Error(diff)
	}
	r := b.record()
	if r.State != models.StateFresh || r.FileCount != 6 || r.SkippedCount != 3 || r.DocCount != len(b.ids()) ||
		r.LastError != "" {
		t.Errorf("record %+v", r)
	}
	if diff := cmp.Diff([]string{"Go", "Python"}, r.Languages); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]models.SkipReason{
		"logo.bin": models.SkipBinary, ".env": models.SkipSecret,
		"server/empty.go": models.SkipEmpty,
	} {
		if got := b.file(name).Skipped; got != want {
			t.Errorf("%s skipped as %q, want %q", name, got, want)
		}
	}
}

func TestHierarchy(t *testing.T) {
	b := setUp(t, small)
	b.run()
	docs := b.store.all()
	for id, d := range docs {
		if d.ParentID == "" && d.Type != models.TypeRepo {
			t.Errorf("%s has no parent", id)
		}
		if _, ok := docs[d.ParentID]; !ok && d.ParentID != "" {
			t.Errorf("the parent of %s is missing: %s", id, d.ParentID)
		}
		for _, child := range d.ChildrenIDs {
			if c, ok := docs[child]; !ok || c.ParentID != id {
				t.Errorf("%s is a child of %s, its parent is %q", child, id, c.ParentID)
			}
		}
		if (d.Embedding == nil) != (d.Type == models.TypeFile) {
			t.Errorf("%s has a vector: %v", id, d.Embedding != nil)
		}
		if d.Content == "" || d.Text == "" || d.ContentHash == "" || d.SummarySource == "" {
			t.Errorf("%s lacks content: %+v", id, d)
		}
	}
}

func TestSecondRun(t *testing.T) {
	b := setUp(t, small)
	b.run()
	before, batches := b.store.all(), b.store.batches()
	j := b.run()
	if j.Changed != 0 || j.Removed != 0 || j.Done != 9 || j.Skipped != 3 {
		t.Errorf("job %+v", j)
	}
	if got := b.store.batches() - batches; got != 1 {
		t.Errorf("%d batches, want only the repository's record", got)
	}
	if diff := cmp.Diff(before, b.store.all()); diff != "" {
		t.Error(diff)
	}
}

func TestChangedAndRemovedFiles(t *testing.T) {
	b := setUp(t, small)
	b.run()
	b.write("server/server.go", "package server\n\nfunc New() {}\n")
	b.remove("server/deep")
	j := b.run()
	if j.Changed != 1 || j.Removed != 1 {
		t.Errorf("job %+v", j)
	}
	for _, id := range b.ids() {
		if strings.Contains(string(id), "deep") || strings.Contains(string(id), "Server") {
			t.Errorf("a ghost: %s", id)
		}
	}
	if r := b.record(); r.DocCount != len(b.ids()) {
		t.Errorf("%d documents counted, there are %d", r.DocCount, len(b.ids()))
	}
}

func TestTouchedFile(t *testing.T) {
	b := setUp(t, small)
	b.run()
	before := b.store.all()
	later := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(b.root, "main.go"), later, later); err != nil {
		t.Fatal(err)
	}
	if j := b.run(); j.Changed != 0 {
		t.Errorf("job %+v", j)
	}
	if got := b.file("main.go").ModTime; got != later.UnixNano() {
		t.Errorf("the record has time %d, want %d", got, later.UnixNano())
	}
	if diff := cmp.Diff(before, b.store.all()); diff != "" {
		t.Error(diff)
	}
}

// A file may change twice within the resolution of its time.
func TestRacyFile(t *testing.T) {
	b := setUp(t, map[string]string{"a.go": "package a\n\nfunc One() {}\n"})
	file := filepath.Join(b.root, "a.go")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	b.clock = func() time.Time { return info.ModTime().Add(time.Second) }
	b.run()
	if !b.file("a.go").Racy {
		t.Error("the file was written a second before it was read and is not marked")
	}
	b.write("a.go", "package a\n\nfunc Two() {}\n")
	if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	b.clock = func() time.Time { return info.ModTime().Add(time.Hour) }
	if j := b.run(); j.Changed != 1 {
		t.Errorf("a change with the same size and time was missed: %+v", j)
	}
	if b.file("a.go").Racy {
		t.Error("the file was old enough when it was read again")
	}
}

func TestEmptyRepository(t *testing.T) {
	b := setUp(t, nil)
	if j := b.run(); j.Total != 0 || j.Documents != 0 {
		t.Errorf("job %+v", j)
	}
	if r := b.record(); r.State != models.StateFresh {
		t.Errorf("record %+v", r)
	}
	b.write("a.go", "package a\n")
	b.run()
	b.remove("a.go")
	b.run()
	if got := b.ids(); len(got) != 0 {
		t.Errorf("ghosts: %v", got)
	}
}

func TestFullRun(t *testing.T) {
	b := setUp(t, small)
	b.run()
	before := b.store.all()
	b.clock = func() time.Time { return time.Now().Add(2 * time.Hour) }
	if j := b.wait(b.start(true)); j.Changed != 6 {
		t.Errorf("job %+v", j)
	}
	if diff := cmp.Diff(before, b.store.all(), cmpopts.IgnoreFields(models.Document{}, "Updated")); diff != "" {
		t.Error(diff)
	}
	for id, d := range b.store.all() {
		if !d.Updated.After(before[id].Updated) {
			t.Errorf("%s was not made again", id)
		}
	}
}

func TestCancelledFirstRun(t *testing.T) {
	b := setUp(t, small)
	many(b, 200)
	var once sync.Once
	committed, proceed := make(chan struct{}), make(chan struct{})
	b.store.before = func(batch models.Batch) error {
		if b.store.batches() >= 3 { // registered, begun, one batch of files
			once.Do(func() { close(committed); <-proceed })
		}
		return nil
	}
	j := b.start(false)
	<-committed
	impatient, stop := context.WithCancel(t.Context())
	stop() // Cancel asks the job to stop and does not wait
	if _, err := b.service.Cancel(impatient, index.JobRequest{ID: j.ID}); err != nil {
		t.Fatal(err)
	}
	close(proceed)
	if j = b.wait(j); j.State != jobs.Cancelled || j.Error == nil {
		t.Fatalf("job %+v", j)
	}
	r := b.record()
	if r.State != models.StateFresh || !strings.Contains(r.LastError, "cancelled") || r.DocCount == 0 ||
		r.Interrupted != 0 ||
		r.DocCount != len(b.ids()) {
		t.Errorf("record %+v of %d documents", r, len(b.ids()))
	}
	kept := len(b.ids())
	b.store.before = nil
	j = b.run()
	if j.Changed == 0 || j.Renewed || j.Changed >= 200 || b.record().LastError != "" {
		t.Errorf("after %d documents the next run was %+v", kept, j)
	}
	sameAsClean(t, b)
}

// many writes n small files.
func many(b *bench, n int) {
	for i := range n {
		name := string(rune('a'+i%26)) + "/" + strings.Repeat("x", i/260) + string(rune('a'+i/26%10))
		b.write("many/"+name+".go", "package many\n\n// F is "+name+".\nfunc F() {}\n")
	}
}

func TestFailedRunKeepsTheOldIndex(t *testing.T) {
	b := setUp(t, small)
	b.run()
	before := b.ids()
	b.write("main.go", "package main\n\nfunc other() {}\n")
	b.store.before = func(batch models.Batch) error {
		if len(batch.Put) > 0 {
			return errors.New("write text: no space left on device")
		}
		return nil
	}
	j := b.wait(b.start(false))
	if j.State != jobs.Failed || !strings.Contains(*j.Error, "no space left") {
		t.Errorf("job %+v", j)
	}
	said := regexp.MustCompile(`^the last run failed after \d+ of \d+ files: .*no space left`)
	if r := b.record(); r.State != models.StateFresh || !said.MatchString(r.LastError) {
		t.Errorf("record %+v", r)
	}
	if diff := cmp.Diff(before, b.ids()); diff != "" {
		t.Error(diff)
	}
	b.store.before = nil
	b.run()
	sameAsClean(t, b)
}

func TestInterruptedRuns(t *testing.T) {
	b := setUp(t, small)
	dead := errors.New("killed")
	b.store.before = func(models.Batch) error {
		if b.store.batches() >= 3 {
			return dead // nothing reaches the disk any more
		}
		return nil
	}
	b.wait(b.start(false))
	if r := b.record(); r.State != models.StateIndexing {
		t.Fatalf("record %+v", r)
	}
	b.store.before = nil
	b.open(index.Config{})
	r := b.record()
	if r.State != models.StateFresh || !strings.Contains(r.LastError, "interrupted") || r.DocCount != len(b.ids()) {
		t.Errorf("record %+v of %d documents", r, len(b.ids()))
	}
	if ids, err := b.service.Interrupted(t.Context()); err != nil || !slices.Equal(ids, []models.RepoID{r.RepoID}) {
		t.Errorf("%v may be taken up: %v", ids, err)
	}
	b.run()
	sameAsClean(t, b)
	if ids, err := b.service.Interrupted(t.Context()); err != nil || len(ids) > 0 {
		t.Errorf("%v may be taken up after the run: %v", ids, err)
	}
}

// What ends its process each time is not started for ever.
func TestInterruptedThrice(t *testing.T) {
	b := setUp(t, small)
	for n := range 4 {
		b.store.before = func(batch models.Batch) error {
			if len(batch.Put) > 0 {
				return errors.New("killed")
			}
			for _, r := range batch.PutRecords {
				if known, ok := r.Value.(models.Repository); ok && known.LastError != "" {
					return errors.New("killed")
				}
			}
			return nil
		}
		b.wait(b.start(false))
		b.store.before = nil
		b.open(index.Config{})
		ids, err := b.service.Interrupted(t.Context())
		if want := n < 2; err != nil || (len(ids) == 1) != want {
			t.Errorf("after %d: %v may be taken up: %v", n+1, ids, err)
		}
	}
}

func TestMissingRoot(t *testing.T) {
	b := setUp(t, small)
	b.run()
	before := b.ids()
	moved := b.root + ".moved"
	if err := os.Rename(b.root, moved); err != nil {
		t.Fatal(err)
	}
	_, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{b.root}})
	if fault.CodeOf(err) != fault.PathNotFound {
		t.Errorf("got %v", err)
	}
	if err := os.Rename(moved, b.root); err != nil {
		t.Fatal(err)
	}
	clock := b.clock
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "other.go"), []byte("package other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, goes := range map[string]func(){
		"it is gone":                      func() {},
		"a symlink to elsewhere is there": func() { _ = os.Symlink(outside, b.root) },
	} {
		// It is first asked when the job leaves the queue: the folder goes after it was admitted.
		b.clock = sync.OnceValue(func() time.Time {
			if err := os.Rename(b.root, moved); err != nil {
				t.Error(err)
			}
			goes()
			return clock()
		})
		if j := b.wait(b.start(false)); j.State != jobs.Failed || !strings.Contains(*j.Error, "ragnav remove") {
			t.Errorf("%s: job %+v", name, j)
		}
		if r := b.record(); r.State != models.StateFresh || !strings.Contains(r.LastError, "is gone") {
			t.Errorf("%s: record %+v", name, r)
		}
		if diff := cmp.Diff(before, b.ids()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		_ = os.Remove(b.root) // the symlink, if it is there
		if err := os.Rename(moved, b.root); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFileGoneAfterListing(t *testing.T) {
	b := setUp(t, small)
	b.write("latin1.go", "package latin1\n\n// Caf\xe9 is French.\nfunc Cafe() {}\n")
	listing := false
	b.store.before = func(batch models.Batch) error {
		for _, r := range batch.PutRecords {
			if known, ok := r.Value.(models.Repository); ok && known.State == models.StateIndexing {
				listing = true // and its end is the next time that the clock is asked
			}
		}
		return nil
	}
	clock := b.clock
	b.clock = func() time.Time {
		if listing {
			listing = false
			b.remove("main.go")
		}
		return clock()
	}
	b.run()
	if rec := b.file("main.go"); rec.Skipped != models.SkipUnreadable || rec.Detail == "" {
		t.Errorf("record %+v", rec)
	}
	if rec := b.file("latin1.go"); rec.Skipped != "" || len(rec.Documents) != 2 {
		t.Errorf("invalid UTF-8 must not hide a file: %+v", rec)
	}
	b.run()
	sameAsClean(t, b)
}

func TestCoveredIsWhatCoverageCounts(t *testing.T) {
	b := setUp(t, small)
	for range 2 { // the second run finds nothing to do
		j := b.run()
		reply, err := b.service.Coverage(t.Context(), index.CoverageRequest{RepoID: repoID})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&jobs.Covered{Indexed: reply.Indexed, Skipped: reply.Skipped}, j.Covered); diff != "" {
			t.Errorf("(-coverage +job):\n%s", diff)
		}
	}
}
