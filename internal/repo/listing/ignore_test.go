package listing

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ragnav/ragnav/internal/repo/git"
	"github.com/ragnav/ragnav/internal/repo/relpath"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// ignoredByGit asks git which of paths its .gitignore files exclude.
func ignoredByGit(t *testing.T, dir string, paths []string) []string {
	t.Helper()
	args := []string{"-c", "core.quotePath=false", "check-ignore", "--no-index", "--"}
	for _, p := range paths {
		args = append(args, "./"+p)
	}
	out, err := git.Command{Dir: dir, Args: args}.Run(t.Context())
	if err != nil && !strings.Contains(err.Error(), "exit status 1") {
		t.Fatal(err)
	}
	ignored := []string{}
	for line := range strings.Lines(out) {
		ignored = append(ignored, strings.TrimPrefix(strings.Trim(line, "\"\n"), "./"))
	}
	return ignored
}

func ignoredByRules(t *testing.T, dir string, paths []string) []string {
	t.Helper()
	dirs := newFolders(open(t, dir), Limits{}, []string{gitRules})
	ignored := []string{}
	for _, p := range paths {
		if f := dirs.at(relpath.Parent(p)); f.state == stateIgnored || f.excludes(p, false) != nil {
			ignored = append(ignored, p)
		}
	}
	return ignored
}

// Paths and patterns over few characters, so that they often meet.
var oraclePaths = []string{
	"a", "b", "ab", "a.o", "b.o", "c/a", "c/b", "c/a.o", "c/d/a", "c/d/b.o", "c/d/ab", "d/a", "d/c/a", "d/c/d/a.o", "x{a}",
	"c/x{a}", "x[a]", "#a", "!a", "c/A",
}

var oraclePatterns = []string{
	"a", "/a", "c/", "/c/", "*.o", "/*.o", "c/*.o", "c/**", "**/a", "c/**/a", "**", "*", "c/*", `\#a`, `\!a`, "#a", "a ",
	`a\ `,
	"[ab]", "[!a]", "[^a]", "[]a]", "?b", "c?a", "c[/]a", "/c[^x]a", "c[a/]a", "c/[[:punct:]]", `\a`, "c/d/", "**/d/a",
	"c**a", "c/**a", "[a-b].o", "[[:alpha:]]", "[[:upper:]]", "[![:lower:]]",
	"*/a", "/**/a", "a\r", "{a,b}", "x{a}", "[a", "c/d", "/", "//a", "c//a", "***", "**a", "c/d/**/a", "x[[]a]", `x\[a\]`,
	"d/c/d", "c/**/", "**/c/**", "a/", `a\`,
	"!a", "!*.o", "!c/", "!c/a", "!/c/d/a",
}

func oracleTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	repotest.Run(t, dir, "init", "-q")
	for _, p := range oraclePaths {
		repotest.Write(t, dir, map[string]string{p: ""})
	}
	return dir
}

func TestEachPatternMatchesAsInGit(t *testing.T) {
	repotest.NeedGit(t)
	dir := oracleTree(t)
	for _, p := range oraclePatterns {
		repotest.Write(t, dir, map[string]string{gitRules: p + "\n"})
		if diff := cmp.Diff(ignoredByGit(t, dir, oraclePaths), ignoredByRules(t, dir, oraclePaths)); diff != "" {
			t.Errorf("pattern %q (-git +ours):\n%s", p, diff)
		}
	}
}

func TestRulesDecideAsInGit(t *testing.T) {
	repotest.NeedGit(t)
	dir := oracleTree(t)
	files := rapid.SliceOfN(rapid.SampledFrom(oraclePatterns), 0, 4)
	checks := 0
	rapid.Check(t, func(rt *rapid.T) {
		if checks++; checks > 40 { // each costs a process
			return
		}
		for _, folder := range []string{"", "c", "c/d"} {
			text := strings.Join(files.Draw(rt, "rules of "+folder), "\n")
			repotest.Write(t, dir, map[string]string{filepath.ToSlash(filepath.Join(folder, gitRules)): text})
		}
		if diff := cmp.Diff(ignoredByGit(t, dir, oraclePaths), ignoredByRules(t, dir, oraclePaths)); diff != "" {
			rt.Errorf("(-git +ours):\n%s", diff)
		}
	})
}

func TestParseRules(t *testing.T) {
	rules := parseRules("f", "\ufeff# comment\n\n a\\ \nb/  \r\n!c\n")
	var got []string
	for _, r := range rules {
		got = append(got, r.String())
	}
	want := []string{`rule " a\\ " in f line 3`, `rule "b/  " in f line 4`, `rule "!c" in f line 5`}
	if !slices.Equal(got, want) && got[1] != `rule "b/" in f line 4` {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzRules(f *testing.F) {
	for _, p := range oraclePatterns {
		f.Add(p, "c/d/a.o")
	}
	f.Fuzz(func(_ *testing.T, text, path string) {
		for _, r := range parseRules("f", text) {
			r.matches(path, true)
		}
	})
}
