package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/cli"
	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// What is not in an index may be in the one that `make run` keeps beside the project.
func TestAnIndexBesideTheProject(t *testing.T) {
	root := writeRepo(t, "clock", clockRepo)
	data := "embedded:" + filepath.Join(root, ".ragnav")
	sh := newShell(t)
	sh.run("index", "--quiet", "--no-graph", "--store", data, root)
	t.Chdir(filepath.Join(root, "clock"))
	for _, args := range [][]string{{"search", "x"}, {"file", "clock", "clock/parse.go"}} {
		if _, errs, _ := sh.try(args...); !strings.Contains(errs, "; there is another index: --store "+data) {
			t.Errorf("ragnav %v: %q, want where an index is", args, errs)
		}
	}
	if _, errs, _ := sh.try("file", "clck", "clock/parse.go", "--store", data); strings.Contains(errs, "another index") {
		t.Errorf("%q names the index that was asked", errs)
	}
	t.Chdir(t.TempDir())
	if _, errs, _ := sh.try("search", "x"); strings.Contains(errs, "another index") {
		t.Errorf("%q names an index that is not around", errs)
	}
}

// A path without a repository is one of this machine, in the repository around it.
func TestLocate(t *testing.T) {
	root := filepath.Join(t.TempDir(), "app")
	for _, dir := range []string{".git", "cmd/x"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "cmd", "main.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(root, "cmd"))
	sh := newShell(t)
	sh.run("index", "--quiet", "--no-graph", root)
	outside := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, "out"); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Resolve(map[string]string{"store": sh.env["RAGNAV_STORE"]}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	here := &cli.Session{Config: cfg, Timeout: time.Minute}
	t.Cleanup(func() { _ = here.Close() })
	for _, test := range []struct{ args, repo, path string }{
		{"", "app", "cmd"},
		{"..", "app", ""},
		{"x", "app", "cmd/x"},
		{"main.go:3-9", "app", "cmd/main.go:3-9"},
		{"main.go#T.M", "app", "cmd/main.go#T.M"},
		{"out", "app", "cmd/out"}, // whose reply says that it leads out
		{"o/r", "o/r", ""},
		{"o/r main.go", "o/r", "main.go"},
		{". cmd/main.go", "app", "cmd/main.go"},
		{"../cmd/x main.go", "app", "main.go"},
	} {
		id, path, err := cli.Locate(t.Context(), here, strings.Fields(test.args), true)
		if err != nil || string(id) != test.repo || path != test.path {
			t.Errorf("%q is %q of %s, %v", test.args, path, id, err)
		}
	}
	for _, test := range []struct{ arg, want string }{
		{"cmd/main.go:3", "cmd/main.go:3"},
		{"main.go", "cmd/main.go"},
		{"./cmd/main.go", "cmd/cmd/main.go"},
		{"gone.go", "cmd/gone.go"}, // whose reply says what was meant
	} {
		id, path, err := cli.Locate(t.Context(), here, []string{test.arg}, false)
		if err != nil || path != test.want || id != "app" {
			t.Errorf("%q, which must be, is %q of %s, %v; want %q", test.arg, path, id, err, test.want)
		}
	}
	t.Chdir(t.TempDir())
	if _, _, err := cli.Locate(t.Context(), here, []string{"gone.go"}, false); fault.CodeOf(err) != fault.PathNotFound {
		t.Error(err)
	}
}

// The repository here is the one that is registered with its folder, whatever its id.
func TestHereIsWhatIsRegistered(t *testing.T) {
	sh := newShell(t)
	one, two := writeRepo(t, "clock", clockRepo), writeRepo(t, "clock", clockRepo)
	sh.run("index", "--quiet", "--repo-id", "acme/one", one)
	sh.run("index", "--quiet", "--repo-id", "acme/two", two)
	for dir, id := range map[string]string{one: "acme/one", filepath.Join(two, "clock"): "acme/two"} {
		t.Chdir(dir)
		for _, args := range []string{
			"structure --json", "search -r . -l 1 --json timestamp",
			"context -r . -l 1 --json timestamp", "ask -r . --json how is a timestamp parsed",
		} {
			if out := sh.run(strings.Fields(args)...); !strings.Contains(out, `"repo":"`+id+`"`) {
				t.Errorf("ragnav %s in %s is not of %s:\n%s", args, dir, id, out)
			}
		}
	}
	t.Chdir(filepath.Join(two, "clock"))
	if out := sh.run("outline", "parse.go"); !strings.Contains(out, "ParseStamp") {
		t.Errorf("the outline of a file in a folder below:\n%s", out)
	}
	if _, errs, exit := sh.try("file", "prase.go"); exit != 3 || !strings.Contains(errs, `did you mean "clock/parse.go"?`) {
		t.Errorf("a path that is not there: exit %d, %s", exit, errs)
	}
	t.Chdir(t.TempDir())
	if _, errs, exit := sh.try("search", "-r", ".", "timestamp"); exit != 3 ||
		!strings.Contains(errs, " is not indexed; `ragnav index ") {
		t.Errorf("exit %d: %s", exit, errs)
	}
	if _, errs, exit := sh.try("structure"); exit != 3 || !strings.Contains(errs, " is not indexed; `ragnav index ") {
		t.Errorf("exit %d: %s", exit, errs)
	}
}

// Who asks in a repository that is not indexed is told that others answer.
func TestNotIndexedHere(t *testing.T) {
	sh := newShell(t)
	indexed, other, plain := writeRepo(t, "clock", clockRepo), writeRepo(t, "other", clockRepo), t.TempDir()
	gitInit(t, other)
	t.Chdir(other)
	if _, errs, exit := sh.try("search", "timestamp"); exit == 0 || strings.Contains(errs, "other repositories") {
		t.Errorf("with nothing indexed: exit %d, %s", exit, errs)
	}
	sh.run("index", "--quiet", "--no-graph", indexed)
	for _, test := range []struct {
		dir  string
		args string
		want bool
	}{
		{filepath.Join(other, "clock"), "search timestamp", true},
		{other, "ask how is a timestamp parsed", true},
		{other, "context timestamp", true},
		{other, "search -r clock timestamp", false},
		{other, "search --quiet timestamp", false},
		{filepath.Join(indexed, "clock"), "search timestamp", false},
		{plain, "search timestamp", false},
	} {
		t.Chdir(test.dir)
		out, errs, exit := sh.try(strings.Fields(test.args)...)
		if exit != 0 || out == "" {
			t.Errorf("%s in %s: exit %d, %s", test.args, test.dir, exit, errs)
		}
		said := strings.Contains(errs, other+" is not indexed: what follows is from other repositories")
		if said != test.want {
			t.Errorf("%s in %s says %q", test.args, test.dir, errs)
		}
	}
}

// What is longer than a terminal is read in the pager, what fits is not; neither
// is JSON, nor anything with NO_PAGER.
func TestPager(t *testing.T) {
	for _, test := range []struct {
		name       string
		lines      int
		json, none bool
		want       bool
	}{
		{"long", 9, false, false, true},
		{"short", 3, false, false, false},
		{"json", 9, true, false, false},
		{"forbidden", 9, false, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			read := filepath.Join(t.TempDir(), "read")
			env := map[string]string{"PAGER": "dd status=none of=" + read}
			if test.none {
				env["NO_PAGER"] = "1"
			}
			var out bytes.Buffer
			s := &cli.Session{
				Screen: &term.Screen{Terminal: true, Width: 80, Height: 5, Out: &out, Err: io.Discard},
				JSON:   test.json,
			}
			s.Getenv = func(name string) string { return env[name] }
			text := strings.Repeat("a line\n", test.lines)
			if err := s.Paged(func() error { s.Screen.Printf("%s", text); return nil }); err != nil {
				t.Fatal(err)
			}
			shown, _ := os.ReadFile(read)
			if got := string(shown) == text && out.Len() == 0; got != test.want || !test.want && out.String() != text {
				t.Errorf("the pager got %q, the terminal %q", shown, out.String())
			}
		})
	}
}

// Below a folder that is indexed as one repository, in a git work tree of its own
// that is not, paths are those of the folder.
func TestLocateBelowAnIndexedFolder(t *testing.T) {
	sh, top := newShell(t), folderOfRepositories(t)
	gitInit(t, filepath.Join(top, "apart"))
	repotest.Write(t, top, map[string]string{"apart/e.go": "package e\n\nfunc E() {}\n"})
	sh.run("index", "--quiet", top)
	sh.run("index", "--quiet", "--no-graph", filepath.Join(top, "apart"))
	for dir, want := range map[string]string{
		"one": "src one", "group/two": "src group/two", "plain": "src plain",
		"apart": "apart",
	} {
		t.Chdir(filepath.Join(top, dir))
		if out := sh.run("structure"); !strings.HasPrefix(out, want+"\n") {
			t.Errorf("in %s: %s", dir, out)
		}
	}
	t.Chdir(filepath.Join(top, "plain"))
	wantAll(t, sh.run("file", "d.go"), "package d")
}
