package index_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// sameRecords wants the records of files and folders to be those that a clean
// build makes. Whether a file was young when it was read may differ.
func sameRecords(t *testing.T, b *bench) {
	t.Helper()
	clean := setUp(t, nil)
	clean.root, clean.clock = b.root, b.clock
	clean.run()
	if diff := cmp.Diff(fileRecords(clean), fileRecords(b)); diff != "" {
		t.Fatal("the records (+) are not what a clean build (-) makes:\n", diff)
	}
}

func fileRecords(b *bench) map[string]models.FileRecord {
	b.Helper()
	all := map[string]models.FileRecord{}
	if err := b.store.Records(b.Context(), models.FilesCollection(repoID), func(key string, value json.RawMessage) error {
		var rec models.FileRecord
		err := json.Unmarshal(value, &rec)
		rec.Racy = false
		all[key] = rec
		return err
	}); err != nil {
		b.Fatal(err)
	}
	return all
}

// After any edits, and anything that people do with git and files beside
// editing, an incremental run makes the same index as a clean build. Half of the
// runs come so soon after the edits that times don't tell versions apart.
func TestIncrementalIsCleanWithGit(t *testing.T) {
	if testing.Short() {
		t.Skip("starts git some hundred times")
	}
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			b := setUp(t, small)
			w := &worktree{bench: b, random: rand.New(rand.NewPCG(seed, 77)), library: t.TempDir()}
			w.begin()
			b.run()
			for range 25 {
				if w.random.IntN(2) == 0 {
					b.clock = time.Now
				} else {
					b.clock = func() time.Time { return time.Now().Add(time.Hour) }
				}
				var done []string
				for range 1 + w.random.IntN(4) {
					done = append(done, w.step())
				}
				b.run()
				sameAsClean(t, b)
				sameRecords(t, b)
				if t.Failed() {
					t.Fatal("after ", done)
				}
			}
		})
	}
}

// A worktree is a repository that somebody works in.
type worktree struct {
	*bench

	random  *rand.Rand
	library string // a repository to use as a submodule
	steps   int
}

// begin makes the folder and the library git repositories.
func (w *worktree) begin() {
	w.Helper()
	gitIn(w.T, w.library, "init", "-q")
	if err := os.WriteFile(filepath.Join(w.library, "lib.go"), []byte("package lib\n"), 0o600); err != nil {
		w.Fatal(err)
	}
	gitIn(w.T, w.library, "add", ".")
	gitIn(w.T, w.library, "commit", "-qm", "lib")
	gitIn(w.T, w.root, "init", "-q")
	w.commit()
}

// try runs git and lets it refuse: there may be nothing to stash, or a conflict.
func (w *worktree) try(args ...string) {
	w.Helper()
	_, _ = repotest.Try(w.T, w.root, args...)
}

func (w *worktree) commit() {
	w.try("add", "-A")
	w.try("commit", "-q", "--allow-empty", "-m", "work")
}

// step does one thing, and says what.
func (w *worktree) step() string {
	w.Helper()
	if w.random.IntN(3) == 0 {
		w.clear("server", "server/deep", "cmd", "cmd/x", "docs")
		edit(w.bench, w.random)
		return "edit"
	}
	names := []string{
		"commit", "branch", "switch", "stash", "unstash", "reset", "revert a file", "merge", "rename", "change case",
		"move a folder",
		"file to folder", "folder to file", "file to link", "link to file", "same size and time", "back in time",
		"swap names",
		"ignore", "nested ignore", "exclude", "ragnavignore", "stop ignoring", "add a submodule", "remove a submodule",
		"move a submodule",
		"add a work tree", "remove a work tree", "sparse", "not sparse", "no repository", "repository",
	}
	name := names[w.random.IntN(len(names))]
	w.steps++
	w.do(name)
	return name
}

//nolint:gocyclo,cyclop,funlen // a table with code in it
func (w *worktree) do(name string) {
	w.Helper()
	some := []string{
		"main.go", "README.md", "server/server.go", "server/deep/x.py",
		"config/values.yaml",
	}[w.random.IntN(5)]
	switch name {
	case "commit":
		w.commit()
	case "branch":
		w.commit()
		w.try("checkout", "-q", "-b", fmt.Sprint("b", w.steps))
	case "switch":
		w.try("checkout", "-qf", []string{"-", "main", "master", "HEAD~1"}[w.random.IntN(4)])
	case "stash":
		w.try("stash", "-u", "-q")
	case "unstash":
		w.try("stash", "pop", "-q")
	case "reset":
		w.try("reset", "-q", "--hard", fmt.Sprint("HEAD~", w.random.IntN(3)))
	case "revert a file":
		w.try("checkout", "-q", "HEAD", "--", some)
	case "merge":
		w.try("merge", "-q", "-X", "theirs", "-")
	case "rename":
		w.try("mv", some, "renamed.go")
	case "change case":
		w.move(some, strings.ToUpper(some[:1])+some[1:])
	case "move a folder":
		w.move([]string{"server", "moved"}[w.random.IntN(2)], []string{"server", "moved", "config/server"}[w.random.IntN(3)])
	case "file to folder":
		w.remove(some)
		w.put(some+"/inside.go", "package inside\n")
	case "folder to file":
		w.remove("server/deep")
		w.put("server/deep", "not a folder any more\n")
	case "file to link":
		w.remove(some)
		w.link([]string{"go.mod", "nothing", "/etc/passwd", ".", "server"}[w.random.IntN(5)], some)
	case "link to file":
		w.remove(some)
		w.put(some, fmt.Sprintf("package p\n\nfunc F%d() {}\n", w.steps))
	case "same size and time":
		w.rewrite(some)
	case "back in time":
		at := time.Unix(1_000_000_000+w.random.Int64N(1000), 0)
		_ = os.Chtimes(w.path(some), at, at)
	case "swap names":
		w.move(some, "tmp-swap")
		w.move("go.mod", some)
		w.move("tmp-swap", "go.mod")
	case "ignore":
		w.put(".gitignore", []string{
			"*.go\n", "server/\n", "*\n!*.md\n!/.gitignore\n", "docs/\n*.py\n",
			"/main.go\n",
		}[w.random.IntN(5)])
	case "nested ignore":
		w.put("server/.gitignore", []string{"*\n", "!*.go\n", "/deep\n", "*.py\n"}[w.random.IntN(4)])
	case "exclude":
		w.put(".git/info/exclude", []string{"*.txt\n", "", "cmd\n"}[w.random.IntN(3)])
	case "ragnavignore":
		w.put([]string{".ragnavignore", "server/.ragnavignore"}[w.random.IntN(2)],
			[]string{"*.py\n", "server\n", "", "*.md\n!README.md\n"}[w.random.IntN(4)])
	case "stop ignoring":
		for _, file := range []string{".gitignore", "server/.gitignore", ".ragnavignore", "server/.ragnavignore"} {
			w.remove(file)
		}
	case "add a submodule":
		w.try("submodule", "--quiet", "add", "--force", w.library, "lib")
	case "remove a submodule":
		w.try("submodule", "--quiet", "deinit", "-f", "lib")
		w.try("rm", "-qf", "lib")
	case "move a submodule":
		gitIn(w.T, w.library, "commit", "-q", "--allow-empty", "-m", "more")
		w.try("submodule", "--quiet", "update", "--remote", "lib")
	case "add a work tree":
		w.try("worktree", "add", "-q", "-f", "linked", "HEAD")
	case "remove a work tree":
		w.try("worktree", "remove", "--force", "linked")
	case "sparse":
		w.try("sparse-checkout", "set", "--no-cone", "/*", "!/server/")
	case "not sparse":
		w.try("sparse-checkout", "disable")
	case "no repository":
		w.remove(".git")
	case "repository":
		w.try("init", "-q")
		w.commit()
	}
}

func (w *worktree) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

// remove removes what is there, if it is.
func (w *worktree) remove(name string) { _ = os.RemoveAll(w.path(name)) }

// put is write where the place is free for it.
func (w *worktree) put(name, text string) {
	w.Helper()
	for dir := filepath.Dir(w.path(name)); dir != w.root; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			return
		}
	}
	if info, err := os.Lstat(w.path(name)); err == nil && !info.Mode().IsRegular() {
		return
	}
	if strings.HasPrefix(name, ".git/") {
		if _, err := os.Lstat(w.path(".git")); err != nil {
			return
		}
	}
	w.write(name, text)
}

// move renames what is there, if it is.
func (w *worktree) move(from, to string) { _ = os.Rename(w.path(from), w.path(to)) }

func (w *worktree) link(target, name string) { _ = os.Symlink(target, w.path(name)) }

// clear removes what stands where folders are wanted.
func (w *worktree) clear(folders ...string) {
	w.Helper()
	for _, folder := range folders {
		if info, err := os.Lstat(w.path(folder)); err == nil && !info.IsDir() {
			w.remove(folder)
		}
	}
}

// rewrite gives a file another text of the same size and modification time.
func (w *worktree) rewrite(name string) {
	w.Helper()
	info, err := os.Lstat(w.path(name))
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	data, err := os.ReadFile(w.path(name))
	if err != nil {
		w.Fatal(err)
	}
	for i, c := range data {
		if c >= 'a' && c < 'z' {
			data[i]++
			break
		}
	}
	w.write(name, string(data))
	if err := os.Chtimes(w.path(name), info.ModTime(), info.ModTime()); err != nil {
		w.Fatal(err)
	}
}
