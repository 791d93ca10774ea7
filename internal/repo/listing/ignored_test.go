package listing

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func TestIgnored(t *testing.T) {
	repotest.NeedGit(t)
	files := map[string]string{
		".gitignore": "*.log\nout/\n*.d\n", "sub/.gitignore": "!keep.log\n", ".ragnavignore": "big.json\ngen/\n",
		"a.log": "four", "sub/keep.log": "", "sub/b.log": "", "out/x/y": "", "out/z": "", "a.go": "", "big.json": "{}",
		"gen/deep/x": "", "gen/y": "",
		".env": "", ".llmc/g": "", "objects/x.d": "", ":(top)x.log": "",
	}
	for _, kind := range []string{"plain", "git"} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			repotest.Write(t, dir, files)
			if kind == "git" {
				repotest.Run(t, dir, "init", "-q")
				repotest.Write(t, dir, map[string]string{"kept.log": ""})
				repotest.Run(t, dir, "add", "-f", "kept.log", "gen/y")
			}
			tree := open(t, dir)
			got, err := Ignored(t.Context(), tree, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var short []string
			for _, r := range got {
				short = append(short, describe(r))
				reason, detail, err := WhyIgnored(t.Context(), tree, strings.TrimSuffix(r.Path, "/"), Limits{})
				if reason != r.Skipped || detail != r.Detail || err != nil {
					t.Errorf("WhyIgnored(%q) = %s (%s), %v; want %s", r.Path, reason, detail, err, describe(r))
				}
			}
			want := []string{
				`:(top)x.log: ignored (rule "*.log" in .gitignore line 1)`,
				`a.log: ignored (rule "*.log" in .gitignore line 1)`,
				`big.json: ignored (rule "big.json" in .ragnavignore line 1)`,
				`gen/: ignored (rule "gen/" in .ragnavignore line 2)`,
				`objects/x.d: ignored (rule "*.d" in .gitignore line 3)`,
				`out/: ignored (rule "out/" in .gitignore line 2)`,
				`sub/b.log: ignored (rule "*.log" in .gitignore line 1)`,
			}
			if diff := cmp.Diff(want, short); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got[1].Size != 4 {
				t.Errorf("the size of a.log is %d", got[1].Size)
			}
		})
	}
}

func TestIgnoredWhereNothingIs(t *testing.T) {
	repotest.NeedGit(t)
	dir := t.TempDir()
	repotest.Write(t, dir, map[string]string{"plain/a.go": "", "work/a.go": ""})
	repotest.Run(t, filepath.Join(dir, "work"), "init", "-q")
	for _, name := range []string{"plain", "work"} {
		got, err := Ignored(t.Context(), open(t, filepath.Join(dir, name)), Limits{})
		if err != nil || len(got) != 0 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
