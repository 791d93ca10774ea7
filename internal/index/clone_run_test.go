package index_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// A clone is what its remote has, whatever happened to the remote and to the
// clone since the last run; a remote that is gone leaves the index as it was.
func TestCloneFollowsItsRemote(t *testing.T) {
	b := setUp(t, nil)
	work, origin := t.TempDir(), filepath.Join(t.TempDir(), "tool.git")
	put := func(name, text string) {
		t.Helper()
		repotest.Write(t, work, map[string]string{name: text})
	}
	git := func(args ...string) { t.Helper(); gitIn(t, work, args...) }
	commit := func(args ...string) {
		t.Helper()
		git("add", "-A")
		git(append([]string{"commit", "-q", "-m", "work"}, args...)...)
	}
	git("init", "-q")
	put("a.go", "package a\n\nfunc A() {}\n")
	put("d/b.go", "package d\n\nfunc B() {}\n")
	commit()
	git("clone", "-q", "--bare", work, origin)
	git("remote", "add", "origin", origin)
	clones := t.TempDir()
	b.open(index.Config{ReposDir: clones})
	clone := filepath.Join(clones, "tool")
	start := func(b *bench) jobs.Job {
		t.Helper()
		res, err := b.service.Start(t.Context(), index.StartRequest{Targets: []string{"file://" + origin}})
		if err != nil {
			t.Fatal(err)
		}
		return b.wait(res.Items[0])
	}
	for _, step := range []struct {
		name   string
		change func()
		fails  string
	}{
		{"first", func() {}, ""},
		{
			"a new commit", func() { put("c.go", "package a\n\nfunc C() {}\n"); commit(); git("push", "-q", "origin", "main") },
			"",
		},
		{"history is rewritten", func() {
			put("a.go", "package a\n\nfunc Rewritten() {}\n")
			git("rm", "-q", "-r", "d")
			commit("--amend")
			git("push", "-q", "--force", "origin", "main")
		}, ""},
		{"history begins again", func() {
			git("checkout", "-q", "--orphan", "fresh")
			put("e.go", "package a\n\nfunc E() {}\n")
			commit()
			git("push", "-q", "--force", "origin", "fresh:main")
		}, ""},
		{"another default branch", func() {
			put("f.go", "package a\n\nfunc F() {}\n")
			commit()
			git("push", "-q", "origin", "fresh:next")
			gitIn(t, origin, "symbolic-ref", "HEAD", "refs/heads/next")
		}, ""},
		{"somebody worked in the clone", func() {
			repotest.Write(t, clone, map[string]string{
				"mine.go": "package mine\n", "a.go": "package changed\n", ".git/info/exclude": "mine.go\n",
			})
		}, ""},
		{"git was killed in the clone", func() {
			put("g.go", "package a\n\nfunc G() {}\n")
			commit()
			git("push", "-q", "origin", "fresh:next")
			for _, name := range []string{"index.lock", "shallow.lock"} {
				if err := os.WriteFile(filepath.Join(clone, ".git", name), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}, ""},
		{
			"the default branch is gone", func() { gitIn(t, origin, "symbolic-ref", "HEAD", "refs/heads/nothing") },
			"no default branch",
		},
		{"the remote is gone", func() {
			if err := os.Rename(origin, origin+".away"); err != nil {
				t.Fatal(err)
			}
		}, "can't clone"},
		{"the remote is back", func() {
			if err := os.Rename(origin+".away", origin); err != nil {
				t.Fatal(err)
			}
			gitIn(t, origin, "symbolic-ref", "HEAD", "refs/heads/main")
		}, ""},
		{"the clone is gone", func() {
			if err := os.RemoveAll(clone); err != nil {
				t.Fatal(err)
			}
		}, ""},
	} {
		before := b.ids()
		step.change()
		j := start(b)
		if step.fails != "" {
			if j.State != jobs.Failed || !strings.Contains(*j.Error, step.fails) {
				t.Errorf("%s: job %+v", step.name, j)
			}
			if diff := cmp.Diff(before, b.ids()); diff != "" {
				t.Errorf("%s: documents of a failed run:\n%s", step.name, diff)
			}
			continue
		}
		if j.State != jobs.Done {
			t.Fatalf("%s: job %+v: %s", step.name, j, *j.Error)
		}
		clean := setUp(t, nil)
		clean.open(index.Config{ReposDir: t.TempDir()})
		start(clean)
		if diff := cmp.Diff(timeless(clean.store.all()), timeless(b.store.all())); diff != "" || len(b.ids()) == 0 {
			t.Errorf("%s: the index (+) is not that of a new clone (-), of %d documents:\n%s", step.name, len(b.ids()), diff)
		}
	}
	if res, err := b.service.Remove(t.Context(), index.RemoveRequest{RepoID: "tool"}); err != nil || !res.Items[0].Clone {
		t.Fatalf("%+v, %v, want that the clone is deleted", res.Items, err)
	}
	if left, err := os.ReadDir(clones); err != nil || len(left) > 0 || len(b.ids()) > 0 || len(b.store.records) > 0 {
		t.Errorf("left behind: %v, %v, %d documents, %v", left, err, len(b.ids()), b.store.records)
	}
}

// Remotes with paths that end alike are repositories of their own, and keep their
// ids: of one request, of several, and when one of them was removed.
func TestClonesWithOneName(t *testing.T) {
	b := setUp(t, nil)
	b.open(index.Config{ReposDir: t.TempDir()})
	top := t.TempDir()
	var urls []string
	for _, dir := range []string{"x", "y", "z"} {
		work := filepath.Join(top, dir, "repo")
		if err := os.MkdirAll(work, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(work, dir+".go"), []byte("package "+dir+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		gitIn(t, work, "init", "-q")
		gitIn(t, work, "add", "-A")
		gitIn(t, work, "commit", "-q", "-m", "work")
		urls = append(urls, "file://"+work)
	}
	run := func(want []models.RepoID, urls ...string) {
		t.Helper()
		res, err := b.service.Start(t.Context(), index.StartRequest{Targets: urls})
		if err != nil {
			t.Fatal(err)
		}
		for i, j := range res.Items {
			if done := b.wait(j); done.RepoID != want[i] || done.State != jobs.Done {
				t.Errorf("%s: %+v, want it done as %s", urls[i], done, want[i])
			}
		}
	}
	run([]models.RepoID{"repo", "repo-y"}, urls[:2]...)
	run([]models.RepoID{"repo-z"}, urls[2])
	if _, err := b.service.Remove(t.Context(), index.RemoveRequest{RepoID: "repo"}); err != nil {
		t.Fatal(err)
	}
	run([]models.RepoID{"repo-y", "repo-z"}, urls[1:]...)
	run([]models.RepoID{"repo"}, urls[0])
}
