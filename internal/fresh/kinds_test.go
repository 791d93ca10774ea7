package fresh

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// TestKindsOfRepositories compares checks with whole listings where git keeps
// its files elsewhere, or leaves some out.
func TestKindsOfRepositories(t *testing.T) {
	files := map[string]string{".gitignore": "*.o\n", "a/a.go": "a", "b/b.go": "b"}
	withSub := func(t *testing.T) string {
		inner, outer := repotest.Tree(t, files), repotest.Tree(t, files)
		repotest.Run(t, outer, "submodule", "add", "-q", inner, "sub")
		repotest.Run(t, outer, "commit", "-q", "-m", "sub")
		return outer
	}
	edit := func(t *testing.T, dir string) {
		repotest.Write(t, dir, map[string]string{"a/a.go": "A", "a/new.go": "n", "a/x.o": "o"})
		repotest.Run(t, dir, "add", "-f", "a/x.o")
	}
	cases := []struct {
		name    string
		make    func(t *testing.T) string
		changes []func(t *testing.T, dir string)
	}{
		{"linked worktree", func(t *testing.T) string {
			w := filepath.Join(repotest.Dir(t), "w")
			repotest.Run(t, repotest.Tree(t, files), "worktree", "add", "-q", w)
			return w
		}, []func(*testing.T, string){edit}},
		{
			"submodule", func(t *testing.T) string { return filepath.Join(withSub(t), "sub") },
			[]func(*testing.T, string){edit},
		},
		{"with a submodule", withSub, []func(*testing.T, string){
			func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{"sub/new.go": "n", "sub/a/a.go": "changed"})
			},
			func(t *testing.T, dir string) { repotest.Run(t, dir, "submodule", "deinit", "-q", "-f", "sub") },
			func(t *testing.T, dir string) { repotest.Write(t, dir, map[string]string{"sub/x.go": "n"}) },
			func(t *testing.T, dir string) { repotest.Run(t, dir, "rm", "-q", "-r", "--cached", "sub") },
			func(t *testing.T, dir string) { repotest.Run(t, dir, "init", "-q", "sub") },
			func(t *testing.T, dir string) { must(t, os.RemoveAll(filepath.Join(dir, "sub"))) },
		}},
		{"sparse", func(t *testing.T) string {
			dir := repotest.Tree(t, files)
			repotest.Run(t, dir, "sparse-checkout", "set", "a")
			return dir
		}, []func(*testing.T, string){
			edit,
			func(t *testing.T, dir string) {
				repotest.Write(t, dir, map[string]string{"b/b.go": "other", "b/x.o": "o"})
			},
			func(t *testing.T, dir string) { must(t, os.RemoveAll(filepath.Join(dir, "b"))) },
			func(t *testing.T, dir string) { repotest.Run(t, dir, "sparse-checkout", "disable") },
		}},
		{"no commit", func(t *testing.T) string {
			repotest.NeedGit(t)
			dir := repotest.Dir(t)
			repotest.Run(t, dir, "init", "-q")
			repotest.Write(t, dir, files)
			return dir
		}, []func(*testing.T, string){edit, func(t *testing.T, dir string) {
			repotest.Run(t, dir, "commit", "-q", "-m",
				"first")
		}}},
		{"bare", func(t *testing.T) string {
			dir := filepath.Join(repotest.Dir(t), "b.git")
			repotest.Run(t, repotest.Tree(t, files), "clone", "-q", "--bare", ".", dir)
			return dir
		}, []func(*testing.T, string){func(t *testing.T, dir string) {
			repotest.Write(t, dir,
				map[string]string{"hooks/new": "n"})
		}}},
		{"merge with conflicts", func(t *testing.T) string {
			dir := repotest.Tree(t, files)
			repotest.Run(t, dir, "checkout", "-q", "-b", "other")
			repotest.Write(t, dir, map[string]string{"a/a.go": "other"})
			repotest.Run(t, dir, "commit", "-q", "-a", "-m", "other")
			repotest.Run(t, dir, "checkout", "-q", "main")
			repotest.Write(t, dir, map[string]string{"a/a.go": "main"})
			repotest.Run(t, dir, "commit", "-q", "-a", "-m", "main")
			return dir
		}, []func(*testing.T, string){
			func(t *testing.T, dir string) { _, _ = repotest.Try(t, dir, "merge", "-q", "other") },
			func(t *testing.T, dir string) { repotest.Run(t, dir, "merge", "--abort") },
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := c.make(t)
			tree := open(t, dir)
			m := take(t, tree)
			base := content(t, tree, listing.Limits{})
			if diff := cmp.Diff(base, maps.Collect(m.Files())); diff != "" {
				t.Fatalf("Take (-want +got):\n%s", diff)
			}
			for i, change := range c.changes {
				change(t, dir)
				want := difference(base, content(t, tree, listing.Limits{}))
				for _, m := range []*Manifest{m, reload(t, m)} {
					got := checked(t, m, tree)
					if diff := cmp.Diff(want, [][]string{got.Changed, got.Added, got.Deleted}); diff != "" {
						t.Errorf("after change %d (-want +got):\n%s", i, diff)
					}
				}
				tick(t, home(t))
			}
		})
	}
}
