package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
	"github.com/ragnav/ragnav/internal/vector"
)

func openKnown(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir, Options{Dims: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func put(t *testing.T, s *Store, from, to, version int) {
	t.Helper()
	var b store.Batch
	for i := from; i < to; i++ {
		d := models.Document{
			Header: models.Header{
				ID: models.DocumentID(fmt.Sprint("d", i)), Type: models.TypeFile, Kind: fmt.Sprint(version),
				RepoID: "a/b",
			},
			Text:    fmt.Sprint("word", i%10, " version", version),
			Content: fmt.Sprint(i, version),
		}
		if i%2 == 0 {
			d.Embedding = []float32{0, 1}
		}
		b.Put = append(b.Put, d)
	}
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

// said is what a store says to some requests.
func said(t *testing.T, s *Store) (all []any) {
	t.Helper()
	for _, r := range []fts.Request{
		{Query: fts.MatchAll{}, Size: 10_000},
		{Query: fts.Filter(fts.FieldKind, "1"), Size: 10_000},
		{Query: fts.MatchNone{}, KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: []float32{0, 1}, K: 5000}}, Size: 10_000},
	} {
		result, err := s.Search(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, result)
	}
	docs, err := s.Documents(t.Context(), []models.DocumentID{"d0", "d17", "d4999", "d5001", "none"})
	if err != nil {
		t.Fatal(err)
	}
	return append(all, docs)
}

// A store that took what it knew from a file says the same as one that read its
// rows and segments, and so does one whose file is lost or damaged.
func TestKnown(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, disk.RowsDir, vector.KnownName)
	s := openKnown(t, dir)
	put(t, s, 0, 5000, 0)
	put(t, s, 10, 30, 1)
	want := said(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openKnown(t, dir)
	if _, known := s.files.rows.Owned(); known == nil {
		t.Error("what was written down as it closed is not used")
	}
	if diff := cmp.Diff(want, said(t, s)); diff != "" {
		t.Errorf("by the file (-want +got):\n%.2000s", diff)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func() error{
		"lost": func() error { return os.Remove(file) },
		"cut":  func() error { return os.WriteFile(file, whole[:len(whole)/2], 0o600) },
		"damaged": func() error {
			return os.WriteFile(file, append(whole[:len(whole)-8:len(whole)-8], "12345678"...), 0o600)
		},
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), dir, Options{Dims: 2, ReadOnly: true})
		if err != nil {
			t.Fatal(name, err)
		}
		if _, known := s.files.rows.Owned(); known != nil {
			t.Errorf("%s: it is used", name)
		}
		if diff := cmp.Diff(want, said(t, s)); diff != "" {
			t.Errorf("%s (-want +got):\n%.2000s", name, diff)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	s = openKnown(t, dir) // and goes on from there
	put(t, s, 20, 40, 2)
	want = said(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil { // as a killed process leaves it
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, said(t, openKnown(t, dir))); diff != "" {
		t.Errorf("with more behind (-want +got):\n%.2000s", diff)
	}
}

// What is known is taken without reading it where it looks as when it was written,
// and is not used any more once it looks different.
func TestKnownIsSealed(t *testing.T) {
	dir := t.TempDir()
	s := openKnown(t, dir)
	put(t, s, 0, 5000, 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), dir, Options{Dims: 2, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if whole, stamp := s.files.isWhole(disk.KnownName); !whole || s.files.known != stamp {
		t.Fatalf("whole: %t, and looked like %v, not like %v", whole, s.files.known, stamp)
	}
	said(t, s)
	file, err := os.OpenFile(filepath.Join(dir, disk.RowsDir, vector.KnownName), os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteAt([]byte("12345678"), 5000)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * lookAgain)
	_, err = s.Search(t.Context(), fts.Request{Query: fts.Filter(fts.FieldKind, "1"), Size: 1})
	if fault.CodeOf(err) != fault.IndexNotReady {
		t.Errorf("a search beside a file that was written to: %v", err)
	}
}

// A store that has just written and is closed leaves no file that the next one, which
// may not write down that it is whole, has to read as a whole.
func TestJustWritten(t *testing.T) {
	dir := t.TempDir()
	s := openKnown(t, dir)
	put(t, s, 0, 4100, 0)
	put(t, s, 0, 10, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	seals, err := disk.OpenSeals(dir)
	if err != nil {
		t.Fatal(err)
	}
	segments, err := filepath.Glob(filepath.Join(dir, disk.TextDir, "*.zap"))
	if err != nil || len(segments) < 2 {
		t.Fatal(segments, err)
	}
	names := []string{disk.KnownName, disk.RowsName(s.files.commit.Rows.Generation)}
	for _, file := range segments {
		names = append(names, disk.SegmentName(filepath.Base(file)))
	}
	for _, name := range names {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !seals.Whole(name, disk.StampOf(info)) {
			t.Errorf("%s is read again", name)
		}
	}
}
