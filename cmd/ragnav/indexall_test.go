package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// gitInit makes a folder a git work tree.
func gitInit(t *testing.T, dir string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no git, so nothing about folders of repositories is tested: %v %s", err, out)
	}
}

func wantAll(t *testing.T, out string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
}

// folderOfRepositories has two of them, one that is nested in another, and a
// plain folder.
func folderOfRepositories(t *testing.T) string {
	t.Helper()
	top := writeRepo(t, "src",
		map[string]string{
			"one/a.go": "package a\n", "group/two/b.go": "package b\n", "one/nested/c.go": "package c\n",
			"plain/d.go": "package d\n",
		})
	for _, name := range []string{"one", "group/two", "one/nested"} {
		gitInit(t, filepath.Join(top, name))
	}
	return top
}

func TestIndexEach(t *testing.T) {
	sh, top := newShell(t), folderOfRepositories(t)
	out := sh.run("index", "--each", "--dry-run", top)
	wantAll(t, out, "one would have 1 file", "two would have 1 file")
	out = sh.run("index", "--each", "--quiet", top)
	wantAll(t, out, "one is searchable", "two is searchable", "2 of 2 repositories are searchable")
	repos := sh.run("repos")
	if wantAll(t, repos, "one", "two"); strings.Contains(repos, "nested") || strings.Contains(repos, "plain") {
		t.Errorf("more is indexed:\n%s", repos)
	}
	// A third one has the id of the first, and gets another; a fourth one has that too.
	repotest.Write(t, top, map[string]string{"z/one/x.go": "package x\n"})
	gitInit(t, filepath.Join(top, "z", "one"))
	out = sh.run("index", "--each", "--quiet", top)
	wantAll(t, out, "one is searchable", "two is searchable", "one-z is searchable", "3 of 3 repositories")
	again := sh.run("index", "--quiet", filepath.Join(top, "z", "one")) // a registered folder keeps its id
	wantAll(t, again, "one-z is searchable")
	repotest.Write(t, top, map[string]string{"zz/z/one/x.go": "package x\n"})
	gitInit(t, filepath.Join(top, "zz", "z", "one"))
	out, errs, exit := sh.try("index", "--each", "--quiet", top)
	if exit != 1 {
		t.Errorf("exit %d, want 1", exit)
	}
	wantAll(t, out, "one is searchable", "two is searchable", "one-z is searchable")
	wantAll(t, errs, "are both repository one-z", "3 of 4 repositories are searchable")
}

// Through a server and with --json: a reply for each repository.
func TestIndexEachOnAServer(t *testing.T) {
	t.Parallel()
	sh, top := newShell(t), folderOfRepositories(t)
	sh.serve()
	var ids []models.RepoID
	for line := range strings.Lines(sh.run("index", "--each", "--json", "--quiet", top)) {
		var reply index.JobsResponse
		if err := json.Unmarshal([]byte(line), &reply); err != nil || len(reply.Items) != 1 ||
			reply.Items[0].State != index.JobDone {
			t.Fatalf("%v in %s", err, line)
		}
		ids = append(ids, reply.Items[0].RepoID)
	}
	if diff := cmp.Diff([]models.RepoID{"two", "one"}, ids); diff != "" {
		t.Errorf("replies (-want +got):\n%s", diff)
	}
}

func TestIndexFrom(t *testing.T) {
	sh, a, b := newShell(t), writeRepo(t, "first", clockRepo), writeRepo(t, "second", clockRepo)
	list := filepath.Join(t.TempDir(), "list.txt")
	text := "\ufeff# mine\r\n\r\n" + a + "\r\n  # and\n" + filepath.Join(a, "nope") + "\n" + b + "/\n/dev/null\n"
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, exit := sh.try("index", "--quiet", "--from", list)
	if exit != 1 {
		t.Errorf("exit %d, want 1", exit)
	}
	wantAll(t, out, "first is searchable", "second is searchable")
	wantAll(t, errs, list+":5: there is no folder", list+":7: ", "2 of 4 repositories are searchable")
	if err := os.WriteFile(list, []byte("# nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		exit int
		want string
	}{
		"an empty list":      {[]string{"--from", list}, 2, "names no repository"},
		"no list":            {[]string{"--from", list + "x"}, 3, "there is no file"},
		"a list and targets": {[]string{"--from", list, a}, 2, "--from names a file"},
		"neither":            {nil, 2, "ragnav index wants"},
	} {
		if _, errs, exit := sh.try(append([]string{"index"}, test.args...)...); exit != test.exit ||
			!strings.Contains(errs, test.want) {
			t.Errorf("%s: exit %d, %q; want %d, %q", name, exit, errs, test.exit, test.want)
		}
	}
}

func TestIndexSeveral(t *testing.T) {
	sh, a, b := newShell(t), writeRepo(t, "first", clockRepo), writeRepo(t, "second", clockRepo)
	out, errs, exit := sh.try("index", "--quiet", filepath.Join(a, "nope"), a, b)
	if exit != 1 {
		t.Errorf("exit %d, want 1", exit)
	}
	wantAll(t, out, "first is searchable", "second is searchable")
	wantAll(t, errs, "there is no folder", "2 of 3 repositories are searchable")
	wantAll(t, sh.run("index", "--quiet", a, b), "2 of 2 repositories are searchable")
}

// A run leaves the graph of each repository behind, unless it is told not to.
func TestIndexGraph(t *testing.T) {
	sh, top := newShell(t), folderOfRepositories(t)
	graphs := func() (found []string) {
		for _, name := range []string{"one", "group/two"} {
			if _, err := os.Stat(filepath.Join(top, name, ".llmc", "rag_graph.json")); err == nil {
				found = append(found, name)
			}
		}
		return found
	}
	wantAll(t, sh.run("index", "--each", "--no-graph", "--quiet", top), "2 of 2 repositories are searchable")
	if got := graphs(); len(got) != 0 {
		t.Errorf("graphs of %v with --no-graph", got)
	}
	wantAll(t, sh.run("index", "--each", "--quiet", top), "one is searchable", "two is searchable",
		"2 of 2 repositories are searchable")
	if got := graphs(); len(got) != 2 {
		t.Errorf("graphs of %v, want of both", got)
	}
	var reply struct{ Items []index.Job }
	if err := json.Unmarshal([]byte(sh.run("index", "--json", filepath.Join(top, "one"))), &reply); err != nil ||
		len(reply.Items) != 1 {
		t.Errorf("with --json: %v, %+v; want the reply of the job alone", err, reply)
	}
}

// Where no graph can be written the run says so, and is done all the same.
func TestIndexGraphCannotBeWritten(t *testing.T) {
	sh, root := newShell(t), writeRepo(t, "clock", clockRepo)
	if err := os.WriteFile(filepath.Join(root, ".llmc"), []byte("in the way"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs, exit := sh.try("index", root)
	if exit != 0 || !strings.Contains(errs, "the graph of clock is not built") {
		t.Errorf("exit %d: %s", exit, errs)
	}
	if out := sh.run("search", "ParseStamp"); !strings.Contains(out, "clock/parse.go") {
		t.Errorf("a search finds %s", out)
	}
}

// A folder that was moved keeps its index when it is indexed under its id from where it is now.
func TestIndexOfAMovedFolder(t *testing.T) {
	sh, root := newShell(t), gitRepo(t, stampRepo)
	sh.run("index", "--quiet", root)
	moved := filepath.Join(filepath.Dir(root), "elsewhere")
	if err := os.Rename(root, moved); err != nil {
		t.Fatal(err)
	}
	told := "`ragnav index --repo-id stamp "
	if _, notes, _ := sh.try("search", "-r", "stamp", "ParseStamp"); !strings.Contains(notes, told+"PATH`") {
		t.Errorf("search says %s, want %s", notes, told)
	}
	copied := writeRepo(t, "stamp", stampRepo)
	if _, notes, exit := sh.try("index", copied); exit != 5 || !strings.Contains(notes, told+copied+"`") {
		t.Errorf("another folder of that name: exit %d, %s; want %s", exit, notes, told)
	}
	if out := sh.run("index", moved, "--repo-id", "stamp"); !strings.Contains(out, "  0 changed, 0 removed") {
		t.Errorf("indexed again: %s", out)
	}
	if _, notes, exit := sh.try("index", copied, "--repo-id", "stamp"); exit != 5 {
		t.Errorf("while the folder is there another takes its id: exit %d, %s", exit, notes)
	}
	if out := sh.run("file", "stamp", "clock/parse.go:1"); !strings.Contains(out, "package clock") {
		t.Errorf("its files: %s", out)
	}
}
