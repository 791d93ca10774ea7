package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/cmd/ragnav/internal/term"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// In a sub-folder the repository around it answers, by its graph or its work
// tree, and the reply says so; a path may be typed from the sub-folder.
func TestNavInSubFolder(t *testing.T) {
	sh := newShell(t)
	indexed := writeRepo(t, "stamp", stampRepo)
	sh.run("nav", "build-graph", "-r", indexed)
	alone := writeRepo(t, "stamp", stampRepo)
	for _, test := range []struct {
		name, root string
		want       []string
		says       string
	}{
		{"of a git work tree", gitRepo(t, stampRepo), wantUses, "clock is in repository stamp"},
		{"of a folder with a graph", indexed, wantUses, "clock is in repository stamp"},
		{"of a folder that nothing is known of", alone, []string{"again.go:3 calls", "use_test.go:6 calls"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			sub := filepath.Join(test.root, "clock")
			for _, file := range []string{"", "parse.go", "./parse.go", "../clock/parse.go"} {
				if strings.HasPrefix(file, "..") && test.says == "" {
					continue
				}
				r := sh.nav("where-used", "-r", sub, "-s", "ParseStamp", "--file", file)
				if file == "" {
					r = sh.nav("where-used", "-r", sub, "-s", "clock.ParseStamp")
				}
				if diff := cmp.Diff(test.want, r.places("")); diff != "" {
					t.Errorf("file %q: uses (-want +got):\n%s", file, diff)
				}
				if got := term.Text(r.Meta.Message); !strings.Contains(got, test.says) {
					t.Errorf("file %q: message %q, want %q in it", file, got, test.says)
				}
				build := "`ragnav nav build-graph -r " + sub + "`"
				if got := term.Text(r.Meta.Message); test.root != indexed && !strings.Contains(got, build) {
					t.Errorf("file %q: message %q, want %q in it", file, got, build)
				}
			}
		})
	}
}

func TestNavPathsOfSubFolder(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	t.Chdir(filepath.Join(root, "clock"))
	for filter, want := range map[string][]string{
		"": {
			"clock/again.go:3 ", "clock/parse.go:3 ", "clock/parse.go:4 ", "clock/use_test.go:6 ", "main.go:6 ",
			"other/other.go:3 ", "other/other.go:5 ",
		},
		"again.go":     {"clock/again.go:3 "},
		"./*_test.go":  {"clock/use_test.go:6 "},
		"../other/*":   {"other/other.go:3 ", "other/other.go:5 "},
		"clock/again*": {"clock/again.go:3 "}, // as a reply has it
	} {
		r := sh.nav("search", "-q", "ParseStamp", "--path-filter", filter)
		if diff := cmp.Diff(want, r.places("")); diff != "" {
			t.Errorf("path filter %q (-want +got):\n%s", filter, diff)
		}
	}
	out, _, exit := sh.try("nav", "where-used", "-s", "Nowhere")
	if exit != 3 || !strings.Contains(out, "in repository stamp") {
		t.Errorf("unknown symbol: exit %d, %s", exit, out)
	}
	if err := os.Mkdir("deep", 0o755); err != nil {
		t.Fatal(err)
	}
	if out, _, exit := sh.try("nav", "search", "-q", "x", "--path-filter", "../../x"); exit != 2 {
		t.Errorf("a path out of the repository: exit %d, %s", exit, out)
	}
}

// A folder that was indexed under a name of its own is called that, so that the next
// call that a reply names finds it.
func TestNavNamesFolderAsIndexed(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	sh.run("index", "--quiet", "--repo-id", "team/stamps", root)
	text := sh.run("nav", "where-used", "-r", root, "-s", "clock.ParseStamp", "-l", "1", "--text")
	if !strings.Contains(text, `"repo_id":"team/stamps"`) {
		t.Errorf("the next call is not of team/stamps:\n%s", text)
	}
}

// A name that a folder here and another repository have is the repository's that is
// registered as that, and a note says so.
func TestNavPrefersTheRegisteredName(t *testing.T) {
	sh := newShell(t)
	sh.run("index", "--quiet", "--repo-id", "clock", writeRepo(t, "clock", clockRepo))
	alone := gitRepo(t, stampRepo)
	t.Chdir(alone)
	for _, test := range []struct{ repo, of, note string }{
		{"clock", "clock", "./clock is the folder here"},
		{"./clock", filepath.Base(alone), ""},
		{"other", filepath.Base(alone), ""},
	} {
		out, notes, exit := sh.try("nav", "status", "-r", test.repo, "--json")
		if exit != 0 || !strings.Contains(out, `"repo_id":"`+test.of+`"`) ||
			strings.Contains(notes, "is the folder here") != (test.note != "") || !strings.Contains(notes, test.note) {
			t.Errorf("-r %s: exit %d, %s\n%s; want %s and the note %q", test.repo, exit, out, notes, test.of, test.note)
		}
	}
}

// What a reply says to run next is of the folder that was asked about, and never of a
// repository that has its name.
func TestNavNamesFolderInCommands(t *testing.T) {
	sh := newShell(t)
	sh.run("index", "--quiet", "--repo-id", "clock", writeRepo(t, "clock", clockRepo))
	t.Chdir(t.TempDir())
	for _, name := range []string{"clock", "alone"} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, of := range []string{"no server", "a server"} {
		if of == "a server" { // is asked whether it knows the name; its reply to that is not the one to print
			sh.serve()
		}
		for repo, want := range map[string]string{"./clock": "./clock", "alone": "./alone", "./alone": "./alone"} {
			for _, form := range []string{"--json", "--text"} {
				out := sh.run("nav", "status", "-r", repo, form)
				if n := strings.Count(out, "build-graph"); n != 1 ||
					!strings.Contains(out, "`ragnav nav build-graph -r "+want+"`") {
					t.Errorf("%s, -r %s %s names %d commands, want one of %s:\n%s", of, repo, form, n, want, out)
				}
			}
			out, _, exit := sh.try("nav", "where-used", "-r", repo, "-s", "Nowhere", "--json")
			if exit != 3 || !strings.Contains(out, `"error_code":"SYMBOL_NOT_FOUND"`) {
				t.Errorf("%s, -r %s: exit %d, %s", of, repo, exit, out)
			}
		}
	}
}

// What weakens an answer is said once: in the text, where there is one.
func TestWarningsAreSaidOnce(t *testing.T) {
	sh := newShell(t)
	sh.run("index", "--quiet", "--repo-id", "clock", writeRepo(t, "clock", clockRepo))
	for _, form := range []string{"--text", "--quiet"} {
		out, errs, _ := sh.try("search", form, "--level", "symbol", "ParseTime")
		if n := strings.Count(out+errs, "no commit is checked out"); n != 1 {
			t.Errorf("%s says it %d times:\n%s%s", form, n, out, errs)
		}
	}
}

// A path alone is a folder of the repository around it.
func TestMapOfAPath(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	t.Chdir(filepath.Join(root, "clock"))
	for _, test := range []struct {
		args  []string
		whole bool
	}{
		{nil, true},
		{[]string{"."}, false},
		{[]string{".."}, true},
		{[]string{"../other"}, false},
		{[]string{root}, true},
	} {
		out := sh.run(append([]string{"map"}, test.args...)...)
		if got := strings.HasPrefix(out, "./  "); got != test.whole || out == "" {
			t.Errorf("map %v is of the whole repository: %v, want %v\n%s", test.args, got, test.whole, out)
		}
	}
}

// The path of a bare repository, which has no files, names the clone of it that is indexed.
func TestNavOfABareRepository(t *testing.T) {
	sh := newShell(t)
	bare := filepath.Join(t.TempDir(), "stamp.git")
	repotest.Run(t, t.TempDir(), "clone", "-q", "--bare", gitRepo(t, stampRepo), bare)
	if out, notes, exit := sh.try("nav", "where-used", "-r", bare, "-s", "ParseStamp"); exit != 2 ||
		!strings.Contains(out+notes, "index a bare repository") {
		t.Errorf("not indexed: exit %d, %s%s", exit, out, notes)
	}
	sh.run("index", "--quiet", bare)
	if diff := cmp.Diff(wantUses, sh.nav("where-used", "-r", bare, "-s", "clock.ParseStamp").places("")); diff != "" {
		t.Errorf("uses (-want +got):\n%s", diff)
	}
	t.Chdir(bare)
	if diff := cmp.Diff(wantUses, sh.nav("where-used", "-s", "clock.ParseStamp").places("")); diff != "" {
		t.Errorf("uses from inside (-want +got):\n%s", diff)
	}
	if out := sh.run("search", "-r", ".", "ParseStamp"); !strings.Contains(out, "clock/parse.go") {
		t.Errorf("search in it: %s", out)
	}
}
