package watch

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// patience is how long a test waits for what has to happen, on a machine that
// does other things besides.
const patience = time.Minute

// A mirror is an index of the simplest kind: the content of each listed file
// as it was when the watcher last asked for an update.
type mirror struct {
	*testing.T

	root string

	mu    sync.Mutex
	files map[string]string
	runs  [][]string
	said  []string
	added map[string]bool // folders with a watch
	fails error           // of each further watch

	calm time.Duration // Config.Quiet
}

// newMirror watches a new folder with those files until the test ends.
func newMirror(t *testing.T, prepare func(*mirror), files map[string]string) *mirror {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &mirror{
		T: t, root: filepath.Join(root, "project"), files: map[string]string{}, added: map[string]bool{},
		calm: 30 * time.Millisecond,
	}
	for name, text := range files {
		m.write(name, text)
	}
	if prepare != nil {
		prepare(m)
	}
	m.start()
	m.settle()
	return m
}

func (m *mirror) start() {
	ctx, cancel := context.WithCancel(m.Context())
	var done sync.WaitGroup
	done.Go(func() {
		Run(ctx, Config{
			Repos:  func(context.Context) ([]Repo, error) { return []Repo{{ID: "project", Root: m.root}}, nil },
			Update: m.update,
			Say:    m.say,
			Quiet:  m.calm, Longest: patience,
			Look: 50 * time.Millisecond, Retry: 50 * time.Millisecond, Poll: 50 * time.Millisecond,
			open: m.open,
		})
	})
	m.Cleanup(func() {
		cancel()
		done.Wait()
	})
}

func (m *mirror) say(_ Repo, message string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.said = append(m.said, message)
}

// open is openNotifications with a limit that the test sets.
func (m *mirror) open() (*notifications, error) {
	n, err := openNotifications()
	if err != nil {
		return nil, err
	}
	add, remove := n.add, n.remove
	n.add = func(folder string) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.fails != nil {
			return m.fails
		}
		err := add(folder)
		if err == nil {
			m.added[folder] = true
		}
		return err
	}
	n.remove = func(folder string) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.added, folder)
		return remove(folder)
	}
	return n, nil
}

// update is what an index run does.
func (m *mirror) update(ctx context.Context, _ Repo, paths []string) error {
	tree, err := disk.Open(ctx, m.root)
	if err != nil {
		return err
	}
	defer tree.Close()
	var found listing.Listing
	ok := false
	if len(paths) > 0 {
		found, ok, err = listing.Paths(ctx, tree, paths, listing.Limits{})
	}
	if !ok && err == nil {
		paths = nil
		found, err = listing.List(ctx, tree, listing.Limits{})
	}
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.files, func(file, _ string) bool { return below(file, paths) })
	for _, e := range found.Files {
		if data, err := os.ReadFile(filepath.Join(m.root, e.Path)); err == nil {
			m.files[e.Path] = string(data)
		}
	}
	m.runs = append(m.runs, paths)
	return nil
}

func below(file string, paths []string) bool {
	return len(paths) == 0 ||
		slices.ContainsFunc(paths, func(p string) bool { return file == p || strings.HasPrefix(file, p+"/") })
}

// settle waits until the mirror is what is on disk.
func (m *mirror) settle() {
	m.Helper()
	m.eventually(func() string {
		want := map[string]string{}
		tree, err := disk.Open(m.Context(), m.root)
		if err != nil {
			return err.Error()
		}
		defer tree.Close()
		found, err := listing.List(m.Context(), tree, listing.Limits{})
		if err != nil {
			return err.Error()
		}
		for _, e := range found.Files {
			if data, err := os.ReadFile(filepath.Join(m.root, e.Path)); err == nil {
				want[e.Path] = string(data)
			}
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if len(m.runs) == 0 {
			return "no update yet"
		}
		return cmp.Diff(want, m.files)
	})
}

// eventually waits until nothing is wrong.
func (m *mirror) eventually(wrong func() string) {
	m.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for what := wrong(); what != ""; what = wrong() {
		select {
		case <-tick.C:
		case <-limit:
			m.Fatalf("not in time: %s\nsaid %q\nruns %q", what, m.said, m.runs)
		}
	}
}

// saying waits until that was said.
func (m *mirror) saying(part string) {
	m.Helper()
	m.eventually(func() string {
		m.mu.Lock()
		defer m.mu.Unlock()
		if slices.ContainsFunc(m.said, func(s string) bool { return strings.Contains(s, part) }) {
			return ""
		}
		return fmt.Sprintf("said %q, not %q", m.said, part)
	})
}

func (m *mirror) write(name, text string) {
	m.Helper()
	repotest.Write(m, m.root, map[string]string{name: text})
}

func (m *mirror) rename(from, to string) {
	m.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(m.root, to)), 0o750); err != nil {
		m.Fatal(err)
	}
	if err := os.Rename(filepath.Join(m.root, from), filepath.Join(m.root, to)); err != nil {
		m.Fatal(err)
	}
}

func (m *mirror) git(args ...string) {
	m.Helper()
	repotest.Run(m, m.root, args...)
}

func asGit(m *mirror) {
	if _, err := exec.LookPath("git"); err != nil {
		m.Skip("SKIPPED: git is not installed")
	}
	m.git("init", "-q")
	m.git("add", "-A")
	m.git("commit", "-q", "-m", "one")
}

var project = map[string]string{
	"main.go": "package main\n", "a/a.go": "package a\n", "a/b/b.go": "package b\n", "a/b/c/c.go": "package c\n",
	".gitignore": "node_modules/\n*.log\n", "node_modules/x/x.js": "x\n", "debug.log": "log\n",
}

func TestWatch(t *testing.T) {
	for kind, prepare := range map[string]func(*mirror){"folder": nil, "git": asGit} {
		for name, steps := range map[string][]func(m *mirror){
			"a file is edited":   {func(m *mirror) { m.write("a/b/b.go", "package b // edited\n") }},
			"a file is replaced": {func(m *mirror) { m.write("a/tmp", "package a // new\n"); m.rename("a/tmp", "a/a.go") }},
			"a file is deleted":  {func(m *mirror) { _ = os.Remove(filepath.Join(m.root, "a/a.go")) }},
			"folders are made": {
				func(m *mirror) { m.write("x/y/z/z.go", "package z\n") },
				func(m *mirror) { m.write("x/y/z/z.go", "package zz\n") },
			},
			"a folder is renamed": {
				func(m *mirror) { m.rename("a", "moved") },
				func(m *mirror) { m.write("moved/b/c/c.go", "package cc\n") },
			},
			"a folder is renamed to and fro": {
				func(m *mirror) { m.rename("a", "moved"); m.rename("moved", "a"); m.write("a/b/b.go", "package bb\n") },
				func(m *mirror) { m.write("a/b/c/c.go", "package cc\n") },
			},
			"a folder is replaced": {
				func(m *mirror) { _ = os.RemoveAll(filepath.Join(m.root, "a")); m.write("a/b/new.go", "package b\n") },
				func(m *mirror) { m.write("a/b/new.go", "package bb\n") },
			},
			"a folder leaves": {func(m *mirror) { m.rename("a/b", "../outside") }},
			"an ignored folder is no longer": {
				func(m *mirror) { m.write(".gitignore", "*.log\n") },
				func(m *mirror) { m.write("node_modules/x/x.js", "edited\n") },
			},
			"a folder becomes ignored": {func(m *mirror) { m.write("a/.gitignore", "b/\n") }},
			"ragnav's own rules":       {func(m *mirror) { m.write(".ragnavignore", "*.go\n") }},
		} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				t.Parallel()
				m := newMirror(t, prepare, project)
				for _, step := range steps {
					step(m)
					m.settle()
				}
			})
		}
	}
}

// After any edits, moves and deletions, made while updates are under way, the
// mirror is what is on disk.
func TestWatchAnything(t *testing.T) {
	for kind, prepare := range map[string]func(*mirror){"folder": nil, "git": asGit} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			m := newMirror(t, prepare, project)
			r := rand.New(rand.NewPCG(5, 6))
			folders := []string{"a", "a/b", "a/b/c", "d", "d/e", "node_modules", "."}
			for round := range 15 {
				for n := range 1 + r.IntN(12) {
					dir, other := folders[r.IntN(len(folders)-1)], folders[r.IntN(len(folders)-1)]
					switch r.IntN(6) {
					case 0:
						_ = os.RemoveAll(filepath.Join(m.root, dir))
					case 1:
						_ = os.Rename(filepath.Join(m.root, dir), filepath.Join(m.root, other))
					default:
						m.write(fmt.Sprintf("%s/f%d.go", folders[r.IntN(len(folders))], r.IntN(4)),
							fmt.Sprintf("package p // %d %d\n", round, n))
					}
				}
				m.settle()
			}
		})
	}
}

func TestBranchSwitchIsOneUpdate(t *testing.T) {
	m := newMirror(t, func(m *mirror) {
		asGit(m)
		m.calm = 100 * time.Millisecond // a pause between two of git's steps is no end of them
	}, project)
	m.git("checkout", "-q", "-b", "other")
	for i := range 300 {
		m.write(fmt.Sprintf("many/f%d.go", i), "package many\n")
	}
	m.git("add", "-A")
	m.git("commit", "-q", "-m", "two")
	m.settle()
	m.git("status") // refreshes the index: no difference from here on
	// A pause between two of git's steps that is longer than gitQuiet*calm, on a
	// machine that has no time for it, makes two: not each time.
	var updates []int
	for _, branch := range []string{"main", "other", "main"} {
		before := m.quiet()
		m.git("checkout", "-q", branch)
		m.settle()
		if updates = append(updates, m.quiet()-before); updates[len(updates)-1] == 1 {
			return
		}
	}
	t.Errorf("%d updates", updates)
}

// What git did is over when a later edit alone is seen.
func TestEditAfterCommitIsSeenAlone(t *testing.T) {
	m := newMirror(t, asGit, project)
	m.write("a/a.go", "package a // edited\n")
	m.git("commit", "-q", "-a", "-m", "two")
	edits := 0
	m.eventually(func() string {
		edits++
		m.write("main.go", fmt.Sprintf("package main // edit %d\n", edits))
		m.settle()
		m.mu.Lock()
		defer m.mu.Unlock()
		return cmp.Diff([]string{"main.go"}, m.runs[len(m.runs)-1])
	})
}

// quiet is the number of updates once there was none for a while.
func (m *mirror) quiet() int {
	m.Helper()
	n, since := -1, time.Now()
	m.eventually(func() string {
		m.mu.Lock()
		defer m.mu.Unlock()
		if len(m.runs) != n {
			n, since = len(m.runs), time.Now()
		}
		if time.Since(since) < 2*gitQuiet*m.calm {
			return "updates go on"
		}
		return ""
	})
	return n
}

func TestIgnoredFoldersAreNotWatched(t *testing.T) {
	m := newMirror(t, asGit, project)
	before := m.quiet()
	m.write("node_modules/x/x.js", "edited\n")
	m.write("debug.log", "edited\n")
	if after := m.quiet(); after != before {
		t.Errorf("updates %q", m.runs[before:])
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for folder := range m.added {
		if strings.Contains(folder, "node_modules") || strings.Contains(folder, "objects") {
			t.Errorf("%s is watched", folder)
		}
	}
}

func TestRunningOutOfWatches(t *testing.T) {
	for name, tc := range map[string]struct{ atStart bool }{"at the start": {true}, "with a new folder": {false}} {
		t.Run(name, func(t *testing.T) {
			m := newMirror(t, func(m *mirror) {
				if tc.atStart {
					m.fails = syscall.ENOSPC
				}
			}, project)
			m.mu.Lock()
			m.fails = syscall.ENOSPC
			m.mu.Unlock()
			m.write("new/new.go", "package new\n")
			m.saying("max_user_watches")
			m.write("new/new.go", "package edited\n")
			m.settle()
			m.mu.Lock()
			defer m.mu.Unlock()
			if len(m.said) != 1 {
				t.Errorf("said %q", m.said)
			}
		})
	}
}

func TestRootGoesAndComesBack(t *testing.T) {
	m := newMirror(t, nil, project)
	m.rename(".", "../elsewhere")
	m.saying("there is no folder")
	m.write("back.go", "package back\n")
	m.saying("watching again")
	m.settle()
	m.write("back.go", "package edited\n")
	m.settle()
}

func TestRepositoryIsRemoved(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	asked := make(chan struct{}, 100)
	root := t.TempDir()
	go Run(ctx, Config{
		Look:  time.Millisecond,
		Repos: func(context.Context) ([]Repo, error) { return []Repo{{ID: "x", Root: root}}, nil },
		Update: func(context.Context, Repo, []string) error {
			asked <- struct{}{}
			return fault.New(fault.RepoNotFound, "")
		},
	})
	for range 2 { // registered again, it is watched again
		select {
		case <-asked:
		case <-ctx.Done():
			t.Fatal("no update")
		}
	}
}
