package fresh

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// guardedGit is a repository whose folders, git's among them, were looked at and are
// watched.
func guardedGit(t *testing.T, before ...func(dir string)) (g guarded, dir string) {
	t.Helper()
	ws := newWatchers(t) // skips where the file system is none that is relied upon
	dir = repotest.Tree(t, map[string]string{"a/a": "1", "b": "1"})
	repotest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "second")
	repotest.Run(t, dir, "branch", "part/other")
	for _, f := range before {
		f(dir)
	}
	tick(t, t.TempDir())
	tree := open(t, dir)
	g = guard(t, take(t, tree), ws, tree)
	for range 3 {
		if d := g.check(settled); !d.Clean() {
			t.Fatalf("%v differ", d.Some(5))
		}
	}
	opts := settled
	opts.Watchers = ws
	for i := range 2 {
		d, same := g.Unchanged(t.Context(), tree, opts, new(Looks))
		if !same {
			t.Fatalf("look %d: it is not known to be unchanged", i)
		}
		if want := g.check(settled); d.Head == "" || d.Head != want.Head || d.HeadMoved != want.HeadMoved {
			t.Fatalf("look %d: HEAD is %q, moved: %v; a check finds %q, %v", i, d.Head, d.HeadMoved, want.Head, want.HeadMoved)
		}
	}
	return g, dir
}

// TestUnchangedSeesGit: whatever happens to git's files, a check is made.
func TestUnchangedSeesGit(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, dir string){
		"commit": func(t *testing.T, dir string) {
			repotest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "next")
		},
		"ref":    func(t *testing.T, dir string) { repotest.Run(t, dir, "update-ref", "HEAD", "HEAD~1") },
		"branch": func(t *testing.T, dir string) { repotest.Run(t, dir, "symbolic-ref", "HEAD", "refs/heads/part/other") },
		"packed": func(t *testing.T, dir string) { repotest.Run(t, dir, "pack-refs", "--all") },
		"setting": func(t *testing.T, dir string) {
			repotest.Run(t, dir, "config", "core.excludesFile", "/none")
		},
		"user's": func(t *testing.T, _ string) {
			repotest.Write(t, home(t), map[string]string{".gitconfig": "[core]\nexcludesFile = x\n"})
		},
		"excluded": func(t *testing.T, dir string) {
			repotest.Write(t, dir, map[string]string{".git/info/exclude": "b\n"})
		},
		"index": func(t *testing.T, dir string) { repotest.Run(t, dir, "rm", "-q", "--cached", "b") },
		"no git": func(t *testing.T, dir string) {
			must(t, os.Rename(filepath.Join(dir, ".git"), filepath.Join(dir, "away")))
		},
		"refs away and back": func(t *testing.T, dir string) {
			must(t, os.Rename(filepath.Join(dir, ".git/refs"), filepath.Join(dir, ".git/away")))
			must(t, os.Rename(filepath.Join(dir, ".git/away"), filepath.Join(dir, ".git/refs")))
		},
		"nothing": nil,
	} {
		t.Run(name, func(t *testing.T) {
			g, dir := guardedGit(t)
			if change != nil {
				change(t, dir)
			}
			if same := g.unchanged(settled); same != (change == nil) {
				t.Errorf("unchanged: %v", same)
			}
		})
	}
}

// TestUnchangedIsNotTrustedForLong: without events git's files are not looked at, for
// some time.
func TestUnchangedIsNotTrustedForLong(t *testing.T) {
	g, dir := guardedGit(t)
	head := slices.Index(g.git.paths, filepath.Join(dir, ".git/HEAD"))
	if head < 0 {
		t.Fatalf("git reads no HEAD: %v", g.git.paths)
	}
	w := g.watching.watcher
	g.git.stats[head].mtime++
	if !g.unchanged(settled) {
		t.Error("git's files were looked at without need")
	}
	w.git.looked = w.git.looked.Add(-g.ws.trust - time.Second)
	if g.unchanged(settled) {
		t.Error("they were not looked at once trust was over")
	}
}

// TestUnchangedWatchesNewFolders: what comes to be in a folder of git's that was not there
// is seen.
func TestUnchangedWatchesNewFolders(t *testing.T) {
	g, dir := guardedGit(t, func(dir string) { must(t, os.RemoveAll(filepath.Join(dir, ".git/info"))) })
	info, rules := filepath.Join(dir, ".git/info"), filepath.Join(dir, ".git/info/sparse-checkout")
	must(t, os.Mkdir(info, 0o755))
	g.check(settled)
	g.check(settled)
	if !g.unchanged(settled) {
		t.Fatal("it is not known to be unchanged with the folder")
	}
	must(t, os.WriteFile(rules, []byte("/*\n"), 0o600))
	if g.unchanged(settled) {
		t.Error("a file in a new folder was not seen")
	}
}

// TestUnchangedSaysNothingOfSparse: where git may keep files out of the folder, who
// asks has to look for himself.
func TestUnchangedSaysNothingOfSparse(t *testing.T) {
	g, dir := guardedGit(t)
	rules := filepath.Join(dir, ".git/info/sparse-checkout")
	repotest.Write(t, dir, map[string]string{".git/info/sparse-checkout": "/*\n"})
	for range 3 {
		g.check(settled)
		if g.unchanged(settled) {
			t.Error("it is called unchanged, though git may keep files out of it")
		}
	}
	must(t, os.Remove(rules))
	g.check(settled)
	if !g.unchanged(settled) {
		t.Error("it is not known to be unchanged again")
	}
}
