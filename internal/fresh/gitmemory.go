package fresh

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/ragnav/ragnav/internal/inotify"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A gitMemory is what git said of a tree, for as long as nothing that it read
// then looks different. It is used by one check at a time.
type gitMemory struct {
	asked  bool
	root   string
	paths  []string // that git reads, as of the last time
	sights []sight  // of these, from before git was asked; nil: state is not known
	state  listing.GitState
}

// get is tree.GitState. Where it has to ask git and paths are not known, they are
// for the next time: only what was looked at before tells that nothing changed.
func (g *gitMemory) get(ctx context.Context, c *check) (listing.GitState, error) {
	same := g.root == c.tree.Root() && g.sights != nil && slices.EqualFunc(g.sights, g.look(), sight.sameSource)
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
	g.asked, g.root, g.sights = true, c.tree.Root(), nil
	before := g.look()
	recent := slices.ContainsFunc(before, func(s sight) bool { return s.kind != folder && s.racy(c.now) })
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
	if err := group.Wait(); err != nil || recent {
		return state, err
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if len(paths) > 0 && slices.Equal(paths, g.paths) && inotify.LocalPaths(paths) {
		g.state, g.sights = state, before
	}
	g.paths = paths
	return state, nil
}

// below reports whether the top of the work tree is a folder above, which may
// ignore this one now: what tells that is not among the paths.
func (g *gitMemory) below() bool {
	_, looked := slices.BinarySearch(g.paths, filepath.Join(g.root, "objects")) // on the way up
	return looked
}

func (g *gitMemory) look() []sight {
	all := make([]sight, len(g.paths))
	for i, p := range g.paths {
		all[i] = lookAt(p)
	}
	return all
}

// sameSource compares what git read then and would read now. Of a folder only
// that it is the same one: what counts in it is looked at by itself.
func (s sight) sameSource(now sight) bool {
	if s.kind == folder {
		return now.kind == folder && now.inode == s.inode
	}
	return s == now
}
