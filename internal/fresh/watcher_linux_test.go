package fresh

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ragnav/ragnav/internal/inotify"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// newWatchers are watchers for small trees, that are believed for long.
func newWatchers(t testing.TB) *Watchers {
	t.Helper()
	if dir, err := os.Open(t.TempDir()); err != nil || !inotify.Local(int(dir.Fd())) {
		t.Skipf("SKIPPED: no notifications on the file system of temporary files (%v)", err)
	}
	ws := NewWatchers(0)
	ws.small, ws.trust, ws.audit, ws.idle = 0, time.Hour, time.Hour, time.Hour
	t.Cleanup(func() { must(t, ws.Close()) })
	return ws
}

// A guarded manifest has a watcher without anything in the background.
type guarded struct {
	*Manifest

	t    testing.TB
	ws   *Watchers
	tree *disk.Folder
}

func guard(t testing.TB, m *Manifest, ws *Watchers, tree *disk.Folder) guarded {
	m.watching.checks, m.watching.stop, m.watching.wake = 1, func() {}, make(chan struct{}, 1)
	g := guarded{m, t, ws, tree}
	t.Cleanup(func() { m.leave(ws) })
	g.call()
	return g
}

// call calls a watcher unless there is one.
func (g guarded) call() {
	g.t.Helper()
	if g.watching.watcher == nil {
		must(g.t, g.work(g.t.Context(), g.ws, g.tree.Root(), &pace{began: time.Now()}))
	}
}

// audit has the watcher looked at.
func (g guarded) audit() {
	g.t.Helper()
	must(g.t, g.work(g.t.Context(), g.ws, g.tree.Root(), &pace{began: time.Now()}))
}

// vouched reports whether the next check is.
func (g guarded) vouched() bool {
	w := g.watching.watcher
	if w == nil {
		return false
	}
	dirty, vouched, _ := w.ask(g.tree, g.known.Load().state, g.ws.trust)
	w.again(dirty)
	return vouched
}

func (g guarded) check(opts Options) Delta {
	g.t.Helper()
	opts.Watchers = g.ws
	d, err := g.Check(g.t.Context(), g.tree, opts)
	must(g.t, err)
	return d
}

func (g guarded) unchanged(opts Options) bool {
	opts.Watchers = g.ws
	_, same := g.Unchanged(g.t.Context(), g.tree, opts, new(Looks))
	return same
}

// TestWatchedChecksEqualBruteForce is TestChecksEqualBruteForce with a watcher,
// which is there before each edit, and with edits that are hard to notice.
func TestWatchedChecksEqualBruteForce(t *testing.T) {
	vouched := 0
	for seed := range *rounds {
		for _, mode := range []string{"top", "below", "no git"} {
			for _, clock := range []func() time.Time{time.Now, settledClock} {
				racy := time.Until(clock()) < time.Minute
				t.Run(fmt.Sprintf("seed %d %s racy %t", seed, mode, racy), func(t *testing.T) {
					ws := newWatchers(t)
					if racy { // in a queue that others have, too
						ws.small = 1000
						busy := open(t, repotest.Tree(t, map[string]string{"a/a": "1"}))
						guard(t, take(t, busy), ws, busy)
					}
					e := newEditor(t, uint64(seed)+100, mode)
					vouched += e.compareGuarded(ws, 30, Options{MaxChanged: -1, Now: clock, Limits: listing.Limits{MaxFileSize: 200}},
						racy)
				})
			}
		}
	}
	if vouched < 20 {
		t.Errorf("only %d checks had a watcher", vouched)
	}
}

func (e *editor) compareGuarded(ws *Watchers, steps int, opts Options, racy bool) (vouched int) {
	tree, elsewhere := open(e.T, e.dir), e.TempDir()
	tick(e.T, e.home)
	m, err := Take(e.Context(), tree, opts, nil)
	must(e.T, err)
	base, g := content(e.T, tree, opts.Limits), guard(e.T, m, ws, tree)
	for step := range steps {
		g.call()
		g.check(opts)
		g.call()
		if !racy { // else what is edited may show the times that it had when it was looked at
			tick(e.T, e.home)
		}
		for range 1 + e.rand.IntN(3) {
			if e.rand.IntN(3) > 0 {
				e.edit()
				continue
			}
			name := slices.Sorted(maps.Keys(quietEdits))[e.rand.IntN(len(quietEdits))]
			e.log = append(e.log, name)
			if to := quietEdits[name](e, elsewhere); to != "" && !g.watches(to) {
				g.audit() // nobody is told
			}
		}
		if g.vouched() {
			vouched++
		}
		want := difference(base, content(e.T, tree, opts.Limits))
		for _, again := range []bool{false, true} {
			same := g.unchanged(opts)
			got := g.check(opts)
			if same && !got.Clean() {
				e.Fatalf("step %d, again %t: called unchanged, and differs in %v\n%s", step, again, got.Some(5),
					strings.Join(e.log, "\n"))
			}
			if diff := cmp.Diff(want, [][]string{got.Changed, got.Added, got.Deleted}); diff != "" {
				e.Fatalf("step %d, again %t (-want +got):\n%s\n%s", step, again, diff, strings.Join(e.log, "\n"))
			}
		}
	}
	return vouched
}

// quietEdits are of the tree and of a folder elsewhere. What they return is where a
// file got another name, if it did.
var quietEdits = map[string]func(e *editor, elsewhere string) (link string){
	"truncate": func(e *editor, _ string) string {
		_ = os.Truncate(e.abs(e.file()), int64(e.rand.IntN(4)))
		return ""
	},
	"mapped":      func(e *editor, _ string) string { return e.writeMapped(e.abs(e.file())) },
	"link inside": func(e *editor, _ string) string { return e.link(e.file(), e.abs(e.file())) },
	"link elsewhere": func(e *editor,
		elsewhere string,
	) string {
		return e.link(e.file(), filepath.Join(elsewhere, "link"))
	},
	"link and write": func(e *editor, _ string) string {
		to := e.link(e.file(), e.abs(e.file()))
		return e.replace(to, "linked", to)
	},
	"write by other name": func(e *editor,
		elsewhere string,
	) string {
		return e.replace(filepath.Join(elsewhere, "link"), "w", "")
	},
	"link from elsewhere": func(e *editor, elsewhere string) string {
		p := filepath.Join(elsewhere, "own")
		_ = os.Remove(p)
		must(e.T, os.WriteFile(p, []byte("own"), 0o644))
		_ = os.Link(p, e.abs(e.file()))
		return ""
	},
	"write linked from elsewhere": func(e *editor, elsewhere string) string {
		return e.replace(filepath.Join(elsewhere, "own"), "other", "")
	},
	"unlink elsewhere": func(_ *editor, elsewhere string) string {
		_ = os.Remove(filepath.Join(elsewhere, "link"))
		return ""
	},
	"replace by rename": func(e *editor, _ string) string {
		p := e.abs(e.file())
		if os.WriteFile(p+"~", []byte("new"), 0o644) == nil {
			_ = os.Rename(p+"~", p)
		}
		return ""
	},
	"folder replaced": func(e *editor, elsewhere string) string {
		d, other := e.folder(), filepath.Join(elsewhere, "folder")
		if d != "" && os.RemoveAll(other) == nil && os.Rename(e.abs(d), other) == nil && os.Mkdir(e.abs(d), 0o755) == nil {
			_ = os.WriteFile(filepath.Join(e.abs(d), "f.go"), []byte("else"), 0o644)
		}
		return ""
	},
	"folder away and back": func(e *editor, elsewhere string) string {
		d, other := e.folder(), filepath.Join(elsewhere, "away")
		if d != "" && os.Rename(e.abs(d), other) == nil {
			_ = os.WriteFile(filepath.Join(other, "g.go"), []byte("away"), 0o644)
			_ = os.Rename(other, e.abs(d))
		}
		return ""
	},
	"folder mode": func(e *editor, _ string) string {
		_ = os.Chmod(e.abs(e.folder()), []os.FileMode{0o755, 0o700}[e.rand.IntN(2)])
		return ""
	},
	"two folders swapped": func(e *editor, _ string) string {
		if a, b := e.folder(), e.folder(); a != "" && b != "" {
			_ = unix.Renameat2(unix.AT_FDCWD, e.abs(a), unix.AT_FDCWD, e.abs(b), unix.RENAME_EXCHANGE)
		}
		return ""
	},
	"parent away and back": func(e *editor, _ string) string {
		parent := filepath.Dir(e.dir)
		must(e.T, os.Rename(parent, parent+".away"))
		must(e.T, os.Rename(parent+".away", parent))
		return ""
	},
}

// watches reports whether the folder that holds p is watched: not if it is ignored.
func (g guarded) watches(p string) bool {
	dir, err := filepath.EvalSymlinks(filepath.Dir(p))
	must(g.t, err)
	rel, err := filepath.Rel(g.tree.Root(), dir)
	must(g.t, err)
	if rel == "." {
		return true
	}
	k := g.known.Load()
	i := k.findDir(rel)
	return i >= 0 && k.dirs[i].mark.kind == folder
}

// link gives a file another name, and returns it if it could.
func (e *editor) link(from, to string) string {
	e.log = append(e.log, "  "+from+" "+to)
	if os.Link(e.abs(from), to) != nil {
		return ""
	}
	return to
}

// replace writes in place what is there as a file, and returns link.
func (e *editor) replace(p, content, link string) string {
	replaceContent(p, content)
	return link
}

func (e *editor) writeMapped(p string) string {
	f, err := os.OpenFile(p, os.O_RDWR|unix.O_NOFOLLOW, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || info.Size() == 0 {
		return ""
	}
	data, err := unix.Mmap(int(f.Fd()), 0, 1, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	must(e.T, err)
	data[0]++
	must(e.T, unix.Munmap(data))
	return ""
}

// replaceContent writes in place what is there as a file.
func replaceContent(p, content string) {
	f, err := os.OpenFile(p, os.O_WRONLY|os.O_TRUNC|unix.O_NOFOLLOW, 0)
	if err == nil {
		_, _ = f.WriteString(content)
		_ = f.Close()
	}
}
