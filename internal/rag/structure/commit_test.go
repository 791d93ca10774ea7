package structure_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/structure"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// then is a repository below the top of a work tree, with one commit and edits
// behind it.
func then(t *testing.T) (f fake, commit string) {
	t.Helper()
	repotest.NeedGit(t)
	top := t.TempDir()
	f = fake{root: filepath.Join(top, "in")}
	repotest.Write(t, top, map[string]string{
		"beside.go": "package beside\n", "in/README.md": "# Then\n", "in/main.go": "package main\n\nfunc main() {}\n",
		"in/.env": "KEY=1\nSECRET=2\n", "in/same/a.go": "package a\n", "in/same/b.txt": "b", "in/gone/x.py": "x = 1\n",
		"in/sub/deep/d.go": "package d\n",
	})
	for link, target := range map[string]string{"to": "same", "up": "../beside.go", "main.txt": "main.go"} {
		if err := os.Symlink(target, filepath.Join(f.root, link)); err != nil {
			t.Skip("SKIPPED: no symlinks here: ", err)
		}
	}
	repotest.Run(t, top, "init", "-q")
	repotest.Run(t, top, "add", "-A")
	repotest.Run(t, top, "commit", "-qm", "one")
	commit = repotest.Run(t, top, "rev-parse", "HEAD")
	repotest.Write(t, f.root, map[string]string{
		"main.go": "package main\n", "new/n.go": "package n\n", "sub/deep/e.go": "package d\n",
	})
	if err := os.RemoveAll(filepath.Join(f.root, "gone")); err != nil {
		t.Fatal(err)
	}
	return f, commit
}

func TestExploreCommit(t *testing.T) {
	f, commit := then(t)
	for _, test := range []struct {
		name      string
		req       structure.Request
		want      string // folders, and files with their lines
		stale     string
		says      string
		freshness models.Freshness
	}{
		{
			"the root",
			structure.Request{IncludeSummaries: true},
			"gone/ same/ sub/ to/ .env:0 README.md:1 main.go:3 main.txt:3", "gone/ main.go new/",
			`"gone/" and 2 others have changed since, leave commit out`, models.Stale,
		},
		{"a folder as it was", structure.Request{Path: "same"}, "a.go:1 b.txt:1", "", "the same as now", models.Fresh},
		{"a folder that is gone", structure.Request{Path: "gone/"}, "x.py:1", "gone/x.py", "has changed", models.Stale},
		{"through a symlink", structure.Request{Path: "to"}, "a.go:1 b.txt:1", "", "the same as now", models.Fresh},
		{
			"below",
			structure.Request{Pattern: "**/*.go"},
			"main.go:3 same/a.go:1 sub/deep/d.go:1", "main.go new/n.go sub/deep/e.go", "", models.Stale,
		},
		{"a pattern", structure.Request{Pattern: "*.md"}, "README.md:1", "", "the same as now", models.Fresh},
		{"nothing", structure.Request{Pattern: "*.x"}, "", "", `matches "*.x"`, models.Fresh},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.req.Commit = commit[:9]
			res := explore(t, f, test.req)
			item := res.Items[0]
			got := append([]string{}, item.Directories...)
			for _, file := range item.Files {
				got = append(got, strings.TrimPrefix(file.Path, strings.Trim(test.req.Path, "/")+"/")+":"+
					string(rune('0'+file.LineCount)))
			}
			listed := strings.ReplaceAll(strings.Join(got, " "), "same/a.go:1 same/b", "a.go:1 b")
			if test.req.Pattern != "" {
				listed = strings.Join(got, " ")
			}
			if diff := cmp.Diff(test.want, listed); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.stale, strings.Join(res.Meta.StaleFiles, " ")); diff != "" {
				t.Error("stale:", diff)
			}
			if res.Meta.FreshnessState != test.freshness || !strings.Contains(*res.Meta.Message, test.says) ||
				item.Commit != commit || item.Summary != nil {
				t.Errorf("%s, %q, commit %q", res.Meta.FreshnessState, *res.Meta.Message, item.Commit)
			}
		})
	}
}

func TestExploreCommitErrors(t *testing.T) {
	f, commit := then(t)
	for _, test := range []struct {
		path, commit string
		want         fault.Code
	}{
		{"new", commit, fault.PathNotFound},
		{"up", commit, fault.InvalidPath},
		{"main.go", commit, fault.InvalidRequest},
		{"", "0123456789", fault.InvalidRequest},
		{"", "HEAD", fault.InvalidRequest},
	} {
		req := structure.Request{RepoID: repoID, Path: test.path, Commit: test.commit}
		if _, err := structure.New(f, f).Explore(t.Context(), req); fault.CodeOf(err) != test.want {
			t.Errorf("%q at %q: %v, want %s", test.path, test.commit, err, test.want)
		}
	}
}
