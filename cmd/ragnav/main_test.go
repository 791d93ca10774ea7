package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func TestHelp(t *testing.T) {
	out, _, exit := newShell(t).try("--help")
	if exit != 0 {
		t.Errorf("exit = %d, want 0", exit)
	}
	compare(t, out)
}

// Every command has a sentence, an example and no leftovers in its help.
func TestEveryCommandHasHelp(t *testing.T) {
	root := newRoot(cli.NewSession(&term.Screen{}, func(string) string { return "" }))
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" || cmd.Name() == "help" {
			continue // the library's own
		}
		if cmd.Short == "" || !strings.Contains(cmd.Example, "ragnav "+cmd.Name()) {
			t.Errorf("ragnav %s: short %q, example %q", cmd.Name(), cmd.Short, cmd.Example)
		}
	}
}

// What is wrong with the command line itself has exit code 2 and says where help is.
func TestUsageErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"unknown command", []string{"serach"}, "unknown command \"serach\" for \"ragnav\"; did you mean search"},
		{"command of another", []string{"where-used"}, "did you mean `ragnav nav where-used`?"},
		{"command of another with flags", []string{"lineage", "-s", "X"}, "mean `ragnav nav lineage`?"},
		{"unknown flag", []string{"search", "--lvl", "x", "y"}, "unknown flag: --lvl; see `ragnav search --help`"},
		{"no query", []string{"search"}, "ragnav search wants QUERY...; see `ragnav search --help`"},
		{"near command", []string{"nav", "serch"}, "ragnav nav has no command \"serch\"; did you mean search?"},
		{"near flag", []string{"search", "--lvel", "symbol", "x"}, "unknown flag: --lvel; did you mean --level?"},
		{"too many arguments", []string{"repos", "x"}, "see `ragnav repos --help`"},
		{"swapped letters", []string{"search", "--jsno", "x"}, "unknown flag: --jsno; did you mean --json?"},
		{"not a number", []string{"search", "--limit", "x", "y"}, "--limit wants a whole number, not \"x\""},
		{"a letter in the other case", []string{"search", "-l", "symbol", "y"}, "(-l is --limit, -L is --level)"},
		{"not a time", []string{"search", "--timeout", "10", "y"}, "--timeout wants a time such as 30s or 2m, not \"10\""},
		{"neither true nor false", []string{"search", "--quiet=perhaps", "y"}, "--quiet wants true or false, not"},
		{"no value", []string{"search", "y", "--limit"}, "--limit wants a whole number; see `ragnav search --help`"},
		{"level", []string{"search", "--level", "class", "y"}, "one of symbol, file, module, repo, doc, auto, not \"class\""},
		{"near level", []string{"search", "--level", "symbl", "y"}, "not \"symbl\"; did you mean symbol?"},
		{"unknown client", []string{"init", "nothing"}, "ragnav init takes claude, "},
		{"unknown shell", []string{"completion", "fishh"}, "ragnav completion has no command \"fishh\"; did you mean fish?"},
		{"unknown topic", []string{"help", "serch"}, "there is no command \"serch\"; did you mean search?"},
		{"unknown topic below", []string{"help", "nav", "serch"}, "there is no command \"nav serch\"; did you mean search?"},
		{"no settings", []string{"repos", "--config", "/none"}, "name a file that can be read"},
		{"limit 0", []string{"search", "--limit", "0", "y"}, "limit must be at least 1"},
		{"time limit", []string{"repos", "--timeout", "0s"}, "--timeout must be more than 0"},
		{"store", []string{"repos", "--store", "mysql:x"}, "--store (RAGNAV_STORE)"},
		{"server", []string{"repos", "--server", "ftp://x"}, "is not the URL of a server"},
		{"pages of a run", []string{"index", "--limit", "3", "."}, "together with --dry-run"},
		{"one id for two", []string{"index", "--repo-id", "x", "a", "b"}, "--repo-id names one repository"},
	} {
		t.Run(test.name, func(t *testing.T) {
			sh := newShell(t)
			out, errs, exit := sh.try(test.args...)
			if exit != 2 || out != "" || !strings.HasPrefix(errs, "ragnav: ") || !strings.Contains(errs, test.want) {
				t.Errorf("exit %d, stdout %q, stderr %q; want 2, nothing, …%q…", exit, out, errs, test.want)
			}
			out, errs, exit = sh.try(append(test.args, "--json")...)
			var reply models.Result[struct{}]
			if err := json.Unmarshal([]byte(out), &reply); err != nil {
				t.Fatalf("--json printed %q: %v", out, err)
			}
			if exit != 2 || errs != "" || reply.Meta.ErrorCode == nil || *reply.Meta.ErrorCode != "INVALID_REQUEST" {
				t.Errorf("--json: exit %d, stderr %q, stdout %s", exit, errs, out)
			}
		})
	}
}

func TestCutLines(t *testing.T) {
	for arg, want := range map[string][]any{
		"a.go":       {"a.go", (*int)(nil), (*int)(nil)},
		"a.go:7":     {"a.go", new(7), new(7)},
		"a.go:7-9":   {"a.go", new(7), new(9)},
		"a:b.go":     {"a:b.go", (*int)(nil), (*int)(nil)},
		"a.go:7-":    {"a.go:7-", (*int)(nil), (*int)(nil)},
		":7":         {":7", (*int)(nil), (*int)(nil)},
		"a.go:12:34": {"a.go:12", new(34), new(34)},
	} {
		path, start, end := cutLines(arg)
		if diff := cmp.Diff(want, []any{path, start, end}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arg, diff)
		}
	}
}

func TestThousands(t *testing.T) {
	want := map[int]string{0: "0", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567"}
	for _, n := range slices.Sorted(maps.Keys(want)) {
		if got := term.Thousands(n); got != want[n] {
			t.Errorf("thousands(%d) = %s, want %s", n, got, want[n])
		}
	}
}

// Repositories are completed by their ids, and by a last segment that is one's alone.
func TestCompletionOfRepositories(t *testing.T) {
	sh := newShell(t)
	for _, id := range []string{"acme/clock", "acme/bell", "other/bell"} {
		sh.run("index", "--quiet", "--no-graph", "--repo-id", id, writeRepo(t, "clock", clockRepo))
	}
	for typed, want := range map[string]string{
		"":  "acme/bell\nacme/clock\nother/bell\n:",
		"a": "acme/bell\nacme/clock\n:",
		"c": "clock\tacme/clock\n:",
		"b": ":",
	} {
		if out := sh.run("__complete", "structure", typed); !strings.HasPrefix(out, want) {
			t.Errorf("%q: %q, want %q", typed, out, want)
		}
	}
}

// Symbols are completed from what was found a moment ago, and while the store is
// not to be had, from what was found before.
func TestCompletionKeepsNames(t *testing.T) {
	sh := newShell(t)
	sh.env["XDG_CACHE_HOME"] = t.TempDir()
	sh.run("index", "--quiet", "--no-graph", writeRepo(t, "clock", clockRepo))
	if out := sh.run("__complete", "nav", "where-used", "Pa"); !strings.HasPrefix(out, "ParseStamp\n") {
		t.Fatal(out)
	}
	if err := os.Rename(sh.store, sh.store+"-away"); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{"Pa": "ParseStamp\n:", "parsest": "ParseStamp\n:", "Parsed": ":"} {
		if out := sh.run("__complete", "nav", "where-used", typed); !strings.HasPrefix(out, want) {
			t.Errorf("%s: %s", typed, out)
		}
	}
}

// What can't be written is named, and no error of the program.
func TestInitCannotWrite(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	if err := os.WriteFile(filepath.Join(root, ".cursor"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs, exit := sh.try("init", "cursor", "--folder", root)
	if exit != 2 || !strings.Contains(errs, ".cursor/mcp.json: ") {
		t.Errorf("exit %d, %q; want 2 and the file", exit, errs)
	}
}
