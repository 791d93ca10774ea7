package embedded_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/ragnav/ragnav/internal/store/embedded/beside"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/internal/store/embedded/backup"
	"github.com/ragnav/ragnav/internal/store/embedded/disk"
)

// other is a document with a vector of twice as many components.
func other() models.Batch {
	v := make([]float32, 2*dims)
	v[1] = 1
	d := models.Document{Header: models.Header{
		ID: "symbol:o/new:a.go:New", Type: models.TypeSymbol, RepoID: "o/new",
		FilePath: "a.go", SymbolName: "New",
	}, Text: "new words", Embedding: v}
	return models.Batch{Put: []models.Document{d}, PutRecords: []models.Record{
		{Collection: models.CollectionMeta, Key: "which", Value: "new"},
		{
			Collection: models.CollectionRepos, Key: "o/new",
			Value: models.Repository{RepoID: "o/new", Root: "/new", State: models.StateFresh},
		},
	}}
}

// makeBeside makes an index in the place where Adopt looks for it.
func makeBeside(t *testing.T, dir string) {
	t.Helper()
	next, err := embedded.Open(t.Context(), beside.Dir(dir), embedded.Options{Dims: 2 * dims})
	must(t, err)
	must(t, next.Apply(t.Context(), other()))
	must(t, next.Close())
}

// wantNew wants a store to have what makeBeside made, and to take more of it.
func wantNew(t *testing.T, s *embedded.Store) {
	t.Helper()
	query := make([]float32, 2*dims)
	query[1] = 1
	res, err := s.Search(t.Context(),
		fts.Request{Query: fts.MatchNone{}, KNN: []fts.KNN{{Field: fts.FieldEmbedding, Vector: query, K: 3}}, Size: 3})
	if err != nil || len(res.Hits) != 1 || res.Hits[0].ID != "symbol:o/new:a.go:New" {
		t.Errorf("%+v, %v", res.Hits, err)
	}
	if found, err := s.Record(t.Context(), models.CollectionRepos, "o/a", nil); found || err != nil {
		t.Errorf("a record of the old index: %v, %v", found, err)
	}
	must(t, s.Apply(t.Context(), other()))
}

// The other index takes the place of the one in use while others search it: each
// request sees one of both, whole, and none fails.
func TestAdopt(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.Apply(t.Context(), whole("o/a")))
	makeBeside(t, dir)
	var stop atomic.Bool
	var searched atomic.Int64
	readers := make([]<-chan error, 4)
	for i := range readers {
		readers[i] = parallel.Start(func() error {
			for !stop.Load() {
				if err := seesOne(t, s); err != nil {
					t.Error(err)
					return err
				}
				searched.Add(1)
			}
			return nil
		})
	}
	for searched.Load() < 50 && !t.Failed() {
		runtime.Gosched()
	}
	must(t, s.Adopt(t.Context(), func() {}))
	stop.Store(true)
	for _, r := range readers {
		must(t, <-r)
	}
	wantNew(t, s)
	must(t, s.Close())
	if _, err := os.Stat(beside.Dir(dir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the other index is still there: %v", err)
	}
	again, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: disk.DimsOf(dir)})
	must(t, err)
	wantNew(t, again)
	must(t, again.Close())
	found, err := backup.Verify(t.Context(), dir, 2*dims)
	if err != nil || len(found.Damages) > 0 {
		t.Error(found.Damages, err)
	}
}

// seesOne is an error unless a request sees one of both indexes.
func seesOne(t *testing.T, s *embedded.Store) error {
	ctx, release, err := s.Pin(t.Context())
	if err != nil {
		return err
	}
	defer release()
	isNew, err := s.Record(ctx, models.CollectionMeta, "which", nil)
	if err != nil {
		return err
	}
	isOld, err := s.Record(ctx, models.CollectionRepos, "o/a", nil)
	if err == nil && isNew == isOld {
		err = errors.New("a request saw a part of each index, or of none")
	}
	return err
}

// A process that dies while files get their places leaves that to the next one.
func TestAdoptIsCutOff(t *testing.T) {
	for _, moved := range [][]string{
		nil,
		{"text"},
		{"text", "rows"},
		{"text", "rows", "format.json"},
		{"text", "rows", "format.json", "seals.json", "registrations.json"},
	} {
		dir := t.TempDir()
		s := open(t, dir)
		must(t, s.Apply(t.Context(), whole("o/a")))
		must(t, s.Close())
		makeBeside(t, dir)
		must(t, os.WriteFile(filepath.Join(dir, "adopt.json"), []byte("{}"), 0o600))
		for _, name := range moved {
			must(t, os.RemoveAll(filepath.Join(dir, name)))
			must(t, os.Rename(filepath.Join(beside.Dir(dir), name), filepath.Join(dir, name)))
		}
		if _, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims, ReadOnly: true}); !errors.Is(err,
			embedded.ErrUnfinished) {
			t.Errorf("%v: open to be read: %v", moved, err)
		}
		again, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: 2 * dims})
		must(t, err)
		wantNew(t, again)
		must(t, again.Close())
	}
}
