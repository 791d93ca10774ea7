package fresh

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ragnav/ragnav/internal/inotify"
	"github.com/ragnav/ragnav/internal/repo/repotest"
)

// TestWatcherSparesLooks: without events nothing is looked at, which shows by
// what is hidden from it.
func TestWatcherSparesLooks(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir, map[string]string{"a/a": "1", "b/b": "1"})
	elsewhere := filepath.Join(t.TempDir(), "link")
	tree := open(t, dir)
	g := guard(t, take(t, tree), newWatchers(t), tree)
	must(t, os.Link(filepath.Join(dir, "a/a"), elsewhere))
	must(t, os.WriteFile(elsewhere, []byte("by another name"), 0o600))
	if d := g.check(settled); !d.Clean() {
		t.Errorf("%v was looked at", d.Changed)
	}
	repotest.Write(t, dir, map[string]string{"b/b": "2"})
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"b/b"}) {
		t.Errorf("changed: %v", d.Changed)
	}
	g.audit()
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"a/a", "b/b"}) {
		t.Errorf("after an audit: %v", d.Changed)
	}
}

// TestWatcherIsNotTrustedForLong: what nobody tells is seen once the last look at
// everything is so long ago.
func TestWatcherIsNotTrustedForLong(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir, map[string]string{"a/a": "1"})
	elsewhere := filepath.Join(t.TempDir(), "link")
	tree := open(t, dir)
	g := guard(t, take(t, tree), newWatchers(t), tree)
	must(t, os.Link(filepath.Join(dir, "a/a"), elsewhere))
	must(t, os.WriteFile(elsewhere, []byte("by another name"), 0o600))
	w := g.watching.watcher
	w.looked = w.looked.Add(-g.ws.trust - time.Second)
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"a/a"}) {
		t.Errorf("changed: %v", d.Changed)
	}
	if g.watching.watcher != w || !g.vouched() {
		t.Error("a look at everything does not bring the trust back")
	}
}

func TestMappedWritesAreSeen(t *testing.T) {
	dir := dirOnDisk(t)
	repotest.Write(t, dir, map[string]string{"a": "1"})
	tree := open(t, dir)
	g := guard(t, take(t, tree), newWatchers(t), tree)
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

// dirOnDisk is a folder whose system notes when a page that is mapped is written to again:
// one in memory never cleans its pages, and notes the first time only.
func dirOnDisk(t *testing.T) string {
	t.Helper()
	for _, parent := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		var st unix.Statfs_t
		if err := unix.Statfs(parent, &st); err != nil || st.Type == unix.TMPFS_MAGIC || st.Type == unix.RAMFS_MAGIC {
			continue
		}
		dir, err := os.MkdirTemp(parent, "ragnav-mapped-") //nolint:usetesting // t.TempDir may be in memory
		if err != nil {
			continue
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		dir, err = filepath.EvalSymlinks(dir)
		must(t, err)
		f, err := os.Open(dir)
		must(t, err)
		local := inotify.Local(int(f.Fd()))
		must(t, f.Close())
		if local {
			return dir
		}
	}
	t.Skip("SKIPPED: no folder for temporary files is on a disk with notifications")
	return ""
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
		"watches ended": func(_ *testing.T, g guarded) { g.ws.dismiss(g.watching.watcher) },
		"made room": func(t *testing.T, g guarded) {
			g.ws.mu.Lock()
			g.ws.limit = g.ws.used
			g.ws.mu.Unlock()
			must(t, g.ws.admit(&watcher{}, 1, g.ws.small))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repotest.Dir(t)
			repotest.Write(t, dir, map[string]string{"a/a": "1", "x": "", "y": ""})
			tree := open(t, dir)
			g := guard(t, take(t, tree), newWatchers(t), tree)
			lose(t, g)
			repotest.Write(t, dir, map[string]string{"a/a": "2"})
			if d := g.check(settled); !slices.Equal(d.Changed, []string{"a/a"}) || g.watching.watcher != nil {
				t.Errorf("changed: %v, watcher %v", d.Changed, g.watching.watcher)
			}
			if len(g.watching.wake) == 0 {
				t.Error("no other watcher is called")
			}
		})
	}
}

// TestNoWatches: where the system has none to give, checks look at everything.
func TestNoWatches(t *testing.T) {
	for name, deny := range map[string]func(ws *Watchers){
		"too many folders": func(ws *Watchers) { ws.limit = 1 },
		"none given": func(ws *Watchers) {
			ws.open = func() (events, error) { return nil, unix.EMFILE }
			ws.share = ws.open
		},
		"ended half-way": func(ws *Watchers) {
			ws.open = func() (events, error) {
				q, err := inotify.Open()
				return q, errors.Join(err, q.Close())
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repotest.Dir(t)
			repotest.Write(t, dir, map[string]string{"a/a": "1"})
			tree, ws := open(t, dir), newWatchers(t)
			deny(ws)
			m := take(t, tree)
			for i := range 4 {
				want := fmt.Sprint("a/", i)
				repotest.Write(t, dir, map[string]string{want: "1"})
				d, err := m.Check(t.Context(), tree, Options{Now: settledClock, Watchers: ws})
				if err != nil || !slices.Contains(d.Added, want) {
					t.Errorf("%v, %v", d.Added, err)
				}
			}
			if _, err := ws.call(t.Context(), tree, m.known.Load().state); err == nil {
				t.Error("there is a watcher")
			}
			m.Release()
			must(t, ws.runs.Wait())
			if ws.used != 0 || len(ws.all) != 0 {
				t.Errorf("%d watches are counted", ws.used)
			}
		})
	}
}

// TestSharedQueue: where the system gives no queue for a tree alone, it is watched by one
// that others have too; each is told of its own folders, and what was lost is lost for all.
func TestSharedQueue(t *testing.T) {
	ws := newWatchers(t)
	ws.open = func() (events, error) { return nil, unix.EMFILE }
	var dirs []string
	var all []guarded
	for range 3 {
		dir := repotest.Dir(t)
		repotest.Write(t, dir, map[string]string{"a/a": "1"})
		tree := open(t, dir)
		dirs, all = append(dirs, dir), append(all, guard(t, take(t, tree), ws, tree))
		all[len(all)-1].check(settled)
	}
	m := take(t, all[0].tree) // of a folder that another one watches
	all = append(all, guard(t, m, ws, all[0].tree))
	all[3].check(settled)
	repotest.Write(t, dirs[0], map[string]string{"a/a": "2", "b": "1"})
	all[2].lose(ws, all[2].watching.watcher)
	for i, g := range all {
		if i == 2 {
			continue
		}
		if !g.vouched() {
			t.Errorf("%d: nobody vouches for the tree", i)
		}
		d, want := g.check(settled), []string(nil)
		if i != 1 {
			want = []string{"b"}
		}
		if !slices.Equal(d.Added, want) || len(d.Changed) != len(want) {
			t.Errorf("%d: %v was added, %v changed; want %v", i, d.Added, d.Changed, want)
		}
	}
	all[3].lose(ws, all[3].watching.watcher)
	repotest.Write(t, dirs[0], map[string]string{"a/c": "1"})
	if d := all[0].check(settled); !slices.Equal(d.Added, []string{"a/c", "b"}) {
		t.Errorf("%v was added once the other watcher ended", d.Added)
	}
}

// TestRootReplaced: the same path, another folder.
func TestRootReplaced(t *testing.T) {
	dir := filepath.Join(repotest.Dir(t), "root")
	repotest.Write(t, dir, map[string]string{"a/a": "1"})
	tree := open(t, dir)
	g := guard(t, take(t, tree), newWatchers(t), tree)
	must(t, os.RemoveAll(dir))
	repotest.Write(t, dir, map[string]string{"a/a": "2", "b": "1"})
	g.tree = open(t, dir)
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"a/a"}) || !slices.Equal(d.Added, []string{"b"}) {
		t.Errorf("%+v", d)
	}
}

// TestMountOver: what is mounted over a watched folder tells nobody but the table
// of mounts.
func TestMountOver(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir, map[string]string{"a/a": "1", "b": "1"})
	tree := open(t, dir)
	g := guard(t, take(t, tree), newWatchers(t), tree)
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
		t.Error("no watcher with a mount in the tree")
	}
	repotest.Write(t, dir, map[string]string{"a/a": "1"})
	if d := g.check(settled); !d.Clean() {
		t.Errorf("written in the mount: %+v", d)
	}
	must(t, unix.Unmount(filepath.Join(dir, "a"), 0))
	repotest.Write(t, dir, map[string]string{"a/a": "2"})
	if d := g.check(settled); !slices.Equal(d.Changed, []string{"a/a"}) {
		t.Errorf("unmounted: %+v", d)
	}
}

// TestWatcherInTheBackground: it comes by itself, checks side by side use it, and
// nothing is left of it.
func TestWatcherInTheBackground(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir, map[string]string{"a/a": "1", "b/b": "1"})
	before := descriptors(t)
	tree, ws := open(t, dir), newWatchers(t)
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
				repotest.Write(t, dir, map[string]string{name: "x"})
				d, err := m.Check(t.Context(), tree, Options{MaxChanged: -1, Watchers: ws})
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
			t.Fatal("no watcher came")
		}
		_, err := m.Check(t.Context(), tree, Options{MaxChanged: -1, Watchers: ws})
		must(t, err)
	}
	m.Release()
	must(t, errors.Join(ws.runs.Wait(), tree.Close()))
	if after := descriptors(t); ws.used != 0 || m.watching.watcher != nil || after > before {
		t.Errorf("%d watches, %d descriptors are left", ws.used, after-before)
	}
	must(t, ws.Close())
	if _, err := m.Check(t.Context(), open(t, dir), Options{MaxChanged: -1, Watchers: ws}); err != nil {
		t.Errorf("a check after the end: %v", err)
	}
}

// TestUnaskedIsGivenBack: a watcher that nobody asks ends.
func TestUnaskedIsGivenBack(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir, map[string]string{"a/a": "1"})
	tree, ws := open(t, dir), newWatchers(t)
	ws.audit, ws.idle = time.Millisecond, 20*time.Millisecond
	m := take(t, tree)
	for range 2 {
		_, err := m.Check(t.Context(), tree, Options{Watchers: ws})
		must(t, err)
	}
	must(t, ws.runs.Wait())
	if ws.used != 0 || len(ws.all) != 0 || m.watching.stop != nil {
		t.Errorf("%d watches are left", ws.used)
	}
}

// TestUnaskedIsNotLookedAt: while nobody asks nothing is looked at. Who asks then looks at
// everything himself, and the background goes on.
func TestUnaskedIsNotLookedAt(t *testing.T) {
	dir := repotest.Dir(t)
	repotest.Write(t, dir, map[string]string{"a/a": "1"})
	tree, ws := open(t, dir), newWatchers(t)
	ws.audit, ws.calm = time.Millisecond, 20*time.Millisecond
	m := take(t, tree)
	ask := func() {
		_, err := m.Check(t.Context(), tree, Options{Watchers: ws})
		must(t, err)
	}
	until := func(what string, reached func() bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); !reached(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("waited in vain: ", what)
			}
		}
	}
	asleep := func() bool {
		m.watching.mu.Lock()
		defer m.watching.mu.Unlock()
		return m.watching.asleep
	}
	looked := func(w *watcher) time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.looked
	}
	ask()
	ask()
	until("a watcher", m.Watched)
	until("sleep", asleep)
	w := m.watching.watcher
	last := looked(w)
	time.Sleep(5 * ws.audit)
	if now := looked(w); asleep() && !now.Equal(last) {
		t.Error("it was looked at in its sleep")
	}
	w.mu.Lock()
	w.looked = last.Add(-ws.trust - time.Second)
	w.mu.Unlock()
	asked := time.Now()
	ask()
	if now := looked(w); now.Before(asked) {
		t.Error("the first to ask relied on what nobody had looked at")
	}
	until("a look in the background", func() bool { ask(); return looked(w).After(asked.Add(2 * ws.audit)) })
	if m.watching.watcher != w {
		t.Error("another watcher was called")
	}
	m.Release()
	must(t, ws.runs.Wait())
}

// descriptors are how many this process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(all)
}
