package fresh

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// benchTree is a git repository of 50,000 files in 1,000 folders.
func benchTree(b *testing.B) string {
	repotest.NeedGit(b)
	dir := repotest.Dir(b)
	for i := range 50_000 {
		d := i % 1000
		p := filepath.Join(dir, fmt.Sprintf("top%d/mid%d/dir%d/file%d.go", d%7, d%61, d, i))
		if i < 1000 {
			must(b, os.MkdirAll(filepath.Dir(p), 0o755))
		}
		must(b, os.WriteFile(p, fmt.Appendf(nil, "package p // %d\n", i), 0o644))
	}
	repotest.Run(b, dir, "init", "-q")
	repotest.Run(b, dir, "add", "-A")
	repotest.Run(b, dir, "commit", "-q", "-m", "all")
	return dir
}

// BenchmarkCheck looks at 50,000 files that did not change, and at nothing but
// the files and folders.
func BenchmarkCheck(b *testing.B) {
	tree := open(b, benchTree(b))
	opts := Options{Now: func() time.Time { return time.Now().Add(time.Hour) }}
	m, err := Take(b.Context(), tree, opts, nil)
	must(b, err)
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			d, err := m.Check(b.Context(), tree, opts)
			must(b, err)
			if !d.Clean() || d.Work != (Work{}) {
				b.Fatalf("%+v", d)
			}
		}
	})
	b.Run("look", func(b *testing.B) {
		for b.Loop() {
			_, err := look(b.Context(), tree, m.known.Load().state)
			must(b, err)
		}
	})
	b.Run("load", func(b *testing.B) {
		data := m.Encode()
		for b.Loop() {
			_, err := Decode(data)
			must(b, err)
		}
	})
	b.Run("git", func(b *testing.B) {
		for b.Loop() {
			_, err := listing.StateOf(b.Context(), tree)
			must(b, err)
		}
	})
	b.Run("add", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			p := filepath.Join(tree.Root(), "top1", fmt.Sprint("new", i))
			must(b, os.WriteFile(p, nil, 0o644))
			repotest.Run(b, tree.Root(), "add", p)
			_, err := m.Check(b.Context(), tree, opts)
			must(b, err)
		}
	})
}
