package index_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/index/vectors"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/embed"
	"github.com/ragnav/ragnav/internal/embed/embedtest"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A counter is an embedder that counts the texts that it is given.
type counter struct {
	*embedtest.Hashed

	mu    sync.Mutex
	texts int
}

func (c *counter) Documents(ctx context.Context, inputs []embed.Input) ([][]float32, error) {
	c.mu.Lock()
	c.texts += len(inputs)
	c.mu.Unlock()
	return c.Hashed.Documents(ctx, inputs)
}

// A run writes the documents of changed files and the summaries above them, and
// embeds those of their texts that are new.
func TestOnlyWhatIsAffectedIsMade(t *testing.T) {
	files := map[string]string{
		"README.md": "# Top\n\ntext\n", "main.go": "package main\n\nfunc main() {}\n",
		"a/a.go": "package a\n\nfunc A() {}\n", "a/deep/d.go": "package deep\n\nfunc D() {}\n",
		"a/deep/e.go": "package deep\n",
		"b/b.go":      "package b\n\nfunc B() {}\n", "b/other/o.go": "package other\n",
	}
	for _, test := range []struct {
		name   string
		change func(b *bench)
		want   []models.DocumentID
	}{
		{"nothing", func(*bench) {}, nil},
		{"times only", func(b *bench) {
			at := time.Unix(1_000_000_000, 0)
			if err := os.Chtimes(filepath.Join(b.root, "main.go"), at, at); err != nil {
				b.Fatal(err)
			}
		}, nil},
		{"permissions only", func(b *bench) {
			if err := os.Chmod(filepath.Join(b.root, "a/a.go"), 0o640); err != nil { //nolint:gosec // the change is the test
				b.Fatal(err)
			}
		}, nil},
		{"a deep file", func(b *bench) { b.write("a/deep/d.go", "package deep\n\nfunc E() {}\n") }, []models.DocumentID{
			"file:acme/api:a/deep/d.go", "module:acme/api:.", "module:acme/api:a", "module:acme/api:a/deep", "repo:acme/api",
			"symbol:acme/api:a/deep/d.go:E",
		}},
		{
			"a file goes", func(b *bench) { b.remove("b/other") },
			[]models.DocumentID{"module:acme/api:.", "module:acme/api:b", "repo:acme/api"},
		},
		{"a file moves", func(b *bench) {
			if err := os.Rename(filepath.Join(b.root, "b/b.go"), filepath.Join(b.root, "b/other/b.go")); err != nil {
				b.Fatal(err)
			}
		}, []models.DocumentID{
			"file:acme/api:b/other/b.go", "module:acme/api:.", "module:acme/api:b", "module:acme/api:b/other", "repo:acme/api",
			"symbol:acme/api:b/other/b.go:B",
		}},
		{"a file is ignored", func(b *bench) { b.write(".ragnavignore", "o.go\n") }, []models.DocumentID{
			"file:acme/api:.ragnavignore", "module:acme/api:.", "module:acme/api:b", "repo:acme/api",
			"symbol:acme/api:.ragnavignore:chunk-1",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := setUp(t, files)
			e := &counter{Hashed: embedtest.New(16)}
			b.service = b.over(e)
			b.run()
			before := e.texts
			var put []models.DocumentID
			vectors := 0 // that were not there
			b.store.before = func(batch models.Batch) error {
				for _, d := range batch.Put {
					put = append(put, d.ID)
					if _, known := b.store.embeddings[d.EmbeddingKey]; !known {
						vectors += len(d.Embedding) / 16
					}
				}
				return nil
			}
			test.change(b)
			b.run()
			slices.Sort(put)
			if diff := cmp.Diff(test.want, put); diff != "" {
				t.Errorf("documents written (-want +got):\n%s", diff)
			}
			if got := e.texts - before; got != vectors {
				t.Errorf("%d texts were embedded for %d documents with new vectors", got, vectors)
			}
			b.store.before = nil
			sameAsClean(t, b)
		})
	}
}

// over is a service over the bench's store with that embedder.
func (b *bench) over(e vectors.Embedder) *index.Service {
	b.Helper()
	b.close()
	s, err := index.Open(b.Context(), b.store, e, index.Config{Now: func() time.Time { return b.clock() }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}
