package fresh

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/inotify"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/wire"
)

// A gitMemory is what git said of a tree, for as long as nothing that it read
// then looks different. It is used by one check at a time.
type gitMemory struct {
	asked bool
	root  string
	paths []string // that git reads, as of the last time
	stats []stat   // of these, from before git was asked; nil: state is not known
	state listing.GitState
}

// get is tree.GitState. Where it has to ask git and paths are not known, they are
// for the next time: only what was looked at before tells that nothing changed.
func (g *gitMemory) get(ctx context.Context, c *check) (listing.GitState, error) {
	same := g.root == c.tree.Root() && g.stats != nil && slices.EqualFunc(g.stats, g.look(), stat.sameSource)
	if same && !g.below() {
		c.tree.FoundGit()
		return g.state, nil
	}
	if in, err := c.tree.IsGit(ctx); err != nil || !in {
		return listing.GitState{}, err
	}
	if same {
		return g.state, nil
	}
	first := !g.asked // many a process asks once
	g.asked, g.root, g.stats = true, c.tree.Root(), nil
	before := g.look()
	recent := slices.ContainsFunc(before, func(s stat) bool { return s.kind != folder && s.racy(c.now) })
	var state listing.GitState
	var paths []string
	group, ctx := parallel.NewGroup(ctx)
	group.Go(func() (err error) {
		state, err = listing.StateOf(ctx, c.tree)
		return err
	})
	if !first && !recent {
		group.Go(func() error {
			paths, _ = listing.GitSources(ctx, c.tree) // where it fails git is asked again
			return nil
		})
	}
	if err := group.Wait(); err != nil || first || recent {
		return state, err
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if len(paths) > 0 && slices.Equal(paths, g.paths) && inotify.LocalPaths(paths) {
		g.state, g.stats = state, before
	}
	g.paths = paths
	return state, nil
}

// learn asks git until it is known what tells that it would say the same again, where
// that can be known.
func (g *gitMemory) learn(ctx context.Context, c *check) error {
	g.asked = true
	for range 2 { // which paths it reads, and once more since they were looked at
		if _, err := g.get(ctx, c); err != nil || g.stats != nil {
			return err
		}
	}
	return nil
}

// encode is nil where nothing is known.
func (g *gitMemory) encode() []byte {
	around := listing.GitSurroundings()
	if g.stats == nil || around == "" {
		return nil
	}
	var e encoder
	e.string(around)
	e.string(g.root)
	e.number(len(g.paths))
	for i, p := range g.paths {
		e.string(p)
		e.mark(mark{stat: g.stats[i]})
	}
	e.string(g.state.Head)
	e.string(g.state.Settings)
	e.number(len(g.state.Deciders))
	for _, p := range g.state.Deciders {
		e.string(p)
	}
	return e.buf
}

// decodeGit is what encode gave; false where this process would ask another git.
func decodeGit(data []byte) (g gitMemory, ok bool) {
	d := decoder{Reader: wire.Reader[string]{Rest: string(data)}}
	if around := d.Text(); around == "" || around != listing.GitSurroundings() {
		return g, false
	}
	g.root = d.Text() // not asked: of a process that asks once nobody keeps what it learns
	for range d.Count() {
		g.paths = append(g.paths, d.Text())
		g.stats = append(g.stats, d.mark().stat)
	}
	g.state.Head, g.state.Settings = d.Text(), d.Text()
	for range d.Count() {
		g.state.Deciders = append(g.state.Deciders, d.Text())
	}
	return g, !d.Bad && d.Rest == ""
}

// below reports whether the top of the work tree is a folder above, which may
// ignore this one now: what tells that is not among the paths.
func (g *gitMemory) below() bool {
	_, looked := slices.BinarySearch(g.paths, filepath.Join(g.root, "objects")) // on the way up
	return looked
}

func (g *gitMemory) look() []stat {
	all := make([]stat, len(g.paths))
	for i, p := range g.paths {
		all[i] = lookAt(p)
	}
	return all
}

// sameSource compares what git read then and would read now. Of a folder only
// that it is the same one: what counts in it is looked at by itself.
func (s stat) sameSource(now stat) bool {
	if s.kind == folder {
		return now.kind == folder && now.inode == s.inode
	}
	return s == now
}

// gitFolder is where git keeps its files of a tree that is the top of its work tree.
const gitFolder = ".git"

// A gitWatch is what a watcher knows of the files that git reads in ".git": they were
// looked at, and nothing happened to them since. All of it is guarded by the lock of
// its watcher.
type gitWatch struct {
	paths   []string     // that git reads, of which it watches the folders
	rules   []string     // what else decides what it lists
	dirs    map[int]bool // the watches
	refused bool         // it can't be told: there are symlinks, or other names
	changed bool         // something happened since, or they were not looked at
	looked  time.Time

	unwatched bool // a folder came to be
}

// maxGitFolders is how many folders of git's are watched; more are those of branches
// with many parts.
const maxGitFolders = 16

// inGit reports whether a path is in the folder ".git" of a tree.
func inGit(root, path string) bool {
	return strings.HasPrefix(path, root) && strings.HasPrefix(path[len(root):], string(filepath.Separator)+gitFolder+
		string(filepath.Separator))
}

// quietGit reports that nothing happened to git's files in the tree since they were
// looked at, not long ago. Where it is false they are to be looked at, and sawGit is
// to be told when they are what they were.
func (w *watcher) quietGit(tree *disk.Folder, git *gitMemory, trust time.Duration) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	g, rules := &w.git, git.state.Deciders
	if g.unwatched || !slices.Equal(g.paths, git.paths) || !slices.Equal(g.rules, rules) {
		*g = gitWatch{paths: git.paths, rules: rules, dirs: g.dirs, changed: true}
		sparse := []string{filepath.Join(tree.Root(), filepath.FromSlash(listing.SparseFile))}
		g.refused = w.queue == nil || w.watchGit(tree, slices.Concat(git.paths, rules, sparse)) != nil
	}
	if g.refused || g.changed || time.Since(g.looked) > trust {
		g.changed = false // by the next event it is again
		g.looked = time.Time{}
		return false
	}
	return true
}

// sawGit takes note of a look at all of git's files that began then, and found what
// was there before.
func (w *watcher) sawGit(began time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.git.looked = began
}

// watchGit watches the folders in ".git" that hold what git reads.
func (w *watcher) watchGit(tree *disk.Folder, paths []string) error {
	root, err := openTree(tree)
	if err != nil {
		return err
	}
	defer root.close()
	if w.git.dirs == nil {
		w.git.dirs = map[int]bool{}
	}
	for _, p := range paths {
		if !inGit(tree.Root(), p) {
			continue
		}
		rel := filepath.ToSlash(p[len(tree.Root())+1:])
		if err := w.watchWay(root, rel); err != nil {
			return err
		}
	}
	return nil
}

// watchWay watches the folders on the way to a file. What is not there comes to be by
// an event of the last one.
func (w *watcher) watchWay(here place, rel string) error {
	name, rest, more := strings.Cut(rel, "/")
	seen, err := here.look(name)
	switch {
	case err != nil:
		return err
	case seen.kind == other, seen.linked, more && seen.kind == regular:
		return errNotLocal // what happens to it gives no event here
	case !more, seen.kind == nothing:
		return nil
	}
	inner, err := here.inner(name)
	if err != nil {
		return err
	}
	defer inner.close()
	if err := w.watchGitFolder(inner); err != nil {
		return err
	}
	return w.watchWay(inner, rest)
}

func (w *watcher) watchGitFolder(here place) error {
	fd, ok := descriptor(here)
	if !ok || !inotify.Local(fd) {
		return errNotLocal
	}
	watch, err := w.queue.Watch(fd)
	if err != nil {
		return err
	}
	if _, twice := w.dirs[watch]; twice || len(w.git.dirs) >= maxGitFolders && !w.git.dirs[watch] {
		return errTwice
	}
	w.git.dirs[watch] = true
	return nil
}
