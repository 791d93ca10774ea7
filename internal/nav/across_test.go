package nav_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// modules are three modules of Go that depend on each other, and one that has the
// same names and nothing to do with them.
var modules = map[models.RepoID]map[string]string{
	"o/base": {
		"go.mod": "module example.com/base\n",
		"log/log.go": "package log\n\ntype Logger struct{}\n\nfunc (l *Logger) Info(s string) {}\n\n" +
			"func New() *Logger { return &Logger{} }\n",
		"own.go": "package base\n\nimport \"example.com/base/log\"\n\nfunc Own() { log.New().Info(\"own\") }\n",
	},
	"o/mid": {
		"go.mod": "module example.com/mid\n\nrequire example.com/base v1.2.0\n",
		"mid.go": "package mid\n\nimport \"example.com/base/log\"\n\ntype Mid struct{ Log *log.Logger }\n\n" +
			"func Default() Mid { return Mid{log.New()} }\n",
	},
	"p/app": {
		"go.mod": "module example.com/app\n\nrequire (\n\texample.com/mid v0.1.0\n" +
			"\tgithub.com/hashicorp/go-hclog v1.6.3\n)\n",
		"main.go": "package main\n\nimport (\n\t\"example.com/mid\"\n\t\"github.com/hashicorp/go-hclog\"\n)\n\n" +
			"func main() {\n\tmid.Default().Log.Info(\"app\")\n\thclog.Default()\n}\n",
		"app_test.go": "package main\n\nimport (\n\t\"testing\"\n\n\tl \"example.com/base/log\"\n)\n\n" +
			"func TestApp(t *testing.T) { l.New() }\n",
	},
	"p/other": {
		"go.mod": "module example.com/other\n",
		"log/log.go": "package log\n\ntype Logger struct{}\n\nfunc (l *Logger) Info(s string) {}\n\n" +
			"func New() *Logger { return &Logger{} }\n\nfunc use() { New().Info(\"\") }\n",
	},
}

func unionOf(t *testing.T, repos map[models.RepoID]map[string]string, build bool) (*nav.Service, folders) {
	t.Helper()
	all := folders{}
	for id, files := range repos {
		all[id] = t.TempDir()
		for name, text := range files {
			put(t, all[id], name, text)
		}
	}
	if build {
		return builtOf(t, all), all
	}
	return nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}, Locals: goLocals}), all
}

// builtOf is a service of repositories of Go whose graphs are built.
func builtOf(t *testing.T, all folders) *nav.Service {
	t.Helper()
	svc := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}, Locals: goLocals})
	for id := range all {
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: id}); err != nil {
			t.Fatal(err)
		}
	}
	return svc
}

func placesAcross(r nav.WhereUsedResponse) []string {
	got := []string{}
	for _, item := range r.Items {
		got = append(got, fmt.Sprintf("%s %s:%d %s of %s", item.RepoID, item.FilePath, item.Line, item.Edge, item.Definition))
	}
	return got
}

// What one repository declares and others import is one symbol, also where a
// method is called on what a third one gives.
func TestUsesAcrossRepositories(t *testing.T) {
	for _, build := range []bool{true, false} {
		svc, _ := unionOf(t, modules, build)
		for _, test := range []struct {
			filter, symbol string
			want           []string
		}{
			{"*", "o/base:log/log.go:Logger.Info", []string{
				"o/base own.go:5 calls of o/base:log/log.go:Logger.Info", "p/app main.go:9 calls of o/base:log/log.go:Logger.Info",
			}},
			{"o/*", "log.New", []string{
				"o/base own.go:5 calls of o/base:log/log.go:New",
				"o/mid mid.go:7 calls of o/base:log/log.go:New",
			}},
			{"*", "log.New", []string{
				"o/base own.go:5 calls of o/base:log/log.go:New", "o/mid mid.go:7 calls of o/base:log/log.go:New",
				"p/app app_test.go:9 calls of o/base:log/log.go:New", "p/other log/log.go:9 calls of p/other:log/log.go:New",
			}},
			{"*", "mid.Default", []string{"p/app main.go:9 calls of o/mid:mid.go:Default"}},
		} {
			r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: models.RepoID(test.filter), Symbol: test.symbol})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, placesAcross(r)); diff != "" {
				t.Errorf("graphs %t, %s in %s (-want +got):\n%s", build, test.symbol, test.filter, diff)
			}
		}
	}
}

// Whatever changes, the answer is that of graphs that are built anew.
func TestUsesAcrossAreARebuild(t *testing.T) {
	edits := []struct{ id, file, text string }{
		{"o/mid", "mid.go", "package mid\n\nimport \"example.com/base/log\"\n\ntype Mid struct{ Log *log.Logger }\n\n" +
			"func Default() Mid { log.New().Info(\"x\"); return Mid{} }\n"},
		{"p/app", "more.go", "package main\n\nimport b \"example.com/base/log\"\n\nvar l = b.New()\n\n" +
			"func more() { l.Info(\"more\") }\n"},
		{
			"o/base", "log/log.go",
			"package log\n\ntype Logger struct{}\n\nfunc (l *Logger) Info(s string) {}\n\nfunc New() *Other { return nil }\n\n" +
				"type Other struct{}\n\nfunc (o *Other) Info(s string) {}\n",
		},
		{"p/app", "go.mod", "module example.com/app\n"},
		{"p/other", "go.mod", "module example.com/other\n\nrequire example.com/mid v0.1.0\n"},
		{"p/other", "x.go", "package other\n\nimport \"example.com/mid\"\n\nfunc x() { mid.Default().Log.Info(\"\") }\n"},
		{"o/mid", "mid.go", "package mid\n"},
	}
	svc, all := unionOf(t, modules, true)
	asked := func(svc *nav.Service) (got []string) {
		for _, symbol := range []string{"Logger.Info", "Other.Info", "New", "Default", "Logger"} {
			r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "*", Symbol: symbol})
			if got = append(got, symbol); err != nil {
				got = append(got, string(fault.CodeOf(err)))
			}
			got = append(got, placesAcross(r)...)
		}
		return got
	}
	before, different := asked(svc), 0
	for _, e := range edits {
		put(t, all[models.RepoID(e.id)], e.file, e.text)
		got := asked(svc)
		anew := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}})
		for id := range all {
			if _, err := anew.Build(t.Context(), nav.BuildRequest{RepoID: id, Full: true}); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(asked(anew), got); diff != "" {
			t.Errorf("%s %s (-rebuilt +fresh):\n%s", e.id, e.file, diff)
		}
		if !cmp.Equal(before, got) {
			different++
		}
		before = got
	}
	if different < len(edits)-1 { // what a go.mod asks for in vain changes nothing
		t.Errorf("%d of %d edits changed something", different, len(edits))
	}
}

// What is declared in a module that is not indexed is named with its version.
func TestUsesOfWhatIsNotIndexed(t *testing.T) {
	svc, _ := unionOf(t, modules, true)
	r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "*", Symbol: "hclog.Default"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"p/app main.go:10 calls of github.com/hashicorp/go-hclog@v1.6.3:Default"}
	if diff := cmp.Diff(want, placesAcross(r)); diff != "" ||
		r.Definitions[0].External != "github.com/hashicorp/go-hclog@v1.6.3" {
		t.Errorf("%+v (-want +got):\n%s", r.Definitions, diff)
	}
	for symbol, want := range map[string]fault.Code{
		"zap.Default": fault.SymbolNotFound, "hclog.Nothing": fault.SymbolNotFound, "p/app:nothing": fault.SymbolNotFound,
		"p/app:": fault.InvalidRequest,
	} {
		_, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "*", Symbol: symbol})
		if fault.CodeOf(err) != want {
			t.Errorf("%s: %v, want %v", symbol, err, want)
		}
	}
}

// A symbol behind its repository's id means the same in all questions.
func TestNamesBehindRepositories(t *testing.T) {
	svc, _ := unionOf(t, modules, true)
	for _, id := range []models.RepoID{"*", "o/base"} {
		for symbol, want := range map[string]fault.Code{
			"o/base:Logger": "", "o/base:log/log.go:Logger": "", "o/base:": fault.InvalidRequest,
			"o/base:nothing": fault.SymbolNotFound,
		} {
			_, used := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: id, Symbol: symbol})
			_, kin := svc.Implementations(t.Context(), nav.ImplementationsRequest{RepoID: id, Symbol: symbol})
			_, reached := svc.Lineage(t.Context(), nav.LineageRequest{RepoID: id, Symbol: symbol, Direction: "upstream"})
			for what, err := range map[string]error{"used": used, "kin": kin, "lineage": reached} {
				if err != nil && fault.CodeOf(err) != want || err == nil && want != "" {
					t.Errorf("%s of %s in %s: %v, want %q", what, symbol, id, err, want)
				}
			}
		}
	}
}

// What stands at a place may be of another repository; a file that several have
// is told by its repository.
func TestDefinitionAcrossRepositories(t *testing.T) {
	svc, _ := unionOf(t, modules, true)
	for _, test := range []struct {
		repo, file   string
		line, column int
		want         string
	}{
		{"p/app", "main.go", 9, 20, "o/base log/log.go:5 Logger.Info"},
		{"p/app", "p/app:main.go", 9, 20, "o/base log/log.go:5 Logger.Info"},
		{"p/app", "main.go", 9, 6, "o/mid mid.go:7 Default"},
		{"*", "main.go", 9, 20, "o/base log/log.go:5 Logger.Info"},
		{"*", "p/other:log/log.go", 9, 14, "p/other log/log.go:7 New"},
		{"*", "log/log.go", 9, 14, "INVALID_REQUEST"},
		{"p/*", "mid.go", 1, 1, "PATH_NOT_FOUND"},
		{"p/app", "main.go", 10, 10, "Default of github.com/hashicorp/go-hclog@v1.6.3"},
		{"p/app", "main.go", 9, 2, "p/app main.go:4 mid and o/mid mid.go:1 mid"},
		{"p/app", "main.go", 4, 5, "o/mid mid.go:1 example.com/mid"},
		{"p/app", "app_test.go", 9, 18, "p/app app_test.go:4 testing"},
	} {
		r, err := svc.Definition(t.Context(),
			nav.DefinitionRequest{RepoID: models.RepoID(test.repo), FilePath: test.file, Line: test.line, Column: test.column})
		var got []string
		for _, item := range r.Items {
			if item.FilePath == "" {
				got = append(got, item.Symbol+" of "+item.External)
				continue
			}
			got = append(got, fmt.Sprintf("%s %s:%d %s", item.RepoID, item.FilePath, item.Line, item.Symbol))
		}
		if err != nil {
			got = append(got, string(fault.CodeOf(err)))
		}
		if text := strings.Join(got, " and "); text != test.want {
			t.Errorf("%s %s:%d:%d: got %s, want %s", test.repo, test.file, test.line, test.column, text, test.want)
		}
	}
}

func TestDependents(t *testing.T) {
	svc, all := unionOf(t, modules, true)
	told := func(id models.RepoID) string {
		r, err := svc.Status(t.Context(), nav.StatusRequest{RepoID: id, Modules: true})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(r.Items[0].Modules, r.Items[0].DependsOn, r.Items[0].Dependents)
	}
	for id, want := range map[models.RepoID]string{
		"o/base": "[go:example.com/base] [] [o/mid]", "o/mid": "[go:example.com/mid] [o/base] [p/app]",
		"p/other": "[go:example.com/other] [] []",
	} {
		if got := told(id); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	put(t, all["p/other"], "sub/go.mod", "module example.com/sub\n\nrequire example.com/base v1.0.0\n")
	if got, want := told("o/base"), "[go:example.com/base] [] [o/mid p/other]"; got != want {
		t.Errorf("a manifest that is new: %s, want %s", got, want)
	}
}

// Of two checkouts of one module each user has the one that its manifest means.
func TestSeveralCheckoutsOfOneModule(t *testing.T) {
	lib := func(version string) map[string]string {
		return map[string]string{
			"package.json": `{"name":"lib","version":"` + version + `"}`,
			"go.mod":       "module example.com/lib\n", "lib.go": "package lib\n\nfunc Do() {}\n",
		}
	}
	user := func(requires string) map[string]string {
		return map[string]string{
			"go.mod": "module example.com/user\n\n" + requires,
			"use.go": "package user\n\nimport \"example.com/lib\"\n\nfunc use() { lib.Do() }\n",
		}
	}
	repos := map[models.RepoID]map[string]string{
		"a/lib": lib("1.0.0"), "b/lib": lib("2.0.0"),
		"c/by-folder": user("require example.com/lib v1.0.0\n\nreplace example.com/lib => ROOT\n"), "d/by-nothing": user(""),
	}
	svc, all := unionOf(t, repos, true)
	put(t, all["c/by-folder"], "go.mod", strings.Replace(repos["c/by-folder"]["go.mod"], "ROOT", all["b/lib"], 1))
	r, err := svc.WhereUsed(t.Context(), nav.WhereUsedRequest{RepoID: "*", Symbol: "lib.Do"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"c/by-folder use.go:5 calls of b/lib:lib.go:Do"}, placesAcross(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A type implements what another repository declares, with and without saying so.
func TestImplementationsAcrossRepositories(t *testing.T) {
	svc, _ := unionOf(t, map[models.RepoID]map[string]string{
		"o/api": {
			"go.mod": "module example.com/api\n",
			"api.go": "package api\n\ntype Store interface {\n\tGet(k string) string\n}\n\ntype Own struct{}\n\n" +
				"func (Own) Get(k string) string { return k }\n",
		},
		"o/mem": {
			"go.mod": "module example.com/mem\n\nrequire example.com/api v1.0.0\n",
			"mem.go": "package mem\n\nimport \"example.com/api\"\n\ntype Mem struct{}\n\n" +
				"func (*Mem) Get(k string) string { return k }\n\ntype Wide interface {\n\tapi.Store\n\tPut()\n}\n\n" +
				"type No struct{}\n\nfunc (No) Get() {}\n",
		},
		"p/not": {
			"go.mod": "module example.com/not\n",
			"not.go": "package not\n\ntype Not struct{}\n\nfunc (Not) Get(k string) string { return k }\n",
		},
	}, true)
	ask := func(symbol, direction string) string {
		r, err := svc.Implementations(t.Context(),
			nav.ImplementationsRequest{RepoID: "*", Symbol: symbol, Direction: direction})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range r.Items {
			got = append(got, fmt.Sprintf("%d %s %s", item.Depth, item.RepoID, item.Symbol))
		}
		return strings.Join(got, ", ")
	}
	for _, test := range []struct{ symbol, direction, want string }{
		{"api.Store", "down", "1 o/api Own, 1 o/mem Mem, 1 o/mem Wide"},
		{"Store.Get", "down", "1 o/api Own.Get, 1 o/mem Mem.Get"},
		{"Mem", "up", "1 o/api Store"},
		{"Wide", "up", "1 o/api Store"},
		{"Mem.Get", "up", "1 o/api Store.Get"},
	} {
		if got := ask(test.symbol, test.direction); got != test.want {
			t.Errorf("%s %s: %s, want %s", test.symbol, test.direction, got, test.want)
		}
	}
}

// A lineage goes on from one repository into others, over several hops, both ways.
func TestLineageAcrossRepositories(t *testing.T) {
	svc, _ := unionOf(t, modules, true)
	depth := 2
	for _, test := range []struct{ symbol, direction, only, want string }{
		{"o/base:log/log.go:New", "upstream", "", "1 o/base Own, 1 o/mid Default, 1 p/app TestApp, 2 p/app main"},
		{"o/base:log/log.go:New", "upstream", "tests", "1 p/app TestApp"},
		{"o/base:log/log.go:New", "upstream", "code", "1 o/base Own, 1 o/mid Default, 2 p/app main"},
		{"main", "downstream", "", "1 p/app Default, 1 p/app Mid.Log, 1 p/app Logger.Info, " +
			"2 o/base Logger, 2 o/mid Mid, 2 o/mid New"},
	} {
		r, err := svc.Lineage(t.Context(), nav.LineageRequest{
			RepoID: "*", Symbol: test.symbol, Direction: test.direction, Only: test.only, Depth: &depth,
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range r.Items {
			got = append(got, fmt.Sprintf("%d %s %s", item.Depth, item.RepoID, item.Symbol))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s %s: %s, want %s", test.symbol, test.direction, text, test.want)
		}
	}
	most := 1
	r, err := svc.Lineage(t.Context(), nav.LineageRequest{
		RepoID: "*", Symbol: "o/base:log/log.go:New", Direction: "callers", MaxResults: &most,
	})
	if err != nil || len(r.Items) != 1 || *r.Meta.Total != 4 || r.Meta.NextCursor == "" || len(r.Repositories) != 4 ||
		!slices.Equal(r.Items[0].Path, []string{"o/base:log/log.go:New", "o/base:own.go:Own"}) {
		t.Errorf("%+v %v", r, err)
	}
}

// A function that calls itself is in its own lineage, once, and is not what a change
// of it affects.
func TestRecursion(t *testing.T) {
	svc, _ := unionOf(t, map[models.RepoID]map[string]string{
		"o/tree": {
			"go.mod":  "module example.com/tree\n",
			"tree.go": "package tree\n\nfunc Walk(n int) {\n\tif n > 0 {\n\t\tWalk(n - 1)\n\t\tWalk(n - 2)\n\t}\n}\n",
		},
		"p/app": {
			"go.mod":  "module example.com/app\n\nrequire example.com/tree v1.0.0\n",
			"main.go": "package main\n\nimport \"example.com/tree\"\n\nfunc main() { tree.Walk(3) }\n",
		},
	}, true)
	for _, test := range []struct {
		repo      models.RepoID
		direction string
		want      string
	}{
		{"o/tree", "upstream", "1 Walk tree.go:5 calls 2"},
		{"o/tree", "downstream", "1 Walk tree.go:5 calls 2"},
		{"*", "upstream", "1 Walk tree.go:5 calls 2, 1 main main.go:5 calls 0"},
		{"*", "downstream", "1 Walk tree.go:5 calls 2"},
	} {
		r, err := svc.Lineage(t.Context(), nav.LineageRequest{
			RepoID: test.repo, Symbol: "Walk", Direction: test.direction, Edges: []string{"calls"},
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range r.Items {
			got = append(got, fmt.Sprintf("%d %s %s:%d %s %d", item.Depth, item.Symbol, item.FilePath, item.Line, item.Edge,
				len(item.Sites)))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s of %s: %s, want %s", test.direction, test.repo, text, test.want)
		}
	}
	diff := "diff --git a/tree.go b/tree.go\n--- a/tree.go\n+++ b/tree.go\n@@ -3,1 +3,1 @@\n" +
		"-func Walk(n int64) {\n+func Walk(n int) {\n"
	r, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "*", Diff: diff})
	if err != nil || len(r.Items) != 1 || r.Items[0].Total != 1 || r.Items[0].Affected[0].Symbol != "main" {
		t.Errorf("%+v %v", r.Items, err)
	}
}

// What an edit of one repository takes away breaks others, and their tests run it.
func TestImpactAcrossRepositories(t *testing.T) {
	svc, _ := unionOf(t, modules, true)
	diff := "diff --git a/log/log.go b/log/log.go\n--- a/log/log.go\n+++ b/log/log.go\n@@ -4,4 +4,3 @@\n \n" +
		" func (l *Logger) Info(s string) {}\n \n-func New() *Logger { return &Logger{} }\n"
	r, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "o/*", Diff: diff})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, item := range r.Items {
		got = append(got, fmt.Sprintf("%s %s %s", item.RepoID, item.Change, item.Symbol))
		for _, a := range item.Affected {
			got = append(got, fmt.Sprintf("  %d %s %s:%d %s", a.Depth, a.RepoID, a.FilePath, a.Line, a.Symbol))
		}
	}
	want := []string{"o/base removed New", "  1 o/base own.go:5 Own", "  1 o/mid mid.go:7 Default"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A repository without the commit that is asked about is named, and the others answer.
func TestImpactLacksCommit(t *testing.T) {
	root, _ := editedRepository(t)
	editRepository(t, root)
	git(t, root, "tag", "before")
	plain := t.TempDir()
	put(t, plain, "go.mod", "module example.com/plain\n")
	put(t, plain, "plain.go", "package plain\n")
	all := folders{"o/edited": root, "o/plain": plain}
	svc := nav.New(gateway.Config{Repos: all, Match: all.Match, Extract: goOnly{}})
	for id := range all {
		if _, err := svc.Build(t.Context(), nav.BuildRequest{RepoID: id}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "*", Base: "before"})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Items) == 0 || r.Items[0].RepoID != "o/edited" || len(r.Meta.Warnings) != 1 ||
		r.Meta.Warnings[0].Code != "PARTIAL_RESULTS" ||
		!strings.HasPrefix(r.Meta.Warnings[0].Message, "what 1 of 2 repositories changed is not known: o/plain: ") {
		t.Errorf("%+v", r)
	}
	if _, err = svc.Impact(t.Context(), nav.ImpactRequest{RepoID: "*", Base: "never"}); err == nil {
		t.Error("a commit that none has")
	}
}

// Tests of other repositories are found as far away as those of the repository
// that is edited.
func TestImpactFarAway(t *testing.T) {
	const hops = 6
	far := func(imports, first string) string {
		text := "package far\n\nimport (\n\t\"testing\"\n" + imports + ")\n\nfunc f1() { " + first + " }\n"
		for n := 2; n <= hops; n++ {
			text += fmt.Sprintf("func f%d() { f%d() }\n", n, n-1)
		}
		return text + fmt.Sprintf("func TestFar(t *testing.T) { f%d() }\n", hops)
	}
	repos := map[models.RepoID]map[string]string{
		"o/base": {
			"go.mod": "module example.com/base\n", "log/log.go": "package log\n\nfunc New() int { return 1 }\n",
			"far/far_test.go": far("\t\"example.com/base/log\"\n", "log.New()"),
		},
		"o/app": {
			"go.mod":          "module example.com/app\n\nrequire example.com/base v1.0.0\n",
			"far/far_test.go": far("\t\"example.com/base/log\"\n", "log.New()"),
		},
	}
	svc, _ := unionOf(t, repos, true)
	diff := "diff --git a/log/log.go b/log/log.go\n--- a/log/log.go\n+++ b/log/log.go\n@@ -3 +3 @@\n" +
		"-func New() int { return 1 }\n+func New() int { return 2 }\n"
	for depth, want := range map[int][]models.TestToRun{
		0: {
			{RepoID: "o/app", FilePath: "far/far_test.go", Symbol: "TestFar", Depth: 7, Tier: "B"},
			{RepoID: "o/base", FilePath: "far/far_test.go", Symbol: "TestFar", Depth: 7, Tier: "B"},
		},
		hops: {},
	} {
		req := nav.ImpactRequest{RepoID: "*", Diff: diff}
		if depth > 0 {
			req.Depth = &depth
		}
		r, err := svc.Impact(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, r.Tests); diff != "" {
			t.Errorf("depth %d (-want +got):\n%s", depth, diff)
		}
	}
}
