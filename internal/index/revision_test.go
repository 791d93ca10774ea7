package index_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// newer is a later version of this program.
func newer() index.Config { return index.AtRevision(index.Config{}, "newer") }

// leak puts a credential into what is stored, as rules that did not know its
// form would have.
func leak(b *bench) {
	b.Helper()
	b.store.mu.Lock()
	defer b.store.mu.Unlock()
	for id, d := range b.store.docs {
		d.Content += " a credential"
		b.store.docs[id] = d
	}
}

// leaks are the documents that still have it.
func (b *bench) leaks() []models.DocumentID {
	ids := []models.DocumentID{}
	for id, d := range b.store.all() {
		if strings.Contains(d.Content, "a credential") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// A version that reads files otherwise makes all documents again with its first
// run, summaries included, and no embedding; its second run has nothing to do.
func TestNewRevision(t *testing.T) {
	for _, kind := range []string{"drafts", "no drafts"} {
		t.Run(kind, func(t *testing.T) {
			b := setUp(t, small)
			if kind == "drafts" {
				b = setUpDrafting(t, small)
			}
			b.run()
			leak(b)
			if j := b.run(); j.Changed != 0 || j.Renewed {
				t.Errorf("the same version: job %+v", j)
			}
			b.open(newer())
			dry := b.preview(index.StartRequest{}).Repositories[0]
			if !dry.Renewed || dry.Changed != 6 || dry.Tokens != 0 {
				t.Errorf("preview %+v, want all 6 files to be renewed and nothing to be embedded", dry)
			}
			if j := b.run(); !j.Renewed || j.Changed != 6 || j.Removed != 0 || j.Embedded != 0 || j.Reused == 0 {
				t.Errorf("the newer version: job %+v", j)
			}
			if left := b.leaks(); len(left) > 0 {
				t.Errorf("not renewed: %q", left)
			}
			if got := b.record().Revision; got != "newer" {
				t.Errorf("the index has revision %q", got)
			}
			before := b.store.batches()
			if dry := b.preview(index.StartRequest{}).Repositories[0]; dry.Renewed || dry.Changed != 0 {
				t.Errorf("preview of nothing to do: %+v", dry)
			}
			if j := b.run(); j.Renewed || j.Changed != 0 || b.store.batches()-before != 1 {
				t.Errorf("%d batches, job %+v; want nothing to do but the repository's record", b.store.batches()-before, j)
			}
		})
	}
}

// The index of a version that had no revisions, nor keys of embeddings, is
// renewed once.
func TestIndexWithoutRevision(t *testing.T) {
	b := setUp(t, small)
	first := b.run()
	b.store.mu.Lock()
	clear(b.store.embeddings)
	for id, value := range b.store.records {
		if current := b.revisionIn(value); current != "" && id.Collection != models.CollectionMeta {
			b.store.records[id] = []byte(strings.Replace(string(value), `,"revision":"`+current+`"`, "", 1))
		}
	}
	b.store.mu.Unlock()
	if got := b.record().Revision + b.file("main.go").Revision; got != "" {
		t.Fatalf("revision %q is left", got)
	}
	if j := b.run(); !j.Renewed || j.Changed != first.Changed || j.Embedded != first.Embedded {
		t.Errorf("job %+v", j)
	}
	sameAsClean(t, b)
	sameRecords(t, b)
	if j := b.run(); j.Renewed || j.Changed != 0 {
		t.Errorf("again: job %+v", j)
	}
}

// revisionIn is the revision in the JSON of a record.
func (b *bench) revisionIn(value []byte) string {
	_, rest, _ := strings.Cut(string(value), `"revision":"`)
	found, _, _ := strings.Cut(rest, `"`)
	return found
}

// A file that the rules of a newer version leave out, or take in, is judged again.
func TestNewRevisionJudgesAgain(t *testing.T) {
	b := setUp(t, small)
	b.run()
	// As if an older version had indexed the one and left out the other.
	wrong := map[string]models.FileRecord{"logo.bin": b.file("logo.bin"), "main.go": b.file("main.go")}
	ghost := models.Document{Header: models.Header{
		ID: models.FileID(repoID, "logo.bin"), Type: models.TypeFile,
		RepoID: repoID, FilePath: "logo.bin",
	}}
	logo, main := wrong["logo.bin"], wrong["main.go"]
	batch := models.Batch{Put: []models.Document{ghost}, Delete: main.Documents}
	logo.Skipped, logo.Documents = "", []models.DocumentID{ghost.ID}
	main.Skipped, main.Documents = models.SkipBinary, nil
	for _, rec := range []models.FileRecord{logo, main} {
		batch.PutRecords = append(batch.PutRecords,
			models.Record{Collection: models.FilesCollection(repoID), Key: rec.Path, Value: rec})
	}
	if err := b.store.Apply(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	b.open(newer())
	if j := b.run(); !j.Renewed || j.Removed != 1 {
		t.Errorf("job %+v", j)
	}
	b.open(index.Config{}) // what a clean build is made with
	b.run()
	sameAsClean(t, b)
}

// A renewal that was cut off goes on where it was; files are read once.
func TestNewRevisionGoesOn(t *testing.T) {
	t.Parallel()
	b := setUpDrafting(t, small)
	wide(b, 1)
	b.run()
	leak(b)
	before := len(b.leaks())
	b.drafts.after(2, func() error { return errDead })
	b.open(newer())
	if j := b.wait(b.start(false)); j.State != jobs.Failed {
		t.Fatalf("job %+v", j)
	}
	if n := len(b.leaks()); n != before {
		t.Errorf("readers see %d of %d documents as they were", n, before)
	}
	b.drafts.appending = nil
	b.open(newer())
	if j := b.run(); !j.Renewed || j.Embedded != 0 {
		t.Errorf("job %+v", j)
	}
	for file, times := range b.drafts.appended {
		if times != 1 {
			t.Errorf("%s was renewed %d times", file, times)
		}
	}
	if left := b.leaks(); len(left) > 0 {
		t.Errorf("%d documents are not renewed, %s among them", len(left), left[0])
	}
}

// An update of one path by a newer version is a run of all.
func TestUpdateAtNewRevision(t *testing.T) {
	b := setUp(t, small)
	b.run()
	leak(b)
	b.open(newer())
	for i, want := range []int{6, 0} {
		j, err := b.service.Update(t.Context(), index.UpdateRequest{RepoID: repoID, Paths: []string{"main.go"}})
		if err = errors.Join(err, failure(j)); err != nil || j.Changed != want || j.Renewed != (want > 0) {
			t.Errorf("update %d: job %+v, %v", i, j, err)
		}
	}
	if diff := cmp.Diff([]models.DocumentID{}, b.leaks()); diff != "" {
		t.Error(diff)
	}
}

func failure(j jobs.Job) error {
	if j.Error != nil {
		return errors.New(*j.Error)
	}
	return nil
}
