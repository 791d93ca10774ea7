package artifact

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/repo/repotest"

	"github.com/ragnav/ragnav/internal/fresh"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// TestDecide is spec 002 §4 row by row.
func TestDecide(t *testing.T) {
	with := func(state models.IndexState, commit string) *IndexStatus {
		s := status(state, commit)
		return &s
	}
	cases := []struct {
		name  string
		facts Facts
		use   bool
		want  models.Freshness
	}{
		{"no status file", Facts{}, false, models.Unknown},
		{"no status file, HEAD known", Facts{Head: "a"}, false, models.Unknown},
		{"damaged status file", Facts{Problem: unusable(errCorrupt), Head: "a"}, false, models.Unknown},
		{"status of another version", Facts{Problem: unusable(errSchema), Head: "a"}, false, models.Unknown},
		{"never indexed", Facts{Status: with(models.StateNever, ""), Head: "a"}, false, models.Stale},
		{"being indexed", Facts{Status: with(models.StateIndexing, "a"), Head: "a"}, false, models.Stale},
		{"failed", Facts{Status: with(models.StateError, "a"), Head: "a"}, false, models.Stale},
		{"state unknown to us", Facts{Status: with("paused", "a"), Head: "a"}, false, models.Stale},
		{"state missing", Facts{Status: with("", "a"), Head: "a"}, false, models.Stale},
		{"state in capitals", Facts{Status: with("FRESH", "a"), Head: "a"}, false, models.Stale},
		{"HEAD missing", Facts{Status: with(models.StateFresh, "a")}, false, models.Unknown},
		{
			"HEAD not to be told",
			Facts{Status: with(models.StateFresh, "a"), HeadErr: errors.New("git")},
			false,
			models.Unknown,
		},
		{"commit missing", Facts{Status: with(models.StateFresh, ""), Head: "a"}, false, models.Unknown},
		{"both missing", Facts{Status: with(models.StateFresh, "")}, false, models.Unknown},
		{"equal", Facts{Status: with(models.StateFresh, "a"), Head: "a"}, true, models.Fresh},
		{"different", Facts{Status: with(models.StateFresh, "a"), Head: "b"}, false, models.Stale},
		{"commit abbreviated", Facts{Status: with(models.StateFresh, "abcd"), Head: "abcdef"}, false, models.Stale},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := decide(c.facts)
			if got.UseRAG != c.use || got.Freshness != c.want || got.Reason == "" || got.Status != c.facts.Status {
				t.Errorf("got %+v, want use %t, %s", got, c.use, c.want)
			}
		})
	}
}

// TestComputeRoute uses real repositories. Each case makes one and says what
// HEAD is, which is then written to the status.
func TestComputeRoute(t *testing.T) {
	one := map[string]string{"a.go": "package a\n"}
	head := func(dir string) string { return repotest.Run(t, dir, "rev-parse", "HEAD") }
	cases := []struct {
		name string
		make func(t *testing.T) (dir, commit string)
		use  bool
		want models.Freshness
	}{
		{"on a branch", func(t *testing.T) (string, string) {
			d := repotest.Tree(t,
				one)
			return d, head(d)
		}, true, models.Fresh},
		{"moved on", func(t *testing.T) (string, string) {
			d := repotest.Tree(t, one)
			was := head(d)
			repotest.Run(t, d, "commit", "-q", "--allow-empty", "-m", "second")
			return d, was
		}, false, models.Stale},
		{"no commit yet", func(t *testing.T) (string, string) {
			repotest.NeedGit(t)
			d := repotest.Dir(t)
			repotest.Run(t, d, "init", "-q")
			return d, "abc"
		}, false, models.Unknown},
		{"detached", func(t *testing.T) (string, string) {
			d := repotest.Tree(t, one)
			repotest.Run(t, d, "checkout", "-q", "--detach")
			return d, head(d)
		}, true, models.Fresh},
		{"packed refs", func(t *testing.T) (string, string) {
			d := repotest.Tree(t, one)
			repotest.Run(t, d, "pack-refs", "--all")
			repotest.Run(t, d, "gc", "-q")
			return d, head(d)
		}, true, models.Fresh},
		{"linked worktree", func(t *testing.T) (string, string) {
			d, w := repotest.Tree(t, one), filepath.Join(repotest.Dir(t), "w")
			repotest.Run(t, d, "worktree", "add", "-q", "-b", "other", w)
			repotest.Run(t, w, "commit", "-q", "--allow-empty", "-m", "there")
			return w, head(w)
		}, true, models.Fresh},
		{"linked worktree, commit of the main one", func(t *testing.T) (string, string) {
			d, w := repotest.Tree(t, one), filepath.Join(repotest.Dir(t), "w")
			repotest.Run(t, d, "worktree", "add", "-q", "-b", "other", w)
			repotest.Run(t, w, "commit", "-q", "--allow-empty", "-m", "there")
			return w, head(d)
		}, false, models.Stale},
		{"submodule", func(t *testing.T) (string, string) {
			inner, outer := repotest.Tree(t, one), repotest.Tree(t, one)
			repotest.Run(t, outer, "submodule", "add", "-q", inner, "sub")
			repotest.Run(t, outer, "commit", "-q", "-m", "sub")
			sub := filepath.Join(outer, "sub")
			return sub, head(sub)
		}, true, models.Fresh},
		{"folder of a repository", func(t *testing.T) (string, string) {
			d := repotest.Tree(t, map[string]string{"in/a.go": "x"})
			return filepath.Join(d, "in"), head(d)
		}, true, models.Fresh},
		{"ignored folder of a repository", func(t *testing.T) (string, string) {
			d := repotest.Tree(t, map[string]string{"a.go": "x", ".gitignore": "in/\n"})
			repotest.Write(t, d, map[string]string{"in/a.go": "x"})
			return filepath.Join(d, "in"), head(d)
		}, false, models.Unknown},
		{"bare", func(t *testing.T) (string, string) {
			d, bare := repotest.Tree(t, one), filepath.Join(repotest.Dir(t), "b.git")
			repotest.Run(t, d, "clone", "-q", "--bare", d, bare)
			return bare, head(d)
		}, false, models.Unknown},
		{"shallow", func(t *testing.T) (string, string) {
			d, clone := repotest.Tree(t, one), filepath.Join(repotest.Dir(t), "c")
			repotest.Run(t, d, "commit", "-q", "--allow-empty", "-m", "second")
			repotest.Run(t, d, "clone", "-q", "--depth", "1", "file://"+d, clone)
			return clone, head(d)
		}, true, models.Fresh},
		{"not a repository", func(t *testing.T) (string, string) { return repotest.Dir(t), "abc" }, false, models.Unknown},
		{"HEAD is garbage", func(t *testing.T) (string, string) {
			d := repotest.Tree(t, one)
			was := head(d)
			repotest.Write(t, d, map[string]string{".git/HEAD": "garbage\n"})
			return d, was
		}, false, models.Unknown},
		{"HEAD is a folder", func(t *testing.T) (string, string) {
			d := repotest.Tree(t, one)
			was := head(d)
			must(t, os.Remove(filepath.Join(d, ".git/HEAD")))
			must(t, os.Mkdir(filepath.Join(d, ".git/HEAD"), 0o755))
			return d, was
		}, false, models.Unknown},
		{"the branch is garbage", func(t *testing.T) (string, string) {
			d := repotest.Tree(t, one)
			was := head(d)
			repotest.Write(t, d, map[string]string{".git/refs/heads/main": "garbage\n"})
			return d, was
		}, false, models.Unknown},
		{"sha256", func(t *testing.T) (string, string) {
			repotest.NeedGit(t)
			d := repotest.Dir(t)
			if out, err := repotest.Try(t, d, "init", "-q", "--object-format=sha256"); err != nil {
				t.Skipf("SKIPPED: this git has no sha256: %s", out)
			}
			repotest.Run(t, d, "commit", "-q", "--allow-empty", "-m", "first")
			return d, head(d)
		}, true, models.Fresh},
		{"reftable", func(t *testing.T) (string, string) {
			repotest.NeedGit(t)
			d := repotest.Dir(t)
			if out, err := repotest.Try(t, d, "init", "-q", "--ref-format=reftable"); err != nil {
				t.Skipf("SKIPPED: this git has no reftable: %s", out)
			}
			repotest.Run(t, d, "commit", "-q", "--allow-empty", "-m", "first")
			return d, head(d)
		}, true, models.Fresh},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir, commit := c.make(t)
			tree := open(t, dir)
			if got := ComputeRoute(t.Context(), tree); got.UseRAG || got.Freshness != models.Unknown {
				t.Errorf("without a status: %+v", got)
			}
			must(t, SaveStatus(tree, status(models.StateIndexing, commit)))
			if got := ComputeRoute(t.Context(), tree); got.UseRAG || got.Freshness != models.Stale {
				t.Errorf("while indexing: %+v", got)
			}
			must(t, SaveStatus(tree, status(models.StateFresh, commit)))
			if got := ComputeRoute(t.Context(), tree); got.UseRAG != c.use || got.Freshness != c.want {
				t.Errorf("got %+v, want use %t, %s", got, c.use, c.want)
			}
			must(t, os.WriteFile(filepath.Join(dir, Dir, StatusFile), []byte("{"), 0o644))
			if got := ComputeRoute(t.Context(), tree); got.UseRAG || got.Freshness != models.Unknown || got.Status != nil {
				t.Errorf("with a damaged status: %+v", got)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	built, failed := status(models.StateFresh, "a"), status(models.StateError, "a")
	none := status(models.StateFresh, "")
	known := decide(Facts{Status: &built, Head: "a"})
	moved := decide(Facts{Status: &built, Head: "b"})
	cases := []struct {
		name  string
		route Route
		delta *fresh.Delta
		graph bool
		live  int
		want  models.Freshness
	}{
		{"clean", known, &fresh.Delta{}, true, 0, models.Fresh},
		{"HEAD moved, every file equal", moved, &fresh.Delta{HeadMoved: true}, true, 0, models.Fresh},
		{"no git, every file equal", decide(Facts{Status: &built}), &fresh.Delta{}, true, 0, models.Unknown},
		{
			"built of no commit, every file equal", decide(Facts{Status: &none, Head: "a"}), &fresh.Delta{}, true, 0,
			models.Unknown,
		},
		{
			"some differ", known, &fresh.Delta{Changed: []string{"a"}, Added: []string{"b"}, Deleted: []string{"c"}}, true, 2,
			models.Fresh,
		},
		{"too many differ", known, &fresh.Delta{TooMany: true}, false, 0, models.Stale},
		{"files not compared", known, nil, false, 0, models.Unknown},
		{"moved, files not compared", moved, nil, false, 0, models.Stale},
		{"no status", decide(Facts{}), &fresh.Delta{}, false, 0, models.Unknown},
		{"failed build", decide(Facts{Status: &failed}), &fresh.Delta{}, false, 0, models.Stale},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := Judge(c.route, c.delta)
			if got.Graph != c.graph || len(got.Live) != c.live || got.Freshness != c.want ||
				(got.Source == models.SourceGraph) != c.graph {
				t.Errorf("got %+v", got)
			}
		})
	}
}
