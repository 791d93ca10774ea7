package fresh

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

var rounds = flag.Int("rounds", 1, "how many repositories TestChecksEqualBruteForce edits in each way")

// TestChecksEqualBruteForce edits a repository at random and compares each
// check with a whole listing and the hashes of all its files.
func TestChecksEqualBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long")
	}
	for seed := range *rounds {
		for _, mode := range []string{"top", "below", "no git"} {
			for _, clock := range []func() time.Time{time.Now, settledClock} {
				racy := time.Until(clock()) < time.Minute
				t.Run(fmt.Sprintf("seed %d %s racy %t", seed, mode, racy), func(t *testing.T) {
					e := newEditor(t, uint64(seed), mode)
					e.compare(25, Options{MaxChanged: -1, Now: clock, Limits: listing.Limits{MaxFileSize: 200}})
				})
			}
		}
	}
}

type editor struct {
	*testing.T
	rand *rand.Rand
	dir  string
	top  string // of the work tree
	git  bool
	home string
	log  []string
}

// newEditor makes a repository: a whole one, a folder of one, or none of git's.
func newEditor(t *testing.T, seed uint64, mode string) *editor {
	repotest.NeedGit(t)
	e := &editor{T: t, rand: rand.New(rand.NewPCG(seed,
		7)), dir: repotest.Dir(t), git: mode != "no git", home: home(t)} //nolint:gosec // to be repeated
	if e.git {
		e.run("init", "-q")
	}
	if e.top = e.dir; mode == "below" {
		e.dir = filepath.Join(e.dir, "pro.j", "in")
		must(t, os.MkdirAll(e.dir, 0o755))
	}
	for range 30 {
		e.write()
	}
	repotest.Write(t, e.dir, map[string]string{".gitignore": "*.o\nbuild/\n", "a/.gitignore": "!keep.o\n"})
	if e.git {
		e.run("add", "-A")
		e.run("commit", "-q", "-m", "first")
	}
	return e
}

// compare checks one manifest, one that was stored and loaded, and one made of
// records, after each few edits.
func (e *editor) compare(steps int, opts Options) {
	tree := open(e.T, e.dir)
	tick(e.T, e.home)
	m, err := Take(e.Context(), tree, opts, nil)
	must(e.T, err)
	base := content(e.T, tree, opts.Limits)
	if diff := cmp.Diff(base, maps.Collect(m.Files())); diff != "" {
		e.Fatalf("Take (-want +got):\n%s", diff)
	}
	records := e.records(tree, opts)
	stored, recorded := m, Recorded(time.Now(), opts.Limits, records)
	for step := range steps {
		tick(e.T, e.home)
		for range 1 + e.rand.IntN(4) {
			e.edit()
		}
		now := content(e.T, tree, opts.Limits)
		want := difference(base, now)
		for name, m := range map[string]*Manifest{
			"kept": m, "stored": reload(e.T, stored), "recorded": recorded,
			"just recorded": Recorded(time.Now(), opts.Limits, records),
		} {
			got, err := m.Check(e.Context(), tree, opts)
			must(e.T, err)
			if diff := cmp.Diff(want, [][]string{got.Changed, got.Added, got.Deleted}); diff != "" {
				e.Fatalf("step %d, %s manifest (-want +got):\n%s\n%s", step, name, diff, strings.Join(e.log, "\n"))
			}
		}
		if e.rand.IntN(5) == 0 {
			if m, _, err = m.Renew(e.Context(), tree, opts, nil); err != nil {
				e.Fatal(err)
			}
			base, stored = now, m
			records = e.records(tree, opts)
			recorded.Rebase(records)
			if diff := cmp.Diff(base, maps.Collect(m.Files())); diff != "" {
				e.Fatalf("Renew (-want +got):\n%s\n%s", diff, strings.Join(e.log, "\n"))
			}
		}
	}
}

// records are what an index run would keep of the files.
func (e *editor) records(tree *disk.Folder, opts Options) []Record {
	l, err := listing.List(e.Context(), tree, opts.Limits)
	must(e.T, err)
	var all []Record
	for _, f := range l.Files {
		data, stat, err := tree.Read(e.Context(), f.Path, opts.Limits.MaxFileSize)
		r := Record{Path: f.Path, Size: f.Size, ModTime: f.ModTime, Changed: f.Changed, Unread: err != nil}
		if err == nil {
			r.Hash, r.Size, r.ModTime, r.Changed = sha256.Sum256(data), stat.Size, stat.ModTime, stat.Changed
			r.Racy = max(r.ModTime, r.Changed) >= opts.now().Add(-racyWindow).UnixNano()
		}
		all = append(all, r)
	}
	return all
}

func difference(base, now map[string]Hash) [][]string {
	var changed, added, deleted []string
	for p, hash := range base {
		if other, ok := now[p]; !ok {
			deleted = append(deleted, p)
		} else if other != hash {
			changed = append(changed, p)
		}
	}
	for p := range now {
		if _, ok := base[p]; !ok {
			added = append(added, p)
		}
	}
	for _, list := range [][]string{changed, added, deleted} {
		slices.Sort(list)
	}
	return [][]string{changed, added, deleted}
}

var (
	folderNames = []string{"", "a", "a/b", "a/b/c", "build", "a/build", "d", "d/e.x", "d.x", "sub", "sub/in"}
	fileNames   = []string{"f.go", "g.go", "h.o", "keep.o", "Makefile", "x y.txt", "ünï.md", "-dash", "lib"}
)

func (e *editor) folder() string { return folderNames[e.rand.IntN(len(folderNames))] }
func (e *editor) file() string {
	return filepath.Join(e.folder(), fileNames[e.rand.IntN(len(fileNames))])
}
func (e *editor) abs(p string) string { return filepath.Join(e.dir, p) }

func (e *editor) write() {
	p := e.abs(e.file())
	if os.MkdirAll(filepath.Dir(p), 0o755) == nil {
		_ = os.WriteFile(p, []byte(strings.Repeat("x", e.rand.IntN(3))+string(rune('a'+e.rand.IntN(3)))), 0o644)
	}
}

func (e *editor) run(args ...string) {
	out, err := repotest.Try(e.T, e.dir, args...)
	if err != nil {
		e.log = append(e.log, "  failed: "+out)
	}
}

// edit does one random thing; some can't be done, and are not.
func (e *editor) edit() {
	names := slices.Sorted(maps.Keys(edits))
	if e.git {
		names = append(names, slices.Sorted(maps.Keys(gitEdits))...)
	}
	name := names[e.rand.IntN(len(names))]
	e.log = append(e.log, name)
	if do, ok := edits[name]; ok {
		do(e)
	} else {
		gitEdits[name](e)
	}
}

var edits = map[string]func(*editor){
	"write":       func(e *editor) { e.write() },
	"write again": func(e *editor) { e.write() },
	"same size, same mtime": func(e *editor) {
		p := e.abs(e.file())
		info, err := os.Stat(p)
		if err != nil || !info.Mode().IsRegular() {
			return
		}
		_ = os.WriteFile(p, []byte(strings.Repeat("z", int(info.Size()))), 0o644)
		_ = os.Chtimes(p, info.ModTime(), info.ModTime())
	},
	"touch": func(e *editor) { _ = os.Chtimes(e.abs(e.file()), time.Now(), time.Now()) },
	"touch old": func(e *editor) {
		old := time.Now().Add(-time.Hour)
		_ = os.Chtimes(e.abs(e.file()), old, old)
	},
	"mode":          func(e *editor) { _ = os.Chmod(e.abs(e.file()), []os.FileMode{0o755, 0o644}[e.rand.IntN(2)]) },
	"rename":        func(e *editor) { _ = os.Rename(e.abs(e.file()), e.abs(e.file())) },
	"rename folder": func(e *editor) { e.renameFolder(e.folder(), e.folder()) },
	"delete":        func(e *editor) { _ = os.Remove(e.abs(e.file())) },
	"mkdir": func(e *editor) {
		_ = os.MkdirAll(e.abs(filepath.Join(e.folder(), "n"+fmt.Sprint(e.rand.IntN(3)))), 0o755)
	},
	"new folder": func(e *editor) {
		p := e.abs(filepath.Join(e.folder(), "n"+fmt.Sprint(e.rand.IntN(3)), "deep"))
		_ = os.MkdirAll(p, 0o755)
		_ = os.WriteFile(filepath.Join(p, "new.go"), []byte("new"), 0o644)
	},
	"remove folder": func(e *editor) {
		if d := e.folder(); d != "" {
			_ = os.RemoveAll(e.abs(d))
		}
	},
	"too large": func(e *editor) { _ = os.WriteFile(e.abs(e.file()), []byte(strings.Repeat("x", 300)), 0o644) },
	"symlink": func(e *editor) {
		p := e.abs(e.file())
		_ = os.Remove(p)
		_ = os.Symlink("g.go", p)
	},
	"folder to link": func(e *editor) {
		if d := e.folder(); d != "" && os.RemoveAll(e.abs(d)) == nil {
			_ = os.Symlink(e.dir, e.abs(d))
		}
	},
	"link to folder": func(e *editor) {
		if p := e.abs(e.folder()); os.Remove(p) == nil {
			_ = os.Mkdir(p, 0o755)
		}
	},
	"ignore": func(e *editor) {
		rules := []string{"*.o\n", "build/\n", "/a\n", "!a/b\n", "d*\n", "keep.o\n", "sub/*\n", "*.go\n!f.go\n", ""}
		p := e.abs(filepath.Join(e.folder(), ruleNames[e.rand.IntN(2)]))
		_ = os.WriteFile(p, []byte(rules[e.rand.IntN(len(rules))]), 0o644)
	},
	"no ignore":     func(e *editor) { _ = os.Remove(e.abs(filepath.Join(e.folder(), ruleNames[e.rand.IntN(2)]))) },
	"ignore by dir": func(e *editor) { _ = os.Mkdir(e.abs(filepath.Join(e.folder(), ".gitignore")), 0o755) },
	"artifact": func(e *editor) {
		repotest.Write(e.T, e.dir, map[string]string{".llmc/rag_graph.json": fmt.Sprint(e.rand.IntN(9))})
	},
}

func (e *editor) renameFolder(from, to string) {
	if from != "" && to != "" {
		_ = os.Rename(e.abs(from), e.abs(to))
	}
}

var gitEdits = map[string]func(*editor){
	"add all":    func(e *editor) { e.run("add", "-A") },
	"add forced": func(e *editor) { e.run("add", "-f", "--", e.file()) },
	"commit":     func(e *editor) { e.run("commit", "-q", "-a", "-m", "more") },
	"new branch": func(e *editor) { e.run("checkout", "-q", "-b", "b"+fmt.Sprint(e.rand.IntN(4))) },
	"checkout":   func(e *editor) { e.run("checkout", "-q", "-f", "b"+fmt.Sprint(e.rand.IntN(4))) },
	"detach":     func(e *editor) { e.run("checkout", "-q", "-f", "--detach", "HEAD~1") },
	"reset":      func(e *editor) { e.run("reset", "-q", "--hard", "HEAD~1") },
	"mixed":      func(e *editor) { e.run("reset", "-q", "HEAD~1") },
	"stash":      func(e *editor) { e.run("stash", "-q", "-u") },
	"pop":        func(e *editor) { e.run("stash", "pop", "-q") },
	"untrack":    func(e *editor) { e.run("rm", "-q", "-r", "--cached", "--", e.file()) },
	"clean":      func(e *editor) { e.run("clean", "-q", "-f", "-d") },
	"exclude": func(e *editor) {
		rules := []string{"*.md\n", "", "d/\n"}
		repotest.Write(e.T, e.top, map[string]string{".git/info/exclude": rules[e.rand.IntN(len(rules))]})
	},
	"nested": func(e *editor) {
		if d := e.abs("sub"); os.MkdirAll(d, 0o755) == nil {
			_, _ = repotest.Try(e.T, d, "init", "-q")
		}
	},
	"broken nested": func(e *editor) { _ = os.Mkdir(e.abs("d/.git"), 0o755) },
	"mend nested":   func(e *editor) { _, _ = repotest.Try(e.T, e.abs("d"), "init", "-q", e.abs("d")) },
	"break nested":  func(e *editor) { e.unlessLink("sub", func() error { return os.Remove(e.abs("sub/.git/HEAD")) }) },
	"not nested":    func(e *editor) { e.unlessLink("sub", func() error { return os.RemoveAll(e.abs("sub/.git")) }) },
	"absent": func(e *editor) {
		p := e.file()
		e.run("add", "-f", "--", p)
		_ = os.Remove(e.abs(p))
	},
	"setting": func(e *editor) {
		own := filepath.Join(e.home, "own")
		must(e.T, os.WriteFile(own, []byte([]string{"*.o\n", "lib\n", "Makefile\nd.x/\n"}[e.rand.IntN(3)]), 0o644))
		e.run("config", "core.excludesFile", []string{own, filepath.Join(e.home, "none")}[e.rand.IntN(2)])
	},
	"own rules": func(e *editor) {
		repotest.Write(e.T, e.home, map[string]string{"config/git/ignore": []string{"*.o\n", "lib\n", ""}[e.rand.IntN(3)]})
	},
	"status": func(e *editor) { e.run("status", "-s") },
}

// unlessLink does something to a folder of the repository's own.
func (e *editor) unlessLink(p string, do func() error) {
	if info, err := os.Lstat(e.abs(p)); err == nil && info.IsDir() {
		_ = do()
	}
}

// reload is what storing and loading makes of a manifest.
func reload(t testing.TB, m *Manifest) *Manifest {
	t.Helper()
	loaded, err := Decode(m.Encode())
	must(t, err)
	return loaded
}
