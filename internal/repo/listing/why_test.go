package listing

import (
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

func TestWhyIgnored(t *testing.T) {
	repotest.NeedGit(t)
	type answer struct {
		reason models.SkipReason
		detail string
	}
	files := map[string]string{
		".gitignore": "# comment\n*.log\nout/\n", "sub/.gitignore": "!keep.log\n", ".ragnavignore": "big.json\ngen/\n",
		"a.log": "", "kept.log": "", "sub/keep.log": "", "out/x/y": "", "a.go": "", "big.json": "", "gen/deep/x": "",
		".env": "", ".llmc/g": "", ":(top)x.log": "", "dir/f": "",
	}
	common := map[string]answer{
		"a.go":         {},
		"":             {},
		"dir":          {},
		"sub/keep.log": {},
		"a.log":        {models.SkipIgnored, `rule "*.log" in .gitignore line 2`},
		":(top)x.log":  {models.SkipIgnored, `rule "*.log" in .gitignore line 2`},
		"out/x/y":      {models.SkipIgnored, `rule "out/" in .gitignore line 3`},
		"big.json":     {models.SkipIgnored, `rule "big.json" in .ragnavignore line 1`},
		"gen/deep/x":   {models.SkipIgnored, `rule "gen/" in .ragnavignore line 2`},
		".env":         {models.SkipSecret, "named .env"},
		".llmc/g":      {models.SkipIgnored, "in a folder that is never listed"},
		"link":         {models.SkipSymlink, "symlink to the folder dir"},
		"link/f":       {models.SkipSymlink, "reached through a symlink to a folder"},
	}
	gitOnly := map[string]answer{
		"kept.log":  {},
		"mine":      {models.SkipIgnored, `rule "mine" in .git/info/exclude line 1`},
		"nested/n":  {models.SkipIrregular, "in the submodule or nested repository nested; index it on its own"},
		"nested":    {models.SkipIrregular, "in the submodule or nested repository nested; index it on its own"},
		"globally~": {models.SkipIgnored, `rule "*~" in git's global line 1`},
	}
	for _, kind := range []string{"plain", "git"} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			repotest.Write(t, dir, files)
			repotest.Symlink(t, "dir", dir, "link")
			cases := []map[string]answer{common}
			if kind == "git" {
				repotest.Run(t, dir, "init", "-q")
				repotest.Run(t, dir, "add", "-f", "kept.log")
				repotest.Run(t, dir, "config", "core.excludesFile", filepath.Join(dir, ".git", "global"))
				repotest.Write(t, dir,
					map[string]string{
						".git/info/exclude": "mine\n", ".git/global": "*~\n", "mine": "", "globally~": "",
						"nested/n": "",
					})
				repotest.Run(t, filepath.Join(dir, "nested"), "init", "-q")
				cases = append(cases, gitOnly)
			}
			tree := open(t, dir)
			for _, table := range cases {
				for p, want := range table {
					reason, detail, err := WhyIgnored(t.Context(), tree, p, Limits{})
					if got := (answer{reason, detail}); got != want || err != nil {
						t.Errorf("WhyIgnored(%q) = %+v, %v; want %+v", p, got, err, want)
					}
				}
			}
			for p, want := range map[string]fault.Code{
				"none": fault.PathNotFound, "../x": fault.InvalidPath,
				".git/config": fault.InvalidPath,
			} {
				if _, _, err := WhyIgnored(t.Context(), tree, p, Limits{}); fault.CodeOf(err) != want {
					t.Errorf("WhyIgnored(%q): %v, want %s", p, err, want)
				}
			}
		})
	}
}
