package app_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/app"
	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
	"github.com/ragnav/ragnav/internal/store"
	"github.com/ragnav/ragnav/internal/store/couchbase"
	"github.com/ragnav/ragnav/internal/store/couchbase/driver"
	"github.com/ragnav/ragnav/internal/store/embedded"
	"github.com/ragnav/ragnav/test/cbtest"
)

// No document outlives its file or its repository, and none is another
// repository's: counted in the store itself, not by what the index says of it.
func TestNoGhosts(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	embedder, err := embed.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	dims := embedder.Manifest().Dims
	t.Run("embedded", func(t *testing.T) {
		dir := t.TempDir()
		noGhosts(t, func() *app.App { return openFor(t, dir) }, func() store.Store {
			st, err := embedded.Open(t.Context(), dir, embedded.Options{Dims: dims})
			if err != nil {
				t.Fatal(err)
			}
			return st
		})
	})
	t.Run("couchbase", func(t *testing.T) {
		node := cbtest.Start(t, cbtest.Options{})
		c := clusterSettings(t, node)
		noGhosts(t, func() *app.App {
			a, err := app.Open(t.Context(), c, app.Tool)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}, func() store.Store {
			st, err := couchbase.Open(t.Context(), driver.Config{
				ConnStr: c.Couchbase.ConnStr, Bucket: c.Couchbase.Bucket, Scope: c.Couchbase.Scope,
				Username: c.Couchbase.Username, Password: string(c.Couchbase.Password), Dims: dims,
			})
			if err != nil {
				t.Fatal(err)
			}
			return st
		})
	})
}

func openFor(t *testing.T, dir string) *app.App {
	t.Helper()
	a, err := app.Open(t.Context(), settings(t, dir), app.Tool)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// noGhosts works on two repositories with programs that open the same store,
// one after another, and counts the documents in it after each.
func noGhosts(t *testing.T, program func() *app.App, look func() store.Store) {
	t.Helper()
	top := t.TempDir()
	put := func(name, content string) { writeFile(t, filepath.Join(top, filepath.FromSlash(name)), content) }
	put("one/a.go", "package a\n\nfunc A() {}\n\nfunc B() {}\n")
	put("one/deep/b.go", "package deep\n\nfunc C() {}\n")
	put("one/README.md", "# One\n\ntext\n\n## Two\n\ntext\n")
	put("two/a.go", "package a\n\nfunc A() {}\n")
	roots := []string{filepath.Join(top, "one"), filepath.Join(top, "two")}

	var last map[models.RepoID]int
	for _, step := range []struct {
		name   string
		change func()
		remove models.RepoID
		full   bool
		want   map[models.RepoID]int // against the step before
	}{
		{name: "nothing was indexed yet", want: map[models.RepoID]int{}},
		// two file_index, three functions, two sections, two folders, the repository
		{name: "first runs", change: func() {}, want: map[models.RepoID]int{"one": 10, "two": 4}},
		{name: "nothing changed", change: func() {}, want: map[models.RepoID]int{}},
		{name: "all again", change: func() {}, full: true, want: map[models.RepoID]int{}},
		{
			name: "a function less", change: func() { put("one/a.go", "package a\n\nfunc A() {}\n") },
			want: map[models.RepoID]int{"one": -1},
		},
		{
			name: "a folder less", change: func() { gone(t, filepath.Join(top, "one", "deep")) },
			want: map[models.RepoID]int{"one": -3},
		},
		{
			name: "a file becomes binary", change: func() { put("one/README.md", "\x00") },
			want: map[models.RepoID]int{"one": -2},
		},
		{name: "a file moves", change: func() {
			put("two/moved/a.go", "package a\n\nfunc A() {}\n")
			gone(t, filepath.Join(top, "two", "a.go"))
		}, want: map[models.RepoID]int{"two": 1}}, // a folder more
		{name: "one is removed", remove: "one", want: map[models.RepoID]int{"one": -4}},
		{name: "and comes back", change: func() {}, want: map[models.RepoID]int{"one": 4}},
		{name: "both are removed", remove: "one", want: map[models.RepoID]int{"one": -4}},
		{name: "the last one too", remove: "two", want: map[models.RepoID]int{"two": -5}},
	} {
		a := program()
		if step.change != nil {
			step.change()
			resp, err := op.StartIndex.By(t.Context(), a, index.StartRequest{Targets: roots, Full: step.full})
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range resp.Items {
				waitFor(t, a, j)
			}
		}
		if step.remove != "" {
			if _, err := op.Remove.By(t.Context(), a, index.RemoveRequest{RepoID: step.remove}); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		now := documents(t, look())
		change := map[models.RepoID]int{}
		for _, id := range []models.RepoID{"one", "two"} {
			if d := now[id] - last[id]; d != 0 {
				change[id] = d
			}
		}
		if diff := cmp.Diff(step.want, change); diff != "" {
			t.Errorf("%s: documents by repository (-want +got):\n%s", step.name, diff)
		}
		last = maps.Clone(now)
	}
}

// documents counts the documents of a store by repository, and closes it. What
// belongs to neither of the two repositories is an error, and so are records of
// files of a repository without documents.
func documents(t *testing.T, st store.Store) map[models.RepoID]int {
	t.Helper()
	defer func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}()
	if s, ok := st.(store.Settler); ok {
		if err := s.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	count := func(q fts.Query) int {
		res, err := st.Search(t.Context(), fts.Request{Query: q, Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		return res.Total
	}
	counts, sum := map[models.RepoID]int{}, 0
	for _, id := range []models.RepoID{"one", "two"} {
		counts[id] = count(fts.Filter(fts.FieldRepo, string(id)))
		sum += counts[id]
		if counts[id] == 0 {
			noRecords(t, st, id)
		}
	}
	if all := count(fts.MatchAll{}); all != sum {
		t.Errorf("%d documents are of no repository", all-sum)
	}
	return counts
}

// noRecords wants a store to know nothing of a repository.
func noRecords(t *testing.T, st store.Store, id models.RepoID) {
	t.Helper()
	for _, collection := range []string{models.FilesCollection(id), models.ContentsCollection(id)} {
		if err := st.Records(t.Context(), collection, func(key string, _ json.RawMessage) error {
			t.Errorf("%s is left in %s", key, collection)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if there, err := st.Record(t.Context(), models.CollectionRepos, string(id), nil); err != nil || there {
		t.Errorf("%s is registered: %v, %v", id, there, err)
	}
}

func writeFile(t *testing.T, file, content string) {
	t.Helper()
	repotest.Write(t, filepath.Dir(file), map[string]string{filepath.Base(file): content})
}

func gone(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}
