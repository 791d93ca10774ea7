package fresh

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ragnav/ragnav/internal/inotify"
	"github.com/ragnav/ragnav/internal/repo"
)

// newWitnesses are witnesses for small trees, that are believed for long.
func newWitnesses(t testing.TB) *Witnesses {
	t.Helper()
	if dir, err := os.Open(t.TempDir()); err != nil || !inotify.Local(int(dir.Fd())) {
		t.Skipf("SKIPPED: no notifications on the file system of temporary files (%v)", err)
	}
	ws := NewWitnesses(0)
	ws.few, ws.trust, ws.audit, ws.idle = 0, time.Hour, time.Hour, time.Hour
	t.Cleanup(func() { must(t, ws.Close()) })
	return ws
}

// A guarded manifest has a witness without anything in the background.
type guarded struct {
	*Manifest

	t    testing.TB
	ws   *Witnesses
	tree *repo.Tree
}

func guard(t testing.TB, m *Manifest, ws *Witnesses, tree *repo.Tree) guarded {
	m.attendance.checks, m.attendance.stop, m.attendance.wake = 1, func() {}, make(chan struct{}, 1)
	g := guarded{m, t, ws, tree}
	t.Cleanup(func() { m.leave(ws) })
	g.call()
	return g
}

// call calls a witness unless there is one.
func (g guarded) call() {
	g.t.Helper()
	if g.attendance.witness == nil {
		must(g.t, g.work(g.t.Context(), g.ws, g.tree.Root(), &pace{began: time.Now()}))
	}
}

// audit has the witness looked at.
func (g guarded) audit() {
	g.t.Helper()
	must(g.t, g.work(g.t.Context(), g.ws, g.tree.Root(), &pace{began: time.Now()}))
}

// vouched reports whether the next check is.
func (g guarded) vouched() bool {
	w := g.attendance.witness
	if w == nil {
		return false
	}
	dirty, vouched, _ := w.ask(g.tree, g.known.Load().state, g.ws.trust)
	w.again(dirty)
	return vouched
}

func (g guarded) check(opts Options) Delta {
	g.t.Helper()
	opts.Witnesses = g.ws
	d, err := g.Check(g.t.Context(), g.tree, opts)
	must(g.t, err)
	return d
}

// TestWitnessedChecksEqualBruteForce is TestChecksEqualBruteForce with a witness,
// which is there before each edit, and with edits that are hard to notice.
func TestWitnessedChecksEqualBruteForce(t *testing.T) {
	vouched := 0
	for seed := range *rounds {
		for _, mode := range []string{"top", "below", "no git"} {
			for _, clock := range []func() time.Time{time.Now, settledClock} {
				racy := time.Until(clock()) < time.Minute
				t.Run(fmt.Sprintf("seed %d %s racy %t", seed, mode, racy), func(t *testing.T) {
					ws := newWitnesses(t)
					e := newEditor(t, uint64(seed)+100, mode)
					vouched += e.compareGuarded(ws, 30, Options{MaxChanged: -1, Now: clock, Limits: repo.Limits{MaxFileSize: 200}}, racy)
				})
			}
		}
	}
	if vouched < 20 {
		t.Errorf("only %d checks had a witness", vouched)
	}
}

func (e *editor) compareGuarded(ws *Witnesses, steps int, opts Options, racy bool) (vouched int) {
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
			got := g.check(opts)
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
	"mapped":         func(e *editor, _ string) string { return e.writeMapped(e.abs(e.file())) },
	"link inside":    func(e *editor, _ string) string { return e.link(e.file(), e.abs(e.file())) },
	"link elsewhere": func(e *editor, elsewhere string) string { return e.link(e.file(), filepath.Join(elsewhere, "link")) },
	"link and write": func(e *editor, _ string) string {
		to := e.link(e.file(), e.abs(e.file()))
		return e.replace(to, "linked", to)
	},
	"write by other name": func(e *editor, elsewhere string) string { return e.replace(filepath.Join(elsewhere, "link"), "w", "") },
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

// TestWitnessSparesLooks: without events nothing is looked at, which shows by
// what is hidden from it.
func TestWitnessSparesLooks(t *testing.T) {
	dir := realDir(t)
	write(t, dir, map[string]string{"a/a": "1", "b/b": "1"})
	elsewhere := filepath.Join(t.TempDir(), "link")
	tree := open(t, dir)
	g := guard(t, take(t, tree), newWitnesses(t), tree)
	must(t, os.Link(filepath.Join(dir, "a/a"), elsewhere))
	must(t, os.WriteFile(elsewhere, []byte("by another name"), 0o600))
	if d := g.check(settled); !d.Clean() {
		t.Errorf("%v was looked at", d.Changed)
	}
	write(t, dir, map[string]string{"b/b": "2"})
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"b/b"}) {
		t.Errorf("changed: %v", d.Changed)
	}
	g.audit()
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"a/a", "b/b"}) {
		t.Errorf("after an audit: %v", d.Changed)
	}
}

// TestWitnessIsNotTrustedForLong: what nobody tells is seen once the last look at
// everything is so long ago.
func TestWitnessIsNotTrustedForLong(t *testing.T) {
	dir := realDir(t)
	write(t, dir, map[string]string{"a/a": "1"})
	elsewhere := filepath.Join(t.TempDir(), "link")
	tree := open(t, dir)
	g := guard(t, take(t, tree), newWitnesses(t), tree)
	must(t, os.Link(filepath.Join(dir, "a/a"), elsewhere))
	must(t, os.WriteFile(elsewhere, []byte("by another name"), 0o600))
	w := g.attendance.witness
	w.looked = w.looked.Add(-g.ws.trust - time.Second)
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"a/a"}) {
		t.Errorf("changed: %v", d.Changed)
	}
	if g.attendance.witness != w || !g.vouched() {
		t.Error("a look at everything does not bring the trust back")
	}
}

func TestMappedWritesAreSeen(t *testing.T) {
	dir := realDir(t)
	write(t, dir, map[string]string{"a": "1"})
	tree := open(t, dir)
	g := guard(t, take(t, tree), newWitnesses(t), tree)
	f, err := os.OpenFile(filepath.Join(dir, "a"), os.O_RDWR, 0)
	must(t, err)
	data, err := unix.Mmap(int(f.Fd()), 0, 1, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	must(t, err)
	must(t, f.Close())
	data[0] = '2'
	g.audit() // it is still mapped: nobody is told
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"a"}) {
		t.Errorf("while it is mapped: %v", d.Changed)
	}
	must(t, unix.Msync(data, unix.MS_SYNC)) // so that the next write dirties the page again
	tick(t, t.TempDir())
	data[0] = '1'
	must(t, unix.Munmap(data))
	if d := g.check(settled); !d.Clean() {
		t.Errorf("unmapped, as it was: %v", d.Changed)
	}
}

func TestLostEvents(t *testing.T) {
	for name, lose := range map[string]func(t *testing.T, g guarded){
		"overflow": func(t *testing.T, g guarded) {
			limit := 16384
			if data, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events"); err == nil {
				_, _ = fmt.Sscan(string(data), &limit)
			}
			if limit > 1<<17 {
				t.Skipf("SKIPPED: the queue holds %d events", limit)
			}
			a, b := filepath.Join(g.tree.Root(), "x"), filepath.Join(g.tree.Root(), "y")
			for i := 0; i <= limit; i += 2 { // of two files in turns: equal events in a row are one
				must(t, os.Chmod(a, 0o600))
				must(t, os.Chmod(b, 0o600))
			}
		},
		"watches ended": func(_ *testing.T, g guarded) { g.ws.dismiss(g.attendance.witness) },
		"made room": func(t *testing.T, g guarded) {
			g.ws.mu.Lock()
			g.ws.limit = g.ws.used
			g.ws.mu.Unlock()
			must(t, g.ws.admit(&witness{}, 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := realDir(t)
			write(t, dir, map[string]string{"a/a": "1", "x": "", "y": ""})
			tree := open(t, dir)
			g := guard(t, take(t, tree), newWitnesses(t), tree)
			lose(t, g)
			write(t, dir, map[string]string{"a/a": "2"})
			if d := g.check(settled); !slices.Equal(d.Changed, []string{"a/a"}) || g.attendance.witness != nil {
				t.Errorf("changed: %v, witness %v", d.Changed, g.attendance.witness)
			}
			if len(g.attendance.wake) == 0 {
				t.Error("no other witness is called")
			}
		})
	}
}

// TestNoWatches: where the system has none to give, checks look at everything.
func TestNoWatches(t *testing.T) {
	for name, deny := range map[string]func(ws *Witnesses){
		"too many folders": func(ws *Witnesses) { ws.limit = 1 },
		"none given":       func(ws *Witnesses) { ws.open = func() (*inotify.Queue, error) { return nil, unix.EMFILE } },
		"ended half-way": func(ws *Witnesses) {
			ws.open = func() (*inotify.Queue, error) {
				q, err := inotify.Open()
				return q, errors.Join(err, q.Close())
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := realDir(t)
			write(t, dir, map[string]string{"a/a": "1"})
			tree, ws := open(t, dir), newWitnesses(t)
			deny(ws)
			m := take(t, tree)
			for i := range 4 {
				want := fmt.Sprint("a/", i)
				write(t, dir, map[string]string{want: "1"})
				d, err := m.Check(t.Context(), tree, Options{Now: settledClock, Witnesses: ws})
				if err != nil || !slices.Contains(d.Added, want) {
					t.Errorf("%v, %v", d.Added, err)
				}
			}
			if _, err := ws.call(t.Context(), tree, m.known.Load().state); err == nil {
				t.Error("there is a witness")
			}
			if ws.used != 0 || len(ws.all) != 0 {
				t.Errorf("%d watches are counted", ws.used)
			}
		})
	}
}

// TestRootReplaced: the same path, another folder.
func TestRootReplaced(t *testing.T) {
	dir := filepath.Join(realDir(t), "root")
	write(t, dir, map[string]string{"a/a": "1"})
	tree := open(t, dir)
	g := guard(t, take(t, tree), newWitnesses(t), tree)
	must(t, os.RemoveAll(dir))
	write(t, dir, map[string]string{"a/a": "2", "b": "1"})
	g.tree = open(t, dir)
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"a/a"}) || !slices.Equal(d.Added, []string{"b"}) {
		t.Errorf("%+v", d)
	}
}

// TestMountOver: what is mounted over a watched folder tells nobody but the table
// of mounts.
func TestMountOver(t *testing.T) {
	dir := realDir(t)
	write(t, dir, map[string]string{"a/a": "1", "b": "1"})
	tree := open(t, dir)
	g := guard(t, take(t, tree), newWitnesses(t), tree)
	if err := unix.Mount("none", filepath.Join(dir, "a"), "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("SKIPPED: this user may not mount: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(filepath.Join(dir, "a"), unix.MNT_DETACH) })
	if d := g.check(settled); !slices.Equal(d.Deleted, []string{"a/a"}) {
		t.Errorf("mounted: %+v", d)
	}
	g.call()
	g.check(settled)
	if !g.vouched() {
		t.Error("no witness with a mount in the tree")
	}
	write(t, dir, map[string]string{"a/a": "1"})
	if d := g.check(settled); !d.Clean() {
		t.Errorf("written in the mount: %+v", d)
	}
	must(t, unix.Unmount(filepath.Join(dir, "a"), 0))
	write(t, dir, map[string]string{"a/a": "2"})
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"a/a"}) {
		t.Errorf("unmounted: %+v", d)
	}
}

// TestWitnessInTheBackground: it comes by itself, checks side by side use it, and
// nothing is left of it.
func TestWitnessInTheBackground(t *testing.T) {
	dir := realDir(t)
	write(t, dir, map[string]string{"a/a": "1", "b/b": "1"})
	tree, before := open(t, dir), descriptors(t)
	ws := newWitnesses(t)
	ws.audit = time.Millisecond
	m := take(t, tree)
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for i := range 60 {
				name := fmt.Sprintf("a/f%d-%d", w, i)
				if i%20 == 0 {
					name = fmt.Sprintf("n%d-%d/f", w, i)
				}
				write(t, dir, map[string]string{name: "x"})
				d, err := m.Check(t.Context(), tree, Options{MaxChanged: -1, Witnesses: ws})
				if err != nil || !slices.Contains(d.Added, name) {
					t.Errorf("%s is not among %v, %v", name, d.Added, err)
				}
			}
		})
	}
	group.Wait()
	deadline := time.Now().Add(time.Minute)
	for !m.Watched() {
		if time.Now().After(deadline) {
			t.Fatal("no witness came")
		}
		_, err := m.Check(t.Context(), tree, Options{MaxChanged: -1, Witnesses: ws})
		must(t, err)
	}
	m.Release()
	ws.runs.Wait()
	if after := descriptors(t); ws.used != 0 || m.attendance.witness != nil || after > before {
		t.Errorf("%d watches, %d descriptors are left", ws.used, after-before)
	}
	must(t, ws.Close())
	if _, err := m.Check(t.Context(), tree, Options{MaxChanged: -1, Witnesses: ws}); err != nil {
		t.Errorf("a check after the end: %v", err)
	}
}

// TestUnaskedIsGivenBack: a witness that nobody asks ends.
func TestUnaskedIsGivenBack(t *testing.T) {
	dir := realDir(t)
	write(t, dir, map[string]string{"a/a": "1"})
	tree, ws := open(t, dir), newWitnesses(t)
	ws.audit, ws.idle = time.Millisecond, 20*time.Millisecond
	m := take(t, tree)
	for range 2 {
		_, err := m.Check(t.Context(), tree, Options{Witnesses: ws})
		must(t, err)
	}
	ws.runs.Wait()
	if ws.used != 0 || len(ws.all) != 0 || m.attendance.stop != nil {
		t.Errorf("%d watches are left", ws.used)
	}
}

// descriptors are how many this process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(all)
}
