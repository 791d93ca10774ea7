package fresh

import (
	"context"
	"errors"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// compareOnce is the first check of a manifest that was made of records: what git,
// or a walk, lists now is looked at. What decides about that is only looked for by
// the next check, which costs some times as much: many a process asks once.
func compareOnce(ctx context.Context, c *check) error {
	c.work.Listed = true
	var names []string
	group, inner := parallel.NewGroup(ctx)
	group.Go(func() (err error) {
		names, err = listing.Names(inner, c.tree, c.opts.Limits)
		return err
	})
	group.Go(func() (err error) {
		c.git.Head, err = c.tree.Head(inner)
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	c.own().list(names)
	c.known.compared = true
	seen, err := look(ctx, c.tree, c.known.state)
	if err != nil {
		return err
	}
	for _, s := range seen.files {
		c.known.files[s.at].saw(s.stat, c.now)
	}
	c.known.findOdd()
	return settle(ctx, c)
}

// list makes the files of these paths, in order, the listed ones.
func (k *knowledge) list(paths []string) {
	for i := range k.files {
		k.files[i].unlisted = true
	}
	var added []listedFile
	f := finder{state: k.state}
	for _, p := range paths {
		if i := f.find(p); i >= 0 {
			k.files[i].unlisted = false
		} else {
			added = append(added, listedFile{p, file{mark: mark{racy: true}}})
		}
	}
	if len(added) > 0 {
		k.state = k.with(map[string]dir{}, added)
	}
}

// listAgain brings the knowledge to what a whole listing finds. Everything that
// decides about it is looked at before, so that a change in between is seen by
// the next check.
func listAgain(ctx context.Context, c *check) error {
	c.work.Listed = true
	old := c.known
	k := &knowledge{git: len(c.git.Deciders) > 0, limits: c.opts.Limits, settings: c.git.Settings}
	for _, p := range c.git.Deciders {
		k.deciders = append(k.deciders, c.decider(p))
	}
	layout, dirs, err := layoutOf(ctx, c, []string{""})
	if err != nil {
		return err
	}
	k.nested, k.ignored = c.mapNested(nil, layout.Nested), map[string]kind{}
	k.ignoreFolders(layout.Ignored)
	found, err := listing.List(ctx, c.tree, c.opts.Limits)
	if err != nil {
		return err
	}
	k.state = newState(dirs, merge(old.state, watched(found))).after(old.state)
	for i := range k.dirs {
		_, inside := dirs[k.dirs[i].path]
		k.dirs[i].outside = !inside
	}
	if k.index, err = indexedOf(ctx, c.tree, k.state); err != nil {
		return err
	}
	c.known, c.owned = k, true
	seen, err := look(ctx, c.tree, k.state)
	for _, s := range seen.files { // folders were looked at before they were listed
		k.files[s.at].saw(s.stat, c.now)
	}
	return err
}

// watched are the paths that are listed, and those that are once they are smaller.
func watched(found listing.Listing) []string {
	paths := make([]string, 0, len(found.Files))
	for _, e := range found.Files {
		paths = append(paths, e.Path)
	}
	for _, rec := range found.Skipped {
		if rec.Skipped == models.SkipTooLarge {
			paths = append(paths, rec.Path)
		}
	}
	return paths
}

// merge brings the files of a state together with the paths that are listed now.
func merge(s *state, paths []string) []listedFile {
	known := make(map[string]*file, len(s.files))
	for i := range s.files {
		known[s.path(&s.files[i])] = &s.files[i]
	}
	all := make([]listedFile, 0, len(paths))
	for _, p := range paths {
		f := file{mark: mark{racy: true}}
		if old, ok := known[p]; ok {
			delete(known, p)
			f = *old
			f.list()
		}
		all = append(all, listedFile{p, f})
	}
	for p, f := range known {
		if f.inBase {
			gone := *f
			gone.unlisted = true
			all = append(all, listedFile{p, gone})
		}
	}
	return all
}

// list takes a file back that was not looked at while it was not listed.
func (f *file) list() {
	if f.unlisted {
		f.unlisted, f.mark = false, mark{racy: true}
	}
}

// layoutOf is the layout at and below folders, with each folder's times and rules
// from before it was read.
func layoutOf(ctx context.Context, c *check, at []string) (listing.Layout, map[string]dir, error) {
	r, err := newReacher(c.tree)
	if err != nil {
		return listing.Layout{}, nil, err
	}
	defer r.close()
	seen, failed := map[string]dir{}, error(nil)
	layout, err := listing.FindLayout(ctx, c.tree, at, c.opts.Limits, func(p string) {
		if _, again := seen[p]; again || failed != nil {
			return
		}
		seen[p], failed = lookBefore(ctx, c, r, p)
	})
	if err := errors.Join(err, failed); err != nil {
		return listing.Layout{}, nil, err
	}
	dirs := make(map[string]dir, len(layout.Folders))
	for _, p := range layout.Folders {
		dirs[p] = seen[p]
	}
	return layout, dirs, nil
}

// lookBefore looks at a folder and reads its ignore files.
func lookBefore(ctx context.Context, c *check, r reacher, p string) (dir, error) {
	var d dir
	err := r.in(p, func(here place) error {
		seen, err := lookHere(here)
		d.mark = mark{seen, seen.racy(c.now)}
		for _, name := range ruleNames {
			if err != nil {
				return err
			}
			if seen, err = lookFor(here, name); err == nil && seen.kind != nothing {
				var found rule
				found, err = c.rule(ctx, p, name, seen)
				d.rules = append(d.rules, found)
			}
		}
		return err
	})
	return d, err
}
