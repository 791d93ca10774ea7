package fresh

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

var settled = Options{Now: settledClock}

// take waits until nothing is racy and makes a manifest.
func take(t testing.TB, tree *disk.Folder) *Manifest {
	t.Helper()
	tick(t, t.TempDir())
	m, err := Take(t.Context(), tree, settled, nil)
	must(t, err)
	return m
}

func checked(t testing.TB, m *Manifest, tree *disk.Folder) Delta {
	t.Helper()
	d, err := m.Check(t.Context(), tree, settled)
	must(t, err)
	return d
}

// TestCheck says what each change is, and what it costs to learn of it.
func TestCheck(t *testing.T) {
	cases := []struct {
		name   string
		change func(t *testing.T, dir string)
		want   Delta
	}{
		{"nothing", func(*testing.T, string) {}, Delta{}},
		{
			"written in place", func(t *testing.T, d string) {
				repotest.Write(t, d,
					map[string]string{"a/a.go": "more than before"})
			},
			Delta{Changed: []string{"a/a.go"}},
		},
		{
			"same size", func(t *testing.T, d string) { repotest.Write(t, d, map[string]string{"a/a.go": "A"}) },
			Delta{Changed: []string{"a/a.go"}, Work: Work{Hashed: 1}},
		},
		{"same size and times", func(t *testing.T, d string) {
			p := filepath.Join(d, "a/a.go")
			info, err := os.Stat(p)
			must(t, err)
			must(t, os.WriteFile(p, []byte("A"), 0o644))
			must(t, os.Chtimes(p, info.ModTime(), info.ModTime()))
		}, Delta{Changed: []string{"a/a.go"}, Work: Work{Hashed: 1}}},
		{
			"touched", func(t *testing.T, d string) { must(t, os.Chtimes(filepath.Join(d, "a/a.go"), time.Now(), time.Now())) },
			Delta{Work: Work{Hashed: 1}},
		},
		{
			"made executable", func(t *testing.T, d string) { must(t, os.Chmod(filepath.Join(d, "a/a.go"), 0o755)) },
			Delta{Work: Work{Hashed: 1}},
		},
		{
			"added", func(t *testing.T, d string) { repotest.Write(t, d, map[string]string{"a/new.go": "n"}) },
			Delta{Added: []string{"a/new.go"}, Work: Work{Folders: 1}},
		},
		{
			"added in a new folder", func(t *testing.T, d string) { repotest.Write(t, d, map[string]string{"n/e/w.go": "n"}) },
			Delta{Added: []string{"n/e/w.go"}, Work: Work{Folders: 1}},
		},
		{
			"added in an empty folder", func(t *testing.T, d string) {
				repotest.Write(t, d,
					map[string]string{"empty/w.go": "n"})
			},
			Delta{Added: []string{"empty/w.go"}, Work: Work{Folders: 1}},
		},
		{
			"added and ignored", func(t *testing.T, d string) {
				repotest.Write(t, d,
					map[string]string{"a/x.o": "n", "build/x": "n"})
			},
			Delta{Work: Work{Folders: 1}},
		},
		{
			"deleted", func(t *testing.T, d string) { must(t, os.Remove(filepath.Join(d, "a/a.go"))) },
			Delta{Deleted: []string{"a/a.go"}, Work: Work{Folders: 1}},
		},
		{
			"folder deleted", func(t *testing.T, d string) { must(t, os.RemoveAll(filepath.Join(d, "a"))) },
			Delta{Deleted: []string{"a/a.go", "a/b/b.go", "a/kept.o"}, Work: Work{Folders: 1}},
		},
		{
			"folder renamed", func(t *testing.T,
				d string,
			) {
				must(t, os.Rename(filepath.Join(d, "a/b"), filepath.Join(d, "a/c")))
			},
			Delta{Added: []string{"a/c/b.go"}, Deleted: []string{"a/b/b.go"}, Work: Work{Folders: 1}},
		},
		{"became a link", func(t *testing.T, d string) {
			must(t, os.Remove(filepath.Join(d, "a/a.go")))
			must(t, os.Symlink("b/b.go", filepath.Join(d, "a/a.go")))
		}, Delta{Deleted: []string{"a/a.go"}, Work: Work{Folders: 1}}},
		{
			"too large", func(t *testing.T, d string) {
				must(t, os.Truncate(filepath.Join(d, "a/a.go"), listing.DefaultMaxFileSize+1))
			},
			Delta{Deleted: []string{"a/a.go"}},
		},
		{
			"no longer too large", func(t *testing.T, d string) { must(t, os.Truncate(filepath.Join(d, "large"), 5)) },
			Delta{Added: []string{"large"}},
		},
		{
			"ignore file changed",
			func(t *testing.T, d string) {
				repotest.Write(t, d, map[string]string{".gitignore": "*.o\nbuild/\nb.go\n"})
			},
			Delta{Changed: []string{".gitignore"}, Work: Work{Listed: true}},
		},
		{
			"ignore file touched",
			func(t *testing.T, d string) { repotest.Write(t, d, map[string]string{".gitignore": "*.o\nbuild/\n"}) },
			Delta{Work: Work{Hashed: 1}},
		},
		{
			"our ignore file", func(t *testing.T, d string) {
				repotest.Write(t, d,
					map[string]string{"a/.ragnavignore": "b.go\n"})
			},
			Delta{Added: []string{"a/.ragnavignore"}, Deleted: []string{"a/b/b.go"}, Work: Work{Folders: 1, Listed: true}},
		},
		{
			"excluded", func(t *testing.T, d string) { repotest.Write(t, d, map[string]string{".git/info/exclude": "u.go\n"}) },
			Delta{Deleted: []string{"u.go"}, Work: Work{Listed: true}},
		},
		{"excluded by the user's own file", func(t *testing.T, _ string) {
			repotest.Write(t, home(t), map[string]string{"config/git/ignore": "u.go\n"})
		}, Delta{Deleted: []string{"u.go"}, Work: Work{Listed: true}}},
		{"a setting", func(t *testing.T, d string) {
			repotest.Write(t, home(t), map[string]string{"mine": "u.go\n"})
			repotest.Run(t, d, "config", "core.excludesFile", "~/mine")
		}, Delta{Deleted: []string{"u.go"}, Work: Work{Listed: true}}},
		{
			"ignored and tracked", func(t *testing.T, d string) { repotest.Run(t, d, "add", "-f", "a/old.o") },
			Delta{Added: []string{"a/old.o"}},
		},
		{
			"tracked and ignored no more", func(t *testing.T, d string) {
				repotest.Run(t, d, "rm", "-q", "--cached",
					"a/kept.o")
			},
			Delta{Deleted: []string{"a/kept.o"}},
		},
		{"untracked and added", func(t *testing.T, d string) { repotest.Run(t, d, "add", "u.go") }, Delta{}},
		{
			"committed", func(t *testing.T, d string) { repotest.Run(t, d, "commit", "-q", "--allow-empty", "-m", "next") },
			Delta{HeadMoved: true},
		},
		{
			"became a repository", func(t *testing.T, d string) { repotest.Run(t, filepath.Join(d, "nest"), "init", "-q") },
			Delta{Deleted: []string{"nest/n.go"}, Work: Work{Folders: 1, Listed: true}},
		},
		{
			"linked worktree inside", func(t *testing.T, d string) {
				repotest.Run(t, d, "worktree", "add", "-q",
					filepath.Join(d, "w"))
			},
			Delta{Work: Work{Folders: 1}},
		},
		{
			"artifacts", func(t *testing.T, d string) { repotest.Write(t, d, map[string]string{".llmc/rag_graph.json": "{}"}) },
			Delta{Work: Work{Folders: 1}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := repotest.Tree(t, map[string]string{
				".gitignore": "*.o\nbuild/\n", "a/a.go": "a", "a/b/b.go": "b", "a/old.o": "o", "a/kept.o": "k", "build/": "",
				"empty/": "",
			})
			repotest.Run(t, dir, "add", "-f", "a/kept.o")
			repotest.Write(t, dir, map[string]string{"u.go": "u", "nest/n.go": "n", "build/out": "x"})
			must(t, os.WriteFile(filepath.Join(dir, "large"), make([]byte, listing.DefaultMaxFileSize+1), 0o644))
			tree := open(t, dir)
			m := take(t, tree)
			c.change(t, dir)
			got := checked(t, m, tree)
			if got.HeadMoved != c.want.HeadMoved || got.Head != repotest.Run(t, dir, "rev-parse", "HEAD") {
				t.Errorf("HEAD = %s, moved %t", got.Head, got.HeadMoved)
			}
			got.Head, got.HeadMoved, got.Versions = "", false, nil
			c.want.HeadMoved = false
			switch c.name {
			case "too large":
				c.want.TooLarge = []string{"a/a.go", "large"}
			case "no longer too large":
			default:
				c.want.TooLarge = []string{"large"}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("delta (-want +got):\n%s", diff)
			}
			again := checked(t, m, tree)
			if again.Work != (Work{}) {
				t.Errorf("the next check did %+v again", again.Work)
			}
			if diff := cmp.Diff(c.want, again, cmpopts.IgnoreFields(Delta{}, "Work", "Head", "HeadMoved", "Versions")); diff !=
				"" {
				t.Errorf("the next delta (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRacyFilesAreRead: files written just before the manifest was taken can
// change without showing it, so they are read until that is long ago.
func TestRacyFilesAreRead(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir, map[string]string{"a": "1", "b": "1"})
	tree := open(t, dir)
	now := time.Now()
	opts := Options{Now: func() time.Time { return now }}
	m, err := Take(t.Context(), tree, opts, nil)
	must(t, err)
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{0, 2}, {time.Second, 2}, {3 * time.Second, 2}, {3 * time.Second, 0}} {
		opts.Now = func() time.Time { return now.Add(c.after) }
		d, err := m.Check(t.Context(), tree, opts)
		must(t, err)
		if d.Work.Hashed != c.want || !d.Clean() {
			t.Errorf("after %v: %+v, want %d hashed", c.after, d, c.want)
		}
	}
}

func TestTooManyChanges(t *testing.T) {
	dir := repotest.Dir(t)
	fill := func(content string, n int) {
		for i := range n {
			repotest.Write(t, dir, map[string]string{fmt.Sprintf("d%d/f%d", i%7, i): content})
		}
	}
	fill("aa", 700)
	tree := open(t, dir)
	m := take(t, tree)
	fill("bb", 700)
	d := checked(t, m, tree)
	if !d.TooMany || d.Work.Hashed >= 700 || d.Unsure != 700-d.Work.Hashed || len(d.Changed) != d.Work.Hashed ||
		d.Clean() {
		t.Errorf("same size: %d changed, %+v", len(d.Changed), d.Work)
	}
	fill("long", 700)
	if d = checked(t, m, tree); !d.TooMany || d.Work.Hashed != 0 || d.Count() != 700 {
		t.Errorf("other size: %d differ, %+v", d.Count(), d.Work)
	}
	if got, want := d.Some(2), []string{"d0/f0", "d0/f105"}; !slices.Equal(got, want) {
		t.Errorf("some: %v, want %v", got, want)
	}
	fill("aa", 700)
	if d = checked(t, m, tree); d.Clean() != (d.Unsure == 0) || d.Work.Hashed != 700 || d.Count() != 0 {
		t.Errorf("as before: %+v", d)
	}
}

func TestRenew(t *testing.T) {
	dir := repotest.Tree(t, map[string]string{"a": "1", "b": "1", "c": "1"})
	tree := open(t, dir)
	m := take(t, tree)
	before := maps.Collect(m.Files())
	repotest.Write(t, dir, map[string]string{"a": "2", "d/d": "1"})
	must(t, os.Remove(filepath.Join(dir, "b")))
	repotest.Run(t, dir, "add", "-A")
	repotest.Run(t, dir, "commit", "-q", "-m", "next")
	var mu sync.Mutex
	visited := map[string]Hash{}
	next, delta, err := m.Renew(t.Context(), tree, settled, func(p string, content []byte, hash Hash) error {
		mu.Lock()
		defer mu.Unlock()
		if hash != sha256.Sum256(content) {
			t.Errorf("%s: the hash is not that of the content", p)
		}
		visited[p] = hash
		return nil
	})
	must(t, err)
	if got := slices.Sorted(maps.Keys(visited)); !slices.Equal(got, []string{"a", "d/d"}) {
		t.Errorf("visited %v", got)
	}
	if delta.Count() != 3 || !delta.HeadMoved || next.Commit() != delta.Head || m.Commit() == next.Commit() {
		t.Errorf("delta %+v", delta)
	}
	if diff := cmp.Diff(content(t, tree, listing.Limits{}), maps.Collect(next.Files())); diff != "" {
		t.Errorf("next (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, maps.Collect(m.Files())); diff != "" {
		t.Errorf("the old one changed (-want +got):\n%s", diff)
	}
	if d := checked(t, next, tree); !d.Clean() || d.HeadMoved {
		t.Errorf("next: %+v", d)
	}
	if d := checked(t, m, tree); d.Count() != 3 {
		t.Errorf("old: %+v", d)
	}
}

func TestVerify(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir,
		map[string]string{"same": "1", "touched": "1", "size": "1", "content": "1", "gone": "1", "in/link": "1"})
	tree := open(t, dir)
	m := take(t, tree)
	repotest.Write(t, dir, map[string]string{"size": "22", "content": "2", "new": "1"})
	must(t, os.Chtimes(filepath.Join(dir, "touched"), time.Now(), time.Now()))
	must(t, os.Remove(filepath.Join(dir, "gone")))
	must(t, os.Rename(filepath.Join(dir, "in"), filepath.Join(dir, "out")))
	must(t, os.Symlink("out", filepath.Join(dir, "in")))
	all := []string{"touched", "same", "size", "content", "gone", "new", "in/link", "../x", "/etc/passwd", "size"}
	got, err := m.Verify(t.Context(), tree, all)
	must(t, err)
	if diff := cmp.Diff([]string{"../x", "/etc/passwd", "content", "gone", "in/link", "new", "size"}, got); diff != "" {
		t.Errorf("stale (-want +got):\n%s", diff)
	}
	moved, err := moved(t.Context(), tree,
		map[string]Hash{"same": sha256.Sum256([]byte("1")), "size": sha256.Sum256([]byte("1")), "gone": {}})
	must(t, err)
	if diff := cmp.Diff([]string{"gone", "size"}, moved); diff != "" {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
}

func TestCheckErrors(t *testing.T) {
	dir := repotest.Tree(t, map[string]string{"a": "1"})
	tree := open(t, dir)
	m := take(t, tree)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Check(ctx, tree, settled); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	repotest.Write(t, dir, map[string]string{".git/index": "garbage"})
	if d, err := m.Check(t.Context(), tree, settled); err == nil {
		t.Errorf("damaged index: %+v", d)
	}
	must(t, os.RemoveAll(dir))
	if d, err := m.Check(t.Context(), tree, settled); fault.CodeOf(err) != fault.PathNotFound {
		t.Errorf("folder gone: %+v, %v", d, err)
	}
	repotest.Write(t, dir, map[string]string{"a": "1"})
	if d, err := m.Check(t.Context(), tree, settled); fault.CodeOf(err) != fault.PathNotFound {
		t.Errorf("another folder in its place: %+v, %v", d, err)
	}
}

// TestFailedCheckIsNotRemembered: what a check that failed half-way had seen is
// seen again by the next.
func TestFailedCheckIsNotRemembered(t *testing.T) {
	dir := repotest.Tree(t, map[string]string{"a": "1", "b": "1"})
	tree := open(t, dir)
	m := take(t, tree)
	index := repotest.Content(t, dir, ".git", "index")
	repotest.Write(t, dir, map[string]string{"a": "2", "c": "1", ".git/index": "garbage"})
	if _, err := m.Check(t.Context(), tree, settled); err == nil {
		t.Fatal("no error with a damaged index")
	}
	repotest.Write(t, dir, map[string]string{".git/index": index})
	if d := checked(t, m, tree); !slices.Equal(d.Changed, []string{"a"}) || !slices.Equal(d.Added, []string{"c"}) {
		t.Errorf("delta %+v", d)
	}
}

func TestChecksSideBySide(t *testing.T) {
	dir := repotest.Tree(t, map[string]string{"a": "1", "b/b": "1"})
	tree := open(t, dir)
	m := take(t, tree)
	repotest.Write(t, dir, map[string]string{"a": "2", "b/c": "1"})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 5 {
				d, err := m.Check(t.Context(), tree, settled)
				if err != nil || len(d.Changed) != 1 || len(d.Added) != 1 {
					t.Errorf("%+v, %v", d, err)
				}
				if stale, err := m.Verify(t.Context(), tree, []string{"a", "b/b"}); err != nil ||
					!slices.Equal(stale, []string{"a"}) {
					t.Errorf("stale %v, %v", stale, err)
				}
				_ = m.Encode()
			}
		})
	}
	group.Wait()
}
