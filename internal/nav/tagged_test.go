package nav_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// checkouts are work trees of one history of a module of Go: v1.0.0, v1.1.0 and what came
// behind that.
func checkouts(t *testing.T) (all folders, commit string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git here")
	}
	all = folders{"o/new": t.TempDir()}
	put(t, all["o/new"], "go.mod", "module example.com/lib\n")
	put(t, all["o/new"], "sub/go.mod", "module example.com/lib/sub\n")
	put(t, all["o/new"], "sub/sub.go", "package sub\n\nfunc Do() {}\n")
	git(t, all["o/new"], "init", "-q")
	for _, version := range []string{"v1.0.0", "v1.1.0", ""} {
		put(t, all["o/new"], "lib.go", "package lib\n\nfunc Do() {}\n\n// "+version+"\n")
		git(t, all["o/new"], "add", ".")
		git(t, all["o/new"], "commit", "-qm", "x"+version)
		if version != "" {
			git(t, all["o/new"], "tag", version)
		}
	}
	git(t, all["o/new"], "tag", "sub/v0.1.0", "v1.0.0") // the module below has versions of its own
	git(t, all["o/new"], "tag", "sub/v0.2.0", "v1.1.0")
	for id, version := range map[models.RepoID]string{"o/one": "v1.0.0", "o/two": "v1.1.0"} {
		all[id] = t.TempDir() + "/x"
		git(t, all["o/new"], "worktree", "add", "-q", all[id], version)
	}
	return all, strings.TrimSpace(git(t, all["o/new"], "rev-parse", "HEAD"))
}

// Tags and commits tell checkouts of a module of Go apart, as its go.mod has no version.
func TestTagsChooseTheCheckout(t *testing.T) {
	all, commit := checkouts(t)
	all["p/user"] = t.TempDir()
	put(t, all["p/user"], "use.go", "package user\n")
	svc := builtOf(t, all)
	for _, test := range []struct{ name, requires, uses, warns string }{
		{"a version", "require example.com/lib v1.0.0", "o/one lib.go", ""},
		{"another version", "require example.com/lib v1.1.0", "o/two lib.go", ""},
		{"of a commit", "require example.com/lib v1.1.1-0.20260102030405-" + commit[:12], "o/new lib.go", ""},
		{
			"that is not here", "require example.com/lib v1.0.3", "o/one lib.go",
			"p/user asks for example.com/lib v1.0.3, which none of the checkouts is; o/one is taken",
		},
		{
			"a folder in its place", "require example.com/lib v1.0.0\nreplace example.com/lib => " + all["o/new"],
			"o/new lib.go", "",
		},
		{
			"another version in its place", "require example.com/lib v1.0.0\nreplace example.com/lib => example.com/lib v1.1.0",
			"o/two lib.go", "",
		},
		{"a replacement of another version", "require example.com/lib v1.0.0\nreplace example.com/lib v1.0.9 => " +
			all["o/new"], "o/one lib.go", ""},
		{
			"a fork in its place", "require example.com/lib v1.0.0\nreplace example.com/lib => host.com/o/two v1.1.0",
			"o/two lib.go", "",
		},
		{"a module below", "require example.com/lib/sub v0.1.0", "o/one sub/sub.go", ""},
	} {
		put(t, all["p/user"], "go.mod", "module example.com/user\n\n"+test.requires+"\n")
		put(t, all["p/user"], "use.go", fmt.Sprintf("package user\n\nimport lib %q\n\nfunc use() { lib.Do() }\n",
			strings.Fields(test.requires)[1]))
		r, err := svc.WhereUsed(t.Context(),
			nav.WhereUsedRequest{RepoID: "*", Symbol: "Do", Edges: []string{"calls"}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range r.Items {
			id, def, _ := strings.Cut(item.Definition, ":")
			file, _, _ := strings.Cut(def, ":")
			got = append(got, id+" "+file)
		}
		if diff := cmp.Diff([]string{test.uses}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if warned := otherVersions(r.Meta); warned != test.warns {
			t.Errorf("%s: warns %q, want %q", test.name, warned, test.warns)
		}
	}
}

// A workspace of Go takes a folder in place of what a go.mod asks for.
func TestWorkspaceChoosesTheCheckout(t *testing.T) {
	all, _ := checkouts(t)
	all["p/user"] = t.TempDir()
	put(t, all["p/user"], "a/go.mod", "module example.com/user\n\nrequire example.com/lib v1.0.0\n")
	put(t, all["p/user"], "a/use.go", "package user\n\nimport \"example.com/lib\"\n\nfunc use() { lib.Do() }\n")
	svc := builtOf(t, all)
	for _, test := range []struct{ work, want string }{
		{"go 1.26\n\nuse ./a\n", "o/one"},
		{"go 1.26\n\nuse (\n\t./a\n\t" + all["o/new"] + "\n)\n", "o/new"},
		{"go 1.26\n\nuse ./a\n\nreplace example.com/lib => " + all["o/two"] + "\n", "o/two"},
	} {
		put(t, all["p/user"], "go.work", test.work)
		r, err := svc.Definition(t.Context(),
			nav.DefinitionRequest{RepoID: "p/user", FilePath: "a/use.go", Line: 5, Column: 18})
		if err != nil || len(r.Items) != 1 || string(r.Items[0].RepoID) != test.want {
			t.Errorf("%q: %+v %v, want one of %s", test.work, r.Items, err, test.want)
		}
	}
}

// A tag that is made while the service runs counts, and where several provide a module a
// reply says so.
func TestCheckoutsAreTold(t *testing.T) {
	all, _ := checkouts(t)
	all["p/user"] = t.TempDir()
	put(t, all["p/user"], "go.mod", "module example.com/user\n\nrequire example.com/lib v1.2.0\n")
	put(t, all["p/user"], "use.go", "package user\n\nimport \"example.com/lib\"\n\nfunc use() { lib.Do() }\n")
	svc := builtOf(t, all)
	ask := func() string {
		r, err := svc.Definition(t.Context(),
			nav.DefinitionRequest{RepoID: "p/user", FilePath: "use.go", Line: 5, Column: 18})
		if err != nil || len(r.Items) != 1 {
			t.Fatalf("%+v %v", r, err)
		}
		return fmt.Sprint(r.Items[0].RepoID, " ", *r.Meta.Message, " ", otherVersions(r.Meta) != "")
	}
	const told = "%s example.com/lib is in 3 repositories: o/new %s, o/one v1.0.0, o/two v1.1.0; each use is of the one " +
		"that a manifest or lock file asks for %t"
	if got, want := ask(), fmt.Sprintf(told, "o/new", "behind v1.1.0", true); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	git(t, all["o/new"], "tag", "v1.2.0")
	if got, want := ask(), fmt.Sprintf(told, "o/new", "v1.2.0", false); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func otherVersions(meta models.Meta) (text string) {
	for _, w := range meta.Warnings {
		if w.Code == "OTHER_VERSION" {
			text += w.Message
		}
	}
	return text
}

// What tools keep in hidden folders is for nobody else.
func TestHiddenFoldersProvideNothing(t *testing.T) {
	svc, _ := unionOf(t, map[models.RepoID]map[string]string{
		"o/lib": {
			"package.json": `{"name":"lib"}`, ".yarn/sdks/eslint/package.json": `{"name":"eslint"}`,
			"tools/.cache/x/package.json": `{"name":"x"}`,
		},
		"o/user": {"package.json": `{"name":"user","devDependencies":{"eslint":"9","x":"1"}}`},
	}, false)
	r, err := svc.Status(t.Context(), nav.StatusRequest{RepoID: "o/lib", Modules: true})
	if err != nil {
		t.Fatal(err)
	}
	if m := r.Items[0]; len(m.Modules) != 1 || m.Modules[0] != "npm:lib" || len(m.Dependents) > 0 {
		t.Errorf("it provides %v, taken by %v; want npm:lib, taken by nobody", m.Modules, m.Dependents)
	}
}
