package listing

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func layoutOf(t *testing.T, root string, at ...string) Layout {
	t.Helper()
	before := map[string]bool{}
	l, err := FindLayout(t.Context(), open(t, root), at, Limits{}, func(dir string) { before[dir] = true })
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range l.Folders {
		if !before[dir] {
			t.Errorf("%q was not announced", dir)
		}
	}
	return l
}

func TestLayout(t *testing.T) {
	repotest.NeedGit(t)
	dir := t.TempDir()
	repotest.Write(t, dir, map[string]string{
		".gitignore": "build/\n*.tmp/\n", ".ragnavignore": "ours/\n", "a/b/c.go": "", "empty/": "", "ours/x/": "",
		"build/kept/k": "", "build/other/o": "", "x.tmp/y/": "", ".llmc/z/": "", "nest/n.go": "", "sp ace/:(top)/": "",
		"d/.gitignore": "e/*\n!e/f\n", "d/e/f/": "", "d/e/g/": "",
	})
	repotest.Symlink(t, "a", dir, "link")
	repotest.Run(t, dir, "init", "-q")
	repotest.Run(t, dir, "add", "-f", "build/kept/k")
	repotest.Run(t, filepath.Join(dir, "nest"), "init", "-q")
	repotest.Run(t, dir, "worktree", "prune")
	want := Layout{
		Folders: []string{"", "a", "a/b", "build", "build/kept", "d", "d/e", "d/e/f", "empty", "sp ace", "sp ace/:(top)"},
		Nested:  []string{"nest"},
		Ignored: []string{"build", "d/e/g", "ours", "x.tmp"},
	}
	if diff := cmp.Diff(want, layoutOf(t, dir, "")); diff != "" {
		t.Errorf("git (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Layout{Folders: []string{"a/b", "d/e", "d/e/f"}, Ignored: []string{"d/e/g", "ours", "x.tmp"}},
		layoutOf(t, dir, "a/b", "d/e", "x.tmp", "ours", "none", "link")); diff != "" {
		t.Errorf("part (-want +got):\n%s", diff)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	want.Folders = []string{"", "a", "a/b", "d", "d/e", "d/e/f", "empty", "nest", "sp ace", "sp ace/:(top)"}
	want.Nested, want.Ignored = nil, []string{"build", "d/e/g", "ours", "x.tmp"}
	if diff := cmp.Diff(want, layoutOf(t, dir, "")); diff != "" {
		t.Errorf("no git (-want +got):\n%s", diff)
	}
}

func TestNested(t *testing.T) {
	repotest.NeedGit(t)
	dir := t.TempDir()
	repotest.Run(t, dir, "init", "-q")
	repotest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	repotest.Run(t, dir, "worktree", "add", "-q", "linked")
	repotest.Run(t, dir, "init", "-q", "inner")
	repotest.Write(t, dir, map[string]string{
		"empty/.git/": "", "file/.git": "gitdir: ../none\n", "text/.git": "x",
		"plain/": "",
	})
	tree := open(t, dir)
	for folder, want := range map[string]bool{
		"linked": true, "inner": true, "empty": false, "file": false, "text": false, "plain": false, "none": false,
	} {
		if got := Nested(tree, folder); got != want {
			t.Errorf("Nested(%s) = %t", folder, got)
		}
	}
}

func TestGitState(t *testing.T) {
	repotest.NeedGit(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repotest.Write(t, dir, map[string]string{"a/b/c.go": ""})
	if got, err := StateOf(t.Context(), open(t, dir)); err != nil || !cmp.Equal(got, GitState{}) {
		t.Errorf("no git: %+v, %v", got, err)
	}
	repotest.Run(t, dir, "init", "-q")
	state := func(root string) GitState {
		t.Helper()
		s, err := StateOf(t.Context(), open(t, root))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	first := state(dir)
	want := []string{
		filepath.Join(dir, ".git/index"), filepath.Join(dir, ".git/info/exclude"),
		filepath.Join(home, "git/ignore"),
	}
	if first.Head != "" || !slices.Equal(first.Deciders, want) {
		t.Errorf("no commit: %+v", first)
	}
	repotest.Run(t, dir, "add", "-A")
	repotest.Run(t, dir, "commit", "-q", "-m", "first")
	repotest.Run(t, dir, "config", "user.name", "x")
	second := state(filepath.Join(dir, "a/b"))
	want = append(want, filepath.Join(dir, "a/.gitignore"), filepath.Join(dir, ".gitignore"))
	if second.Head != repotest.Run(t, dir, "rev-parse", "HEAD") || !slices.Equal(second.Deciders, want) ||
		second.Settings != first.Settings {
		t.Errorf("below: %+v", second)
	}
	repotest.Run(t, dir, "config", "core.excludesFile", "own")
	if third := state(dir); third.Settings == first.Settings || third.Deciders[2] != filepath.Join(dir, "own") {
		t.Errorf("with a setting: %+v", third)
	}
	repotest.Run(t, dir, "worktree", "add", "-q", filepath.Join(dir, "w"))
	linked := state(filepath.Join(dir, "w"))
	if linked.Head != second.Head || linked.Deciders[0] != filepath.Join(dir, ".git/worktrees/w/index") ||
		linked.Deciders[1] != first.Deciders[1] {
		t.Errorf("linked worktree: %+v", linked)
	}
}

func TestTracked(t *testing.T) {
	repotest.NeedGit(t)
	dir := t.TempDir()
	repotest.Run(t, dir, "init", "-q")
	repotest.Write(t, dir, map[string]string{".gitignore": "*.o\n", "a.go": "", "b.o": "", "c.o": "", "gone": ""})
	repotest.Run(t, dir, "add", "-f", "a.go", "b.o", "gone")
	repotest.Remove(t, dir, "gone")
	tree := open(t, dir)
	all, err := Tracked(t.Context(), tree)
	if diff := cmp.Diff([]string{"a.go", "b.o", "gone"}, all); diff != "" || err != nil {
		t.Errorf("tracked (-want +got): %v\n%s", err, diff)
	}
	ignored, err := TrackedIgnored(t.Context(), tree)
	if diff := cmp.Diff([]string{"b.o"}, ignored); diff != "" || err != nil {
		t.Errorf("ignored (-want +got): %v\n%s", err, diff)
	}
}
