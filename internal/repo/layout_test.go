package repo

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func layoutOf(t *testing.T, root string, at ...string) Layout {
	t.Helper()
	before := map[string]bool{}
	l, err := open(t, root).Layout(t.Context(), at, Limits{}, func(dir string) { before[dir] = true })
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
	needGit(t)
	dir := t.TempDir()
	write(t, dir, map[string]string{
		".gitignore": "build/\n*.tmp/\n", ".ragnavignore": "ours/\n", "a/b/c.go": "", "empty/": "", "ours/x/": "",
		"build/kept/k": "", "build/other/o": "", "x.tmp/y/": "", ".llmc/z/": "", "nest/n.go": "", "sp ace/:(top)/": "",
		"d/.gitignore": "e/*\n!e/f\n", "d/e/f/": "", "d/e/g/": "",
	})
	symlink(t, "a", dir, "link")
	run(t, dir, "init", "-q")
	run(t, dir, "add", "-f", "build/kept/k")
	run(t, filepath.Join(dir, "nest"), "init", "-q")
	run(t, dir, "worktree", "prune")
	want := Layout{
		Folders: []string{"", "a", "a/b", "build", "build/kept", "d", "d/e", "d/e/f", "empty", "sp ace", "sp ace/:(top)"},
		Nested:  []string{"nest"},
		Ignored: []string{"build", "d/e/g", "ours", "x.tmp"},
	}
	if diff := cmp.Diff(want, layoutOf(t, dir, "")); diff != "" {
		t.Errorf("git (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Layout{Folders: []string{"a/b", "d/e", "d/e/f"}, Ignored: []string{"d/e/g", "ours", "x.tmp"}}, layoutOf(t, dir, "a/b", "d/e", "x.tmp", "ours", "none", "link")); diff != "" {
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
	needGit(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	run(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	run(t, dir, "worktree", "add", "-q", "linked")
	run(t, dir, "init", "-q", "inner")
	write(t, dir, map[string]string{"empty/.git/": "", "file/.git": "gitdir: ../none\n", "text/.git": "x", "plain/": ""})
	tree := open(t, dir)
	for folder, want := range map[string]bool{
		"linked": true, "inner": true, "empty": false, "file": false, "text": false, "plain": false, "none": false,
	} {
		if got := tree.Nested(folder); got != want {
			t.Errorf("Nested(%s) = %t", folder, got)
		}
	}
}

func TestGitState(t *testing.T) {
	needGit(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"a/b/c.go": ""})
	if got, err := open(t, dir).GitState(t.Context()); err != nil || !cmp.Equal(got, GitState{}) {
		t.Errorf("no git: %+v, %v", got, err)
	}
	run(t, dir, "init", "-q")
	state := func(root string) GitState {
		t.Helper()
		s, err := open(t, root).GitState(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	first := state(dir)
	want := []string{filepath.Join(dir, ".git/index"), filepath.Join(dir, ".git/info/exclude"), filepath.Join(home, "git/ignore")}
	if first.Head != "" || !slices.Equal(first.Deciders, want) {
		t.Errorf("no commit: %+v", first)
	}
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "-m", "first")
	run(t, dir, "config", "user.name", "x")
	second := state(filepath.Join(dir, "a/b"))
	want = append(want, filepath.Join(dir, "a/.gitignore"), filepath.Join(dir, ".gitignore"))
	if second.Head != run(t, dir, "rev-parse", "HEAD") || !slices.Equal(second.Deciders, want) || second.Settings != first.Settings {
		t.Errorf("below: %+v", second)
	}
	run(t, dir, "config", "core.excludesFile", "own")
	if third := state(dir); third.Settings == first.Settings || third.Deciders[2] != filepath.Join(dir, "own") {
		t.Errorf("with a setting: %+v", third)
	}
	run(t, dir, "worktree", "add", "-q", filepath.Join(dir, "w"))
	linked := state(filepath.Join(dir, "w"))
	if linked.Head != second.Head || linked.Deciders[0] != filepath.Join(dir, ".git/worktrees/w/index") || linked.Deciders[1] != first.Deciders[1] {
		t.Errorf("linked worktree: %+v", linked)
	}
}

func TestTracked(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	run(t, dir, "init", "-q")
	write(t, dir, map[string]string{".gitignore": "*.o\n", "a.go": "", "b.o": "", "c.o": "", "gone": ""})
	run(t, dir, "add", "-f", "a.go", "b.o", "gone")
	remove(t, dir, "gone")
	tree := open(t, dir)
	all, err := tree.Tracked(t.Context())
	if diff := cmp.Diff([]string{"a.go", "b.o", "gone"}, all); diff != "" || err != nil {
		t.Errorf("tracked (-want +got): %v\n%s", err, diff)
	}
	ignored, err := tree.TrackedIgnored(t.Context())
	if diff := cmp.Diff([]string{"b.o"}, ignored); diff != "" || err != nil {
		t.Errorf("ignored (-want +got): %v\n%s", err, diff)
	}
}
