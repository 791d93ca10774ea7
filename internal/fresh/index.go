package fresh

import (
	"context"
	"maps"
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// An indexed is what has to be known of git's index so that another index need
// not mean another listing. While rules and folders are the same, only two kinds
// of files come and go with it: those that are listed though rules exclude
// them, and those that were not there for git when it was last asked.
type indexed struct {
	// leave are the listed files that may not be listed once they are not
	// tracked: the ignored ones, and those that came one by one.
	leave map[string]bool
	// absent are the tracked paths that are not listed: not on disk, symlinks,
	// submodules, excluded by .ragnavignore.
	absent map[string]bool
	// unknown tells that there are too many of these, or that ignore files are
	// among them, which git then reads from the index.
	unknown bool
}

// maxIndexed is how many paths of either kind are worth keeping.
const maxIndexed = 1000

func (x indexed) clone() indexed {
	x.leave, x.absent = maps.Clone(x.leave), maps.Clone(x.absent)
	return x
}

// indexedOf asks git about its index, for a state that was just listed.
func indexedOf(ctx context.Context, tree *disk.Folder, s *state) (indexed, error) {
	x := indexed{leave: map[string]bool{}, absent: map[string]bool{}}
	ignored, err := listing.TrackedIgnored(ctx, tree)
	if err != nil {
		return x, err
	}
	x.mayLeave(ignored)
	paths, err := listing.Tracked(ctx, tree)
	f := finder{state: s}
	for _, p := range paths {
		if !f.holds(p) {
			x.add(p)
		}
	}
	return x, err
}

func (x *indexed) mayLeave(paths []string) {
	for _, p := range paths {
		if x.leave != nil && len(x.leave) < maxIndexed {
			x.leave[p] = true
		} else {
			x.unknown = true
		}
	}
}

func (x *indexed) add(p string) {
	if x.absent == nil || len(x.absent) >= maxIndexed || listing.HoldsRules(p) {
		x.unknown = true
		return
	}
	x.absent[p] = true
}

// compareIndex takes in what came and went with another index.
func compareIndex(ctx context.Context, c *check) error {
	if c.known.index.unknown {
		return listAgain(ctx, c)
	}
	paths, err := listing.Tracked(ctx, c.tree)
	if err != nil {
		return err
	}
	r, err := newReacher(c.tree)
	if err != nil {
		return err
	}
	defer r.close()
	ask, ok, err := askAbout(c, r, paths)
	if err != nil {
		return err
	}
	if !ok {
		return listAgain(ctx, c)
	}
	found, ok, err := listOnly(ctx, c.tree, c.opts, ask)
	if err != nil {
		return err
	}
	if !ok {
		return listAgain(ctx, c)
	}
	k, here, dirs := c.own(), watched(found), map[string]dir{}
	for _, p := range ask {
		if i := k.find(p); i >= 0 && !slices.Contains(here, p) {
			k.files[i].unlisted = true
		}
		for dir := relpath.Parent(p); dir != ""; dir = relpath.Parent(dir) {
			if i := k.findDir(dir); i < 0 || k.dirs[i].outside {
				dirs[dir] = unseen // it may be ignored, and what is tracked may come back
			}
		}
	}
	return takeOf(c, r, dirs, here)
}

// askAbout are the paths that may have come or gone. It is false when more may
// have: folders are in question, as submodules are.
func askAbout(c *check, r reacher, paths []string) ([]string, bool, error) {
	k := c.own()
	was, leave := k.index.absent, maps.Clone(k.index.leave)
	k.index.absent = map[string]bool{}
	var ask []string
	f := finder{state: k.state}
	for _, p := range paths {
		switch {
		case f.holds(p):
			delete(leave, p)
		case was[p]:
			k.index.absent[p] = true
			delete(was, p)
		default:
			k.index.add(p)
			ask = append(ask, p)
		}
	}
	if len(ask) > maxNew {
		return nil, false, nil
	}
	for _, p := range append(slices.Collect(maps.Keys(was)), ask...) {
		seen, err := r.look(p)
		if err != nil || seen.kind == folder {
			return nil, false, err
		}
	}
	for p := range leave {
		ask = append(ask, p)
	}
	slices.Sort(ask)
	return ask, !k.index.unknown, nil
}

// A finder finds files whose paths come in git's order, which is mostly folder by folder.
type finder struct {
	*state

	above string
	dir   int // its folder; -1 without one
	asked bool
}

// find is the index of a file, or -1.
func (f *finder) find(p string) int {
	if dir := relpath.Parent(p); !f.asked || dir != f.above {
		f.above, f.dir, f.asked = dir, f.findDir(dir), true
	}
	if f.dir < 0 {
		return -1
	}
	d := &f.dirs[f.dir]
	i, ok := slices.BinarySearchFunc(f.files[d.first:d.end], path.Base(p), compareName)
	if !ok {
		return -1
	}
	return d.first + i
}

// holds reports whether a path is a file of the state that is not left out.
func (f *finder) holds(p string) bool {
	i := f.find(p)
	return i >= 0 && !f.files[i].unlisted
}
