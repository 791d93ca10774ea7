package embedded_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded"
)

const drafted models.RepoID = "o/r"

// generation is the batches that make generation n of a repository from the one
// before: every file changes, one goes, one comes.
func generation(n int) []store.Batch {
	const files, perBatch = 120, 20
	var all []store.Batch
	for first := 0; first < files; first += perBatch {
		var b store.Batch
		for i := first; i < first+perBatch; i++ {
			d := numbered(0, i, n)
			b.Put = append(b.Put, d)
			b.PutRecords = append(b.PutRecords,
				store.Record{Collection: models.FilesCollection(drafted), Key: d.FilePath, Value: n})
		}
		all = append(all, b)
	}
	gone, came := numbered(1, n-1, 0), numbered(1, n, n)
	all[0].Delete = []models.DocumentID{gone.ID}
	all[0].DeleteRecords = []store.RecordID{{Collection: models.FilesCollection(drafted), Key: gone.FilePath}}
	all[len(all)-1].Put = append(all[len(all)-1].Put, came)
	all[len(all)-1].PutRecords = append(all[len(all)-1].PutRecords,
		store.Record{Collection: models.FilesCollection(drafted), Key: came.FilePath, Value: n},
		store.Record{Collection: models.CollectionRepos, Key: string(drafted), Value: n})
	return all
}

// seen is the one generation that a store shows, in documents, counts and
// records; an error when there is more than one.
func seen(ctx context.Context, s *embedded.Store) (int, error) {
	ctx, release, err := s.Pin(ctx)
	if err != nil {
		return 0, err
	}
	defer release()
	var n int
	ok, err := s.Record(ctx, models.CollectionRepos, string(drafted), &n)
	if err != nil || !ok {
		return 0, err
	}
	res, err := s.Search(ctx,
		fts.Request{Query: fts.Match{Field: fts.TextField(models.TypeFile), Match: "word"}, Size: 1000})
	if err != nil {
		return 0, err
	}
	var ids []models.DocumentID
	for _, h := range res.Hits {
		if ids = append(ids, h.ID); h.Kind != fmt.Sprint(n) {
			return 0, fmt.Errorf("%s is of generation %s, the repository's record of %d", h.ID, h.Kind, n)
		}
	}
	docs, err := s.Documents(ctx, ids)
	if err != nil {
		return 0, err
	}
	files := 0
	err = s.Records(ctx, models.FilesCollection(drafted), func(key string, value json.RawMessage) error {
		if files++; string(value) != fmt.Sprint(n) {
			return fmt.Errorf("record %s is of generation %s, the repository's of %d", key, value, n)
		}
		return nil
	})
	if want := 121; err == nil && (res.Total != want || len(docs) != want || files != want) {
		err = fmt.Errorf("generation %d has %d hits, %d documents and %d records, want %d", n, res.Total, len(docs), files,
			want)
	}
	return n, err
}

func wantGeneration(t *testing.T, s *embedded.Store, want int) {
	t.Helper()
	if n, err := seen(t.Context(), s); err != nil || n != want {
		t.Errorf("generation %d, %v; want %d", n, err, want)
	}
}

func appendAll(t *testing.T, s *embedded.Store, batches []store.Batch) {
	t.Helper()
	for _, b := range batches {
		must(t, s.AppendDraft(t.Context(), drafted, "label", b))
	}
}

// first makes generation 1.
func first(t *testing.T, s *embedded.Store) {
	t.Helper()
	for _, b := range generation(1) {
		must(t, s.Apply(t.Context(), b))
	}
}

func draftFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "drafts", "*"))
	must(t, err)
	return files
}

func TestDraft(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	first(t, s)
	appendAll(t, s, generation(2))
	wantGeneration(t, s, 1)
	must(t, s.PublishDraft(t.Context(), drafted, nil))
	wantGeneration(t, s, 2)
	if files := draftFiles(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	must(t, s.PublishDraft(t.Context(), drafted, nil)) // there is none
	must(t, s.DropDraft(t.Context(), drafted))
	wantGeneration(t, s, 2)
}

// What is read of a draft is what was appended, save the time zone.
func TestReadDraft(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	first(t, s)
	want := append(generation(2), store.Batch{
		DeleteRepos: []models.RepoID{"x/y"},
		Put: []models.Document{{
			Header:  models.Header{ID: "doc:o/r:a.md#1", Type: models.TypeDocument, RepoID: drafted, FilePath: "a.md"},
			Content: "ünïcode\x00", Tags: []string{"", "a"}, ChildrenIDs: []models.DocumentID{"b"},
		}},
	})
	appendAll(t, s, want)
	wantDraft(t, s, want)
	must(t, s.Close())
	wantDraft(t, open(t, dir), want)
}

func wantDraft(t *testing.T, s *embedded.Store, want []store.Batch) {
	t.Helper()
	var got []store.Batch
	must(t, s.ReadDraft(t.Context(), drafted, func(label string, b store.Batch) error {
		if label != "label" {
			t.Errorf("label %q", label)
		}
		for i, r := range b.PutRecords {
			var n int
			must(t, json.Unmarshal(r.Value.(json.RawMessage), &n))
			b.PutRecords[i].Value = n
		}
		for i := range b.Put {
			if b.Put[i].Created.IsZero() {
				b.Put[i].Created, b.Put[i].Updated = want[0].Put[0].Created, want[0].Put[0].Updated
			}
		}
		got = append(got, b)
		return nil
	}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDraftRefusals(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.AppendDraft(t.Context(), drafted, "label", generation(2)[0]))
	if err := s.AppendDraft(t.Context(), drafted, "other", store.Batch{}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("another label: %v", err)
	}
	bad := store.Batch{Put: []models.Document{{Header: models.Header{ID: "x", Type: "unknown"}}}}
	if err := s.AppendDraft(t.Context(), drafted, "label", bad); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("a bad batch: %v", err)
	}
	stop := errors.New("stop")
	if err := s.ReadDraft(t.Context(), drafted, func(string, store.Batch) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the error of yield: %v", err)
	}
}

// A draft goes with its repository.
func TestDraftOfRemoved(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	first(t, s)
	appendAll(t, s, generation(2))
	must(t, s.Apply(t.Context(), store.Batch{DeleteRepos: []models.RepoID{drafted}}))
	if files := draftFiles(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}

// Open removes drafts of repositories that are not registered, and keeps others.
func TestOrphanedDrafts(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	first(t, s)
	appendAll(t, s, generation(2))
	must(t, s.AppendDraft(t.Context(), "no/repository", "label", store.Batch{Delete: []models.DocumentID{"x"}}))
	must(t, s.Close())
	must(t, os.WriteFile(filepath.Join(dir, "drafts", "torn.draft"), []byte("no header"), 0o600))
	s = open(t, dir)
	if files := draftFiles(t, dir); len(files) != 1 {
		t.Errorf("drafts: %v, want one", files)
	}
	wantGeneration(t, s, 1)
	must(t, s.PublishDraft(t.Context(), drafted, nil))
	wantGeneration(t, s, 2)
}

// Wherever the end of a draft was cut off, the batches before count and others
// can be appended.
func TestTornDraft(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	first(t, s)
	batches := generation(2)
	appendAll(t, s, batches[:2])
	file := draftFiles(t, dir)[0]
	two := read(t, file)
	appendAll(t, s, batches[2:3])
	three := read(t, file)
	must(t, s.Close())
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		cut := len(two) + rng.IntN(len(three)-len(two))
		torn := bytes.Clone(three[:cut])
		if len(torn) > len(two)+9 && rng.IntN(2) == 0 {
			torn = append(torn, three[cut:]...)
			torn[cut] ^= 1 // whole, but not as written
		}
		must(t, os.WriteFile(file, torn, 0o600))
		s, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
		must(t, err)
		n := 0
		must(t, s.ReadDraft(t.Context(), drafted, func(string, store.Batch) error { n++; return nil }))
		if n != 2 {
			t.Fatalf("cut at %d of %d: %d batches, want 2", cut, len(three), n)
		}
		appendAll(t, s, batches[2:3])
		must(t, s.Close())
		if got := read(t, file); !bytes.Equal(got, three) {
			t.Fatal("appended after a cut, the draft is not what it was")
		}
	}
}

// A draft that a crash cut before its first batch was whole is none: whoever comes
// next begins anew, under a label of their own.
func TestDraftCutAtTheHeader(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	first(t, s)
	batches := generation(2)
	appendAll(t, s, batches[:1])
	file := draftFiles(t, dir)[0]
	whole := read(t, file)
	must(t, s.Close())
	header := 8 + int(binary.LittleEndian.Uint32(whole))
	for _, cut := range []int{0, 5, header - 1, header, header + 4, header + 9, len(whole) - 1} {
		must(t, os.WriteFile(file, whole[:cut], 0o600))
		s := open(t, dir)
		must(t, s.AppendDraft(t.Context(), drafted, "another", batches[0]))
		labels := []string{}
		must(t, s.ReadDraft(t.Context(), drafted, func(label string, _ store.Batch) error {
			labels = append(labels, label)
			return nil
		}))
		if !slices.Equal(labels, []string{"another"}) {
			t.Errorf("cut at %d of %d: batches of %v", cut, len(whole), labels)
		}
		must(t, s.Close())
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	must(t, err)
	return b
}

// Whoever searches while drafts are published sees one generation, also in
// several steps under one Pin, and none that was before.
func TestReadersDuringPublication(t *testing.T) {
	s := open(t, t.TempDir())
	first(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	looks := 0
	wg.Go(func() {
		last := 0
		for ; ctx.Err() == nil; looks++ {
			n, err := seen(t.Context(), s)
			if err != nil || n < last {
				t.Errorf("generation %d after %d: %v", n, last, err)
				return
			}
			last = n
		}
	})
	for n := 2; n <= 12; n++ {
		appendAll(t, s, generation(n))
		must(t, s.PublishDraft(t.Context(), drafted, nil))
		wantGeneration(t, s, n)
	}
	cancel()
	wg.Wait()
	t.Logf("%d looks", looks)
}
