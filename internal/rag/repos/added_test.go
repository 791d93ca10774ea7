package repos_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
)

// collections are records by collection and key.
type collections map[string]any

func (s collections) Record(_ context.Context, collection, key string, v any) (bool, error) {
	value, ok := s[collection+"\x00"+key]
	if !ok {
		return false, nil
	}
	data, err := json.Marshal(value)
	if err != nil {
		return false, err
	}
	return true, json.Unmarshal(data, v)
}

func (collections) Records(context.Context, string, func(string, json.RawMessage) error) error {
	return nil
}

// Files that came after the index run are known, those that it would leave out
// are not, and the next run ends it.
func TestAdded(t *testing.T) {
	root, all := t.TempDir(), collections{}
	put := func(name string) {
		t.Helper()
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte("package x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index := func(names ...string) {
		for _, name := range names {
			all[models.FilesCollection("o/a")+"\x00"+name] = models.FileRecord{Path: name}
		}
		all[models.CollectionMeta+"\x00"+models.FoldersKey("o/a")] = map[string]any{"dirs": []string{".", "in/deep"}}
	}
	for _, name := range []string{"main.go", "in/deep/a.go", ".gitignore"} {
		put(name)
	}
	if err := os.WriteFile(filepath.Join(root, ".gitignore"), []byte("*.log\n/build/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	index("main.go", "in/deep/a.go", ".gitignore")
	svc := repos.New(all, "", nil)
	known := models.Repository{RepoID: "o/a", Root: root, State: models.StateFresh, LastIndexedAt: time.Now()}
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"nothing new", func() {}, nil},
		{"left out", func() { put("x.log"); put("build/out.go"); put("in/deep/y.log") }, nil},
		{"a file", func() { put("in/deep/b.go") }, []string{"in/deep/b.go"}},
		{"asked again", func() {}, []string{"in/deep/b.go"}},
		{"beside folders", func() { put("in/c.go") }, []string{"in/c.go", "in/deep/b.go"}},
		{"a new folder", func() { put("new/sub/d.go") }, []string{"in/c.go", "in/deep/b.go", "new/sub/d.go"}},
		{"deleted again", func() { _ = os.Remove(filepath.Join(root, "in", "c.go")) }, []string{"in/deep/b.go", "new/sub/d.go"}},
		{"indexed", func() {
			index("in/deep/b.go", "new/sub/d.go")
			known.LastIndexedAt = known.LastIndexedAt.Add(time.Second)
		}, nil},
	} {
		step.do()
		c := svc.Compare(t.Context(), []models.Repository{known})
		if diff := cmp.Diff(step.want, c.Added()["o/a"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
		c.Close()
	}
}
