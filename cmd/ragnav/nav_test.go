package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// stampRepo has uses of clock.ParseStamp in three files, another ParseStamp, and
// one that is only in a comment and a string.
var stampRepo = map[string]string{
	"go.mod":         "module example.com/stamp\n\ngo 1.26\n",
	"clock/parse.go": "package clock\n\n// ParseStamp parses.\nfunc ParseStamp(s string) int { return len(s) }\n",
	"clock/again.go": "package clock\n\nfunc Again(s string) int { return ParseStamp(s) }\n",
	"main.go": "package main\n\nimport \"example.com/stamp/clock\"\n\nfunc main() {\n" +
		"\t_ = clock.ParseStamp(\"x\")\n}\n",
	"clock/use_test.go": "package clock\n\nimport \"testing\"\n\nfunc TestParse(t *testing.T) {\n" +
		"\tif ParseStamp(\"ParseStamp\") != 10 { // ParseStamp\n\t\tt.Fatal()\n\t}\n}\n",
	"other/other.go": "package other\n\nfunc ParseStamp() {}\n\nfunc Use() { ParseStamp() }\n",
}

// A navReply is a reply of any nav command.
type navReply struct {
	Meta        models.Meta         `json:"meta"`
	Items       []models.NavItem    `json:"items"`
	Definitions []models.Definition `json:"definitions"`
}

func (sh shell) nav(args ...string) navReply {
	sh.t.Helper()
	var r navReply
	if err := json.Unmarshal([]byte(sh.run(append([]string{"nav"}, args...)...)), &r); err != nil {
		sh.t.Fatal(err)
	}
	return r
}

// places are path:line:edge of the items of one definition, or of all.
func (r navReply) places(definition string) []string {
	got := []string{}
	for _, item := range r.Items {
		if definition == "" || item.Definition == definition {
			got = append(got, fmt.Sprintf("%s:%d %s", item.FilePath, item.Line, item.Edge))
		}
	}
	return got
}

func gitRepo(t *testing.T, files map[string]string) string {
	t.Helper()
	root := writeRepo(t, "stamp", files)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "one"}} {
		repotest.Run(t, root, args...)
	}
	return root
}

// wantUses are in order of path, tests behind the others.
var wantUses = []string{"clock/again.go:3 calls", "main.go:6 calls", "clock/use_test.go:6 calls"}

// Without a graph the answer is a live scan and the same; with one it is the
// graph's, and stays right through edits, deletions and commits.
func TestNavAnswersThroughEdits(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	uses := func() navReply { return sh.nav("where-used", "-r", root, "-s", "clock.ParseStamp") }
	check := func(step string, want []string, source models.Source, state models.Freshness) {
		t.Helper()
		r := uses()
		if diff := cmp.Diff(want, r.places("clock/parse.go:ParseStamp")); diff != "" {
			t.Errorf("%s: uses (-want +got):\n%s", step, diff)
		}
		if r.Meta.Source != source || r.Meta.FreshnessState != state {
			t.Errorf("%s: %s %s, want %s %s", step, r.Meta.Source, r.Meta.FreshnessState, source, state)
		}
	}
	check("no graph", wantUses, models.SourceFallback, models.Unknown)
	sh.run("nav", "build-graph", "-r", root)
	check("graph", wantUses, models.SourceGraph, models.Fresh)

	write(t, root, "new.go", "package main\n\nimport \"example.com/stamp/clock\"\n\nvar n = clock.ParseStamp(\"\")\n")
	check("untracked file", slices.Insert(slices.Clone(wantUses), 2, "new.go:5 calls"), models.SourceGraph, models.Fresh)

	write(t, root, "main.go",
		"package main\n\nimport \"example.com/stamp/clock\"\n\n// moved\n\nfunc main() {\n\t_ = clock.ParseStamp(\"x\")\n}\n")
	check("edited", []string{"clock/again.go:3 calls", "main.go:8 calls", "new.go:5 calls", "clock/use_test.go:6 calls"},
		models.SourceGraph, models.Fresh)

	if err := os.Remove(filepath.Join(root, "clock", "again.go")); err != nil {
		t.Fatal(err)
	}
	left := []string{"main.go:8 calls", "new.go:5 calls", "clock/use_test.go:6 calls"}
	check("deleted", left, models.SourceGraph, models.Fresh)
	repotest.Run(t, root, "add", "-A")
	repotest.Run(t, root, "commit", "-qm", "two")
	check("committed", left, models.SourceGraph, models.Fresh)
	sh.run("nav", "build-graph", "-r", root)
	check("built again", left, models.SourceGraph, models.Fresh)
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A name with several definitions is never merged.
func TestNavAmbiguousName(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	for _, graph := range []bool{false, true} {
		if graph {
			sh.run("nav", "build-graph", "-r", root)
		}
		r := sh.nav("where-used", "-r", root, "-s", "ParseStamp")
		got := map[string][]string{}
		for _, d := range r.Definitions {
			got[d.ID] = r.places(d.ID)
		}
		want := map[string][]string{
			"clock/parse.go:ParseStamp": wantUses,
			"other/other.go:ParseStamp": {"other/other.go:5 calls"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("graph %t: uses by definition (-want +got):\n%s", graph, diff)
		}
		picked := sh.nav("where-used", "-r", root, "-s", "ParseStamp", "--file", "other/other.go")
		if diff := cmp.Diff([]string{"other/other.go:5 calls"}, picked.places("")); diff != "" {
			t.Errorf("graph %t: the picked one (-want +got):\n%s", graph, diff)
		}
	}
}

func TestNavSnippet(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	r := sh.nav("where-used", "-r", root, "-s", "clock.ParseStamp", "--path-filter", "main.go")
	want := models.Snippet{
		Text:     "\nfunc main() {\n\t_ = clock.ParseStamp(\"x\")\n}",
		Location: models.SnippetLocation{Path: "main.go", StartLine: 4, EndLine: 7},
	}
	if len(r.Items) != 1 {
		t.Fatalf("items: %+v", r.Items)
	}
	if diff := cmp.Diff(want, r.Items[0].Snippet); diff != "" {
		t.Errorf("snippet (-want +got):\n%s", diff)
	}
}

func TestNavLineage(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	sh.run("nav", "build-graph", "-r", root)
	names := func(args ...string) []string {
		r := sh.nav(append([]string{"lineage", "-r", root}, args...)...)
		var got []string
		for _, item := range r.Items {
			got = append(got, fmt.Sprintf("%d %s", item.Depth, item.Symbol))
		}
		slices.Sort(got)
		return got
	}
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"-s", "clock.ParseStamp", "-d", "upstream"}, []string{"1 Again", "1 TestParse", "1 main"}},
		{[]string{"-s", "clock.ParseStamp", "-d", "callers", "--only", "tests"}, []string{"1 TestParse"}},
		{[]string{"-s", "Again", "-d", "downstream"}, []string{"1 ParseStamp"}},
	} {
		if diff := cmp.Diff(test.want, names(test.args...)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.args, diff)
		}
	}
}

func TestNavSearch(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	ask := func(args ...string) navReply { return sh.nav(append([]string{"search", "-r", root}, args...)...) }
	live := ask("-q", "parsestamp", "-l", "100")
	if live.Meta.Source != models.SourceFallback || live.Meta.Status != models.StatusFallback {
		t.Errorf("without a graph: %s from %s", live.Meta.Status, live.Meta.Source)
	}
	sh.run("nav", "build-graph", "-r", root)
	write(t, root, "new.txt", "a line\nParseStamp again\n")
	fromGraph := ask("-q", "parsestamp", "-l", "100")
	if fromGraph.Meta.Source != models.SourceGraph || fromGraph.Meta.FreshnessState != models.Fresh {
		t.Errorf("with a graph: %s from %s", fromGraph.Meta.FreshnessState, fromGraph.Meta.Source)
	}
	want := append(live.places(""), "new.txt:2 ")
	slices.Sort(want)
	if diff := cmp.Diff(want, fromGraph.places("")); diff != "" {
		t.Errorf("graph and live scan differ (-live +graph):\n%s", diff)
	}
	few := ask("-q", "ParseStamp", "-l", "2")
	if len(few.Items) != 2 || !few.Meta.Truncated {
		t.Errorf("limit 2: %d items, truncated %t", len(few.Items), few.Meta.Truncated)
	}
	none := ask("-q", "nowhere to be found")
	if len(none.Items) != 0 || none.Meta.Message == nil {
		t.Errorf("nothing found: %+v", none)
	}
	pattern := ask("-q", `func \w+Stamp\(`, "--regexp", "--path-filter", "other/**")
	if diff := cmp.Diff([]string{"other/other.go:3 "}, pattern.places("")); diff != "" {
		t.Errorf("regular expression (-want +got):\n%s", diff)
	}
}

func TestNavRefuses(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	for _, test := range []struct {
		args []string
		code string
		exit int
	}{
		{[]string{"where-used", "-r", root, "-s", "Nowhere"}, "SYMBOL_NOT_FOUND", 3},
		{[]string{"where-used", "-r", root, "-s", "ParseStamp", "--file", "../x"}, "INVALID_PATH", 2},
		{[]string{"where-used", "-r", root}, "INVALID_REQUEST", 2},
		{[]string{"lineage", "-r", root, "-s", "Again", "-d", "sideways"}, "INVALID_REQUEST", 2},
		{[]string{"search", "-r", root, "-q", "(", "--regexp"}, "INVALID_REQUEST", 2},
		{[]string{"search", "-r", root + "/nothing", "-q", "x"}, "PATH_NOT_FOUND", 3},
		{[]string{"status", "-r", "no/such"}, "REPO_NOT_FOUND", 3},
	} {
		out, _, exit := sh.try(append([]string{"nav"}, test.args...)...)
		var r navReply
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Meta.ErrorCode == nil || *r.Meta.ErrorCode != test.code ||
			exit != test.exit {
			t.Errorf("%v: exit %d, want %d; %s", test.args, exit, test.exit, out)
		}
	}
}

// The graph never dirties the repository, and says nothing to git.
func TestNavLeavesTheRepositoryAlone(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	before := tree(t, root)
	sh.nav("where-used", "-r", root, "-s", "ParseStamp")
	sh.nav("search", "-r", root, "-q", "x")
	sh.nav("status", "-r", root)
	if diff := cmp.Diff(before, tree(t, root)); diff != "" {
		t.Errorf("reading changed the folder (-before +after):\n%s", diff)
	}
	sh.run("nav", "build-graph", "-r", root)
	out, err := exec.Command("git", "-C", root, "status", "--porcelain").CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("git status after build-graph: %s %v", out, err)
	}
	var g struct {
		Files []string `json:"files"`
	}
	data, err := os.ReadFile(filepath.Join(root, ".llmc", "rag_graph.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(stampRepo)), g.Files); diff != "" {
		t.Errorf("files of the graph (-want +got):\n%s", diff)
	}
}

// tree is all that is in a folder but for .git.
func tree(t *testing.T, root string) []string {
	t.Helper()
	var all []string
	if err := filepath.WalkDir(root, func(p string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(root, p); !strings.HasPrefix(rel, ".git") {
			all = append(all, rel)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// A repository that is indexed answers under its id, in process and through a
// server alike.
func TestNavByRepoID(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	sh.run("index", "--quiet", root)
	sh.run("nav", "build-graph", "-r", "stamp")
	for _, what := range []string{"clock.ParseStamp", "clock/parse.go:4:7"} { // a symbol, or its place
		r := sh.nav("where-used", "-r", "stamp", what)
		if diff := cmp.Diff(wantUses, r.places("")); diff != "" {
			t.Errorf("uses of %s (-want +got):\n%s", what, diff)
		}
	}
	text := sh.run("nav", "where-used", "-r", "stamp", "-s", "clock.ParseStamp", "--text")
	if !strings.Contains(text, "main.go\n  6 calls in main") {
		t.Errorf("for agents:\n%s", text)
	}
}

// Languages with grammars are read in the server's workers; the graph and the
// live scan give the same.
func TestNavOfPython(t *testing.T) {
	sh := newShell(t)
	root := gitRepo(t, map[string]string{
		"pkg/__init__.py": "",
		"pkg/module_a.py": "def target_symbol(n):\n    \"\"\"target_symbol doubles.\"\"\"\n    return n * 2\n\n\n" +
			"class Box:\n    def target_symbol(self):\n        return 1\n",
		"pkg/module_b.py": "from .module_a import target_symbol, Box\n\n\ndef use():\n" +
			"    # target_symbol is called here\n    return target_symbol(2) + Box().target_symbol()\n",
		"tests/test_use.py":   "from pkg.module_a import target_symbol as ts\n\n\ndef test_use():\n    assert ts(1) == 2\n",
		"scripts/separate.py": "def target_symbol():\n    pass\n\n\ntarget_symbol()\n",
	})
	sh.serve()
	sh.run("index", "--quiet", root)
	id := "stamp"
	if out := sh.run("coverage", id, "pkg/module_a.py"); !strings.Contains(out, "tree-sitter") {
		t.Skip("SKIPPED: built without cgo: ", out)
	}
	want := []string{ // the name and the alias that it gets
		"pkg/module_b.py:1 imports", "pkg/module_b.py:6 calls", "tests/test_use.py:1 imports", "tests/test_use.py:1 imports",
		"tests/test_use.py:5 calls",
	}
	for _, graph := range []bool{false, true} {
		if graph {
			sh.run("nav", "build-graph", "-r", id)
		}
		r := sh.nav("where-used", "-r", id, "-s", "pkg/module_a.py:target_symbol", "--line", "1", "--file", "pkg/module_a.py")
		if diff := cmp.Diff(want, r.places("pkg/module_a.py:target_symbol")); diff != "" {
			t.Errorf("graph %t: uses (-want +got):\n%s", graph, diff)
		}
		method := sh.nav("where-used", "-r", id, "-s", "Box.target_symbol")
		if diff := cmp.Diff([]string{"pkg/module_b.py:6 calls"}, method.places("")); diff != "" {
			t.Errorf("graph %t: uses of the method (-want +got):\n%s", graph, diff)
		}
	}
}

// A build that is killed anywhere leaves the graph before: with the changes
// since then, the answer is right and the graph's.
func TestNavBuildKilled(t *testing.T) {
	files := manyFiles(150)
	maps.Copy(files, stampRepo)
	sh, root := newShell(t), gitRepo(t, files)
	sh.run("nav", "build-graph", "-r", root)
	for round := range 12 {
		write(t, root, "main.go",
			fmt.Sprintf("package main\n\nimport \"example.com/stamp/clock\"\n%s\nfunc main() {\n"+
				"\t_ = clock.ParseStamp(\"x\")\n}\n", strings.Repeat("//\n", round)))
		cmd := sh.command(os.Executable, "nav", "build-graph", "-r", root, "--full")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(time.Duration(round)*15*time.Millisecond, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		kill.Stop()
		r := sh.nav("where-used", "-r", root, "-s", "clock.ParseStamp")
		want := []string{"clock/again.go:3 calls", fmt.Sprintf("main.go:%d calls", 6+round), "clock/use_test.go:6 calls"}
		if diff := cmp.Diff(want, r.places("")); diff != "" || r.Meta.Source != models.SourceGraph {
			t.Errorf("round %d: from %s, uses (-want +got):\n%s", round, r.Meta.Source, diff)
		}
	}
}

// Of two builds at once one is done and the other is told to wait, or both are
// done one after the other.
func TestNavTwoBuilds(t *testing.T) {
	files := manyFiles(150)
	maps.Copy(files, stampRepo)
	sh, root := newShell(t), gitRepo(t, files)
	var all []*exec.Cmd
	for range 3 {
		cmd := sh.command(os.Executable, "nav", "build-graph", "-r", root)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	done := 0
	for _, cmd := range all {
		_ = cmd.Wait()
		switch exit := cmd.ProcessState.ExitCode(); exit {
		case 0:
			done++
		case 5: // another one is at it
		default:
			t.Errorf("exit %d", exit)
		}
	}
	if r := sh.nav("where-used", "-r", root, "-s", "clock.ParseStamp"); done == 0 || r.Meta.Source != models.SourceGraph ||
		len(r.Items) != 3 {
		t.Errorf("%d builds done; %+v", done, r)
	}
}
