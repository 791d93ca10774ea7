package worktrees

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func TestBelow(t *testing.T) {
	repotest.NeedGit(t)
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repository := func(name string) string {
		dir := filepath.Join(top, name)
		repotest.Write(t, dir, map[string]string{"a.go": "package a\n"})
		repotest.Run(t, dir, "init", "-q")
		repotest.Run(t, dir, "add", ".")
		repotest.Run(t, dir, "commit", "-qm", "one")
		return dir
	}
	a := repository("b/a")
	repository("b/deep/er/c")
	repository("z")
	repository("z/nested")      // part of z
	repository(".cache/hidden") // nobody means that
	repotest.Run(t, a, "worktree", "add", "-q", filepath.Join(top, "a-linked"))
	repotest.Run(t, a, "worktree", "add", "-q", filepath.Join(a, "inside"))
	repotest.Run(t, top, "clone", "-q", "--bare", a, filepath.Join(top, "bare.git"))
	repotest.Run(t, filepath.Join(top, "bare.git"), "worktree", "add", "-q", filepath.Join(top, "of-bare", "one"), "-b",
		"one")
	repotest.Run(t, filepath.Join(top, "bare.git"), "worktree", "add", "-q", filepath.Join(top, "of-bare", "two"), "-b",
		"two")
	repotest.Run(t, top, "clone", "-q", "--separate-git-dir", filepath.Join(top, ".elsewhere"), a,
		filepath.Join(top, "separate"))
	repotest.Run(t, filepath.Join(top, "z"), "submodule", "--quiet", "add", a, "sub")
	repotest.Write(t, top, map[string]string{
		"plain/a.go": "", "odd/.git/README": "not git's",
		"file/.git": "gitdir: /nowhere\n", "text/.git": "x",
	})
	repotest.Symlink(t, a, top, "link")
	for folder, want := range map[string][]string{
		"":       {"b/a", "b/deep/er/c", "of-bare/one", "separate", "z"},
		"b":      {"b/a", "b/deep/er/c"},
		"b/a":    {"b/a"},
		"plain":  nil,
		"odd":    nil,
		".cache": {".cache/hidden"}, // asked for
	} {
		roots, unreadable, err := Below(t.Context(), filepath.Join(top, folder))
		if err != nil || len(unreadable) > 0 {
			t.Fatalf("%s: %v, %v", folder, unreadable, err)
		}
		var got []string
		for _, root := range roots {
			rel, err := filepath.Rel(top, root)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(rel))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("below %q (-want +got):\n%s", folder, diff)
		}
	}
	if _, _, err := Below(t.Context(), filepath.Join(top, "nope")); fault.CodeOf(err) != fault.PathNotFound {
		t.Errorf("no such folder: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Below(cancelled, top); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("nobody waits: %v", err)
	}
}

func TestBelowManyRepositories(t *testing.T) {
	top := t.TempDir()
	for i := range MaxBelow + 1 {
		dir := filepath.Join(top, string(rune('a'+i%26)), string(rune('a'+i/26%26))+string(rune('a'+i/676)), ".git")
		if err := os.MkdirAll(dir, 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := Below(t.Context(), top); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("got %v", err)
	}
}
