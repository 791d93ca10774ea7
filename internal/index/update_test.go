package index_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/index/jobs"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// update tells the service that those paths changed.
func (b *bench) update(paths ...string) jobs.Job {
	b.Helper()
	j, err := b.service.Update(b.Context(), index.UpdateRequest{RepoID: repoID, Paths: paths})
	if err != nil {
		b.Fatal(err)
	}
	if j.State != jobs.Done {
		b.Fatalf("job %+v", j)
	}
	return j
}

// git runs git in the repository.
func (b *bench) git(args ...string) {
	b.Helper()
	repotest.Run(b, b.root, args...)
}

// asGit makes the repository a git work tree, or skips.
func (b *bench) asGit() {
	b.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("SKIPPED: git is not installed")
	}
	b.git("init", "-q")
	b.git("add", "-A")
	b.git("commit", "-q", "-m", "one")
}

func TestUpdateLooksAtThePathsOnly(t *testing.T) {
	for name, prepare := range map[string]func(*bench){"folder": func(*bench) {}, "git": (*bench).asGit} {
		t.Run(name, func(t *testing.T) {
			b := setUp(t, small)
			prepare(b)
			b.run()
			b.write("server/server.go", "package server\n\nfunc New() {}\n")
			b.write("main.go", "package main\n\nfunc unseen() {}\n")
			if j := b.update("server/server.go"); j.Total != 1 || j.Changed != 1 || j.Documents != b.record().DocCount {
				t.Errorf("job %+v", j)
			}
			if j := b.update("main.go", "server"); j.Total != 4 || j.Changed != 1 {
				t.Errorf("job %+v", j)
			}
			sameAsClean(t, b)
		})
	}
}

func TestUpdateWithoutAChangeWritesNothing(t *testing.T) {
	b := setUp(t, small)
	b.run()
	batches := b.store.batches()
	if j := b.update("main.go", "no/such/file"); j.Changed != 0 || j.Documents == 0 {
		t.Errorf("job %+v", j)
	}
	if got := b.store.batches() - batches; got != 0 {
		t.Errorf("%d batches", got)
	}
}

// What can change the fate of other files makes the update a whole run.
func TestUpdateThatReachesFar(t *testing.T) {
	many := make([]string, 201)
	for i := range many {
		many[i] = fmt.Sprintf("none/f%d.go", i)
	}
	for name, tc := range map[string]struct {
		change func(*bench)
		paths  []string
	}{
		"ignore file":       {func(b *bench) { b.write(".gitignore", "server/\n") }, []string{".gitignore"}},
		"inner ignore file": {func(b *bench) { b.write("server/.ragnavignore", "*.go\n") }, []string{"server/.ragnavignore"}},
		"exclude file":      {func(b *bench) { b.write(".git/info/exclude", "new\n") }, []string{".git/info/exclude"}},
		"no paths":          {func(b *bench) { b.write("main.go", "package main\n") }, nil},
		"too many paths":    {func(b *bench) { b.write("main.go", "package main\n") }, many},
		"the root":          {func(b *bench) { b.write("main.go", "package main\n") }, []string{""}},
		"another commit": {func(b *bench) {
			b.write("main.go", "package main\n")
			b.git("commit", "-q", "-a", "-m", "two")
		}, []string{"README.md"}},
		"a nested repository": {func(b *bench) {
			b.write("inner/.git/HEAD", "ref: refs/heads/main\n")
			b.write("main.go", "package main\n")
		}, []string{"inner/x.go"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := setUp(t, small)
			b.asGit()
			b.run()
			b.update("main.go") // from here on from memory
			tc.change(b)
			b.update(tc.paths...)
			sameAsClean(t, b)
		})
	}
}

func TestUpdateAfterAnUnfinishedRun(t *testing.T) {
	b := setUp(t, small)
	b.run()
	b.update("main.go")
	b.write("main.go", "package main\n\nfunc a() {}\n")
	b.write("server/server.go", "package server\n\nfunc b() {}\n")
	b.store.before = func(batch models.Batch) error {
		if len(batch.Put) > 0 {
			return fault.New(fault.Internal, "the disk is full")
		}
		return nil
	}
	j, err := b.service.Update(t.Context(), index.UpdateRequest{RepoID: repoID, Paths: []string{"server/server.go"}})
	if err != nil || j.State != jobs.Failed {
		t.Fatalf("job %+v, %v", j, err)
	}
	b.store.before = nil
	b.update("server/server.go")
	sameAsClean(t, b)
}

func TestUpdateRefuses(t *testing.T) {
	b := setUp(t, small)
	if _, err := b.service.Update(t.Context(),
		index.UpdateRequest{RepoID: "none"}); fault.CodeOf(err) != fault.RepoNotFound {
		t.Errorf("an unknown repository: %v", err)
	}
	b.run()
	b.update("main.go")
	if _, err := b.service.Remove(t.Context(), index.RemoveRequest{RepoID: repoID}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.service.Update(t.Context(),
		index.UpdateRequest{RepoID: repoID}); fault.CodeOf(err) != fault.RepoNotFound {
		t.Errorf("a removed repository: %v", err)
	}
	b.run()
	sameAsClean(t, b)
}

// After any edits, moves and deletions, updates of the paths that changed make
// the same index as a clean build.
func TestUpdateIsClean(t *testing.T) {
	for name, prepare := range map[string]func(*bench){
		"folder": func(*bench) {},
		"git":    (*bench).asGit,
		"new service each time": func(b *bench) {
			b.asGit()
			b.reopen = true
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := setUp(t, small)
			b.write(".gitignore", "*.log\nbuild/\n")
			prepare(b)
			b.run()
			r := rand.New(rand.NewPCG(3, 4))
			for range 30 {
				var paths []string
				for range 1 + r.IntN(4) {
					paths = append(paths, disturb(b, r)...)
				}
				if b.reopen {
					b.open(index.Config{})
				}
				b.update(paths...)
				sameAsClean(t, b)
			}
		})
	}
}

// On a shared store too, where no update starts from memory and another server
// may have written in between.
func TestSharedUpdateIsClean(t *testing.T) {
	b := setUpServer(t, small, index.Config{})
	other := b.peer(index.Config{})
	b.run()
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 10 {
		by := []*bench{b, other}[i%2]
		by.update(disturb(b, r)...)
		sameAsClean(t, b)
	}
}

func TestUpdateOfABusyRepository(t *testing.T) {
	b := setUpServer(t, small, index.Config{})
	release := b.hold()
	j := b.start(false)
	_, err := b.peer(index.Config{}).service.Update(t.Context(),
		index.UpdateRequest{RepoID: repoID, Paths: []string{"main.go"}})
	if fault.CodeOf(err) != fault.Conflict {
		t.Errorf("while another job runs: %v", err)
	}
	release()
	if v, err := b.service.Wait(t.Context(), j.ID, nil); err != nil || v.State != jobs.Done {
		t.Errorf("%+v, %v", v, err)
	}
}

// disturb changes something and tells the paths that a watcher would name.
func disturb(b *bench, r *rand.Rand) []string {
	b.Helper()
	folders := []string{"server", "server/deep", "cmd/x", "build/out", ".", "docs"}
	pick := func() string {
		return filepath.Join(folders[r.IntN(len(folders))],
			fmt.Sprintf("f%d.%s", r.IntN(4), []string{"go", "py", "md", "log", "pem", "d"}[r.IntN(6)]))
	}
	name, other := pick(), pick()
	switch r.IntN(8) {
	case 0:
		b.remove(name)
	case 1:
		name = folders[r.IntN(4)]
		b.remove(name)
	case 2: // a file becomes a folder
		b.remove(name)
		b.write(name+"/inner.go", "package inner\n\nfunc In() {}\n")
	case 3: // a folder is renamed
		name, other = folders[r.IntN(4)], fmt.Sprintf("moved%d", r.IntN(3))
		b.remove(other)
		b.rename(name, other)
	case 4:
		b.remove(other)
		b.rename(name, other)
	case 5:
		b.remove(name)
		if err := os.MkdirAll(filepath.Join(b.root, filepath.Dir(name)), 0o750); err != nil {
			b.Fatal(err)
		}
		if err := os.Symlink("server", filepath.Join(b.root, name)); err != nil {
			b.Fatal(err)
		}
	default:
		b.remove(name)
		b.write(name, fmt.Sprintf("// Package p is number %d.\npackage p\n\n// F%d does.\nfunc F%d() {}\n", r.IntN(9),
			r.IntN(3), r.IntN(100)))
	}
	return []string{filepath.ToSlash(name), filepath.ToSlash(other)}
}

// rename moves a file or a folder if there is one.
func (b *bench) rename(from, to string) {
	b.Helper()
	from, to = filepath.Join(b.root, from), filepath.Join(b.root, to)
	if _, err := os.Lstat(from); err != nil {
		return
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
		b.Fatal(err)
	}
	if err := os.Rename(from, to); err != nil {
		b.Fatal(err)
	}
}
