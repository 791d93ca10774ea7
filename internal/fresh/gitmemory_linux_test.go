package fresh

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// TestGitMemory: what is remembered, here what another process kept, is what git says,
// whatever changed.
func TestGitMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and nothing in it runs side by side")
	}
	newWatchers(t) // skips where the file system is none that is relied upon
	template := repotest.Tree(t, map[string]string{"in/side/a": "1"})
	repotest.Run(t, template, "config", "include.path", "~/included")
	repotest.Run(t, template, "config", "includeIf.onbranch:topic.path", filepath.Join(home(t), "onbranch"))
	repotest.Run(t, template, "branch", "other")
	repotest.Run(t, template, "commit", "-q", "--allow-empty", "-m", "second")
	for name, change := range map[string]func(t *testing.T, top, dir string){
		"nothing": func(*testing.T, string, string) {},
		"commit":  func(t *testing.T, _, dir string) { repotest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "next") },
		"branch":  func(t *testing.T, _, dir string) { repotest.Run(t, dir, "checkout", "-q", "-f", "other") },
		"detached": func(t *testing.T, _, dir string) {
			repotest.Run(t, dir, "checkout", "-q", "-f", "--detach", "other")
		},
		"unborn": func(t *testing.T, _, dir string) { repotest.Run(t, dir, "symbolic-ref", "HEAD", "refs/heads/none") },
		"packed": func(t *testing.T, _, dir string) { repotest.Run(t, dir, "pack-refs", "--all") },
		"packed, then moved": func(t *testing.T, _, dir string) {
			repotest.Run(t, dir, "pack-refs", "--all")
			repotest.Run(t, dir, "update-ref", "HEAD", "other")
		},
		"a ref that leads to another": func(t *testing.T, _, dir string) {
			repotest.Run(t, dir, "symbolic-ref", "refs/heads/main", "refs/heads/other")
		},
		"setting": func(t *testing.T, _, dir string) { repotest.Run(t, dir, "config", "core.excludesFile", "~/mine") },
		"user's": func(t *testing.T, _, _ string) {
			repotest.Write(t, home(t), map[string]string{".gitconfig": "[core]\nexcludesFile = x\n"})
		},
		"user's, other": func(t *testing.T, _, _ string) {
			repotest.Write(t, home(t), map[string]string{"config/git/config": "[core]\nexcludesFile = y\n"})
		},
		"included": func(t *testing.T, _, _ string) {
			repotest.Write(t, home(t), map[string]string{"included": "[core]\nexcludesFile = z\n"})
		},
		"included for a branch": func(t *testing.T, _, dir string) {
			repotest.Write(t, home(t), map[string]string{"onbranch": "[core]\nexcludesFile = b\n"})
			repotest.Run(t, dir, "symbolic-ref", "HEAD", "refs/heads/topic")
		},
		"a repository below": func(t *testing.T, top, _ string) { repotest.Run(t, filepath.Join(top, "in"), "init", "-q") },
		"no git": func(t *testing.T, top, _ string) {
			must(t, os.Rename(filepath.Join(top, ".git"), filepath.Join(top, "away")))
		},
		"another in its place": func(t *testing.T, top, _ string) {
			must(t, os.Rename(filepath.Join(top, ".git"), filepath.Join(top, "away")))
			repotest.Run(t, top, "init", "-q")
		},
	} {
		for _, where := range []string{"top", "below", "worktree"} {
			t.Run(name+", "+where, func(t *testing.T) {
				top := filepath.Join(repotest.Dir(t), "top")
				must(t, os.CopyFS(top, os.DirFS(template)))
				dir := top
				switch where {
				case "below":
					dir = filepath.Join(top, "in", "side")
				case "worktree":
					dir = filepath.Join(repotest.Dir(t), "tree")
					repotest.Run(t, top, "worktree", "add", "-q", "-b", "third", dir)
				}
				tick(t, t.TempDir())
				tree := open(t, dir)
				c := &check{tree: tree, now: settledClock()}
				var before, now Manifest
				must(t, before.git.learn(t.Context(), c))
				now.RememberGit(before.EncodeGit())
				g := &now.git
				if g.stats == nil {
					t.Fatal("nothing is remembered")
				}
				change(t, top, dir)
				for range 3 {
					want, failed := listing.StateOf(t.Context(), tree)
					got, err := g.get(t.Context(), c)
					if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (failed == nil) {
						t.Errorf("(-want +got):\n%s\n%v, %v", diff, failed, err)
					}
				}
			})
		}
	}
}

// What is remembered of a tree asks git nothing, also of a folder that was opened
// since, which then is known to be git's.
func TestGitMemoryAsksNobody(t *testing.T) {
	newWatchers(t) // as above
	dir := repotest.Tree(t, map[string]string{"in/side/a": "1"})
	repotest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "second")
	tick(t, t.TempDir())
	for where, want := range map[string]bool{".": true, "in": false} {
		root := filepath.Join(dir, where)
		var g gitMemory
		var said listing.GitState
		for range 3 {
			var err error
			said, err = g.get(t.Context(), &check{tree: open(t, root), now: settledClock()})
			must(t, err)
		}
		t.Run(where, func(t *testing.T) {
			t.Setenv("PATH", t.TempDir())
			tree := open(t, root)
			got, err := g.get(t.Context(), &check{tree: tree, now: settledClock()})
			must(t, err)
			if same := cmp.Equal(said, got); same != want || tree.Git() != want {
				t.Errorf("without git it is %+v, and git's: %v; it was %+v", got, tree.Git(), said)
			}
		})
	}
}

// Where what another process kept is true no more, the first check does not ask git what
// the next one would have to know.
func TestGitMemoryAsksOnce(t *testing.T) {
	newWatchers(t) // as above
	git, err := exec.LookPath("git")
	must(t, err)
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	script := fmt.Sprintf("#!/bin/sh\necho x >>%q\nexec %q \"$@\"\n", log, git)
	must(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700)) //nolint:gosec // a program
	t.Setenv("PATH", bin)
	dir := repotest.Tree(t, map[string]string{"a": "1"})
	tick(t, t.TempDir())
	var before, now Manifest
	must(t, before.git.learn(t.Context(), &check{tree: open(t, dir), now: settledClock()}))
	now.RememberGit(before.EncodeGit())
	repotest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "next")
	c := &check{tree: open(t, dir), now: settledClock()}
	for nth, want := range []int{3, 4, 0} {
		must(t, os.WriteFile(log, nil, 0o600))
		_, err := now.git.get(t.Context(), c)
		must(t, err)
		ran, err := os.ReadFile(log)
		must(t, err)
		if got := bytes.Count(ran, []byte("\n")); got != want {
			t.Errorf("check %d runs git %d times, want %d", nth, got, want)
		}
	}
}

// What another process kept is of no use where git is another program or reads other
// settings, nor if it is not all there.
func TestGitKeptElsewhere(t *testing.T) {
	newWatchers(t) // as above
	dir := repotest.Tree(t, map[string]string{"a": "1"})
	tick(t, t.TempDir())
	var m Manifest
	must(t, m.git.learn(t.Context(), &check{tree: open(t, dir), now: settledClock()}))
	kept := m.EncodeGit()
	remembers := func(kept []byte) bool {
		var m Manifest
		m.RememberGit(kept)
		return m.git.stats != nil
	}
	if !remembers(kept) {
		t.Fatal("nothing is remembered")
	}
	for n := range kept {
		if remembers(kept[:n]) {
			t.Errorf("%d of %d bytes are remembered", n, len(kept))
		}
	}
	for _, name := range []string{"PATH", "HOME", "XDG_CONFIG_HOME"} {
		t.Run(name, func(t *testing.T) {
			if t.Setenv(name, t.TempDir()); remembers(kept) {
				t.Error("it is remembered")
			}
		})
	}
}
