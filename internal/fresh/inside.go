package fresh

import (
	"context"
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// maxNew is how many unknown names are put to git one by one; to list
// everything is as quick beyond that.
const maxNew = 200

// lookInto lists the folders that look different, and puts to git the names in
// them that are not known. Most of the time those are the ignored ones.
func lookInto(ctx context.Context, c *check, changed []change) error {
	if len(changed) == 0 {
		return nil
	}
	r, err := newReacher(c.tree)
	if err != nil {
		return err
	}
	defer r.close()
	n := names{check: c, seen: map[string]stat{}}
	for _, ch := range changed {
		d := &c.known.dirs[ch.at]
		if d.mark.kind != folder {
			continue
		}
		c.work.Folders++
		if err := r.in(d.path, func(here place) error { return n.list(d, here) }); err != nil {
			return err
		}
	}
	switch {
	case n.all || len(n.files)+len(n.dirs) > maxNew:
		return listAgain(ctx, c)
	case len(n.files)+len(n.dirs) == 0:
		return nil
	}
	return admit(ctx, c, r, n)
}

// names are the unknown names in some folders.
type names struct {
	check *check
	files []string
	dirs  []string
	seen  map[string]stat // of these
	all   bool            // something appeared that decides about other files
}

func (n *names) list(d *dir, here place) error {
	if here == nil {
		return nil // gone since; the folder above tells the next check
	}
	found, err := here.names()
	if err != nil {
		if absent(err) {
			return nil // it can't be listed by git either
		}
		return err
	}
	before := len(n.files)
	for _, name := range found {
		if err := n.add(d, here, name); err != nil {
			return err
		}
	}
	if len(n.files)-before > maxNew/4 && d.path != "" {
		n.files = append(n.files[:before], d.path) // tracked files among many that are ignored
	}
	return nil
}

func (n *names) add(d *dir, here place, name string) error {
	k, p := n.check.known, path.Join(d.path, name)
	switch {
	case name == ".git" && d.path != "" && k.git:
		_, known := k.nested[d.path]
		n.all = n.all || !known
		return nil
	case slices.Contains(ruleNames, name) && !d.hasRule(name):
		n.all = true
		return nil
	case listing.NeverListed(name), k.knows(p):
		return nil
	}
	seen, err := here.look(name)
	n.check.link(stat{}, seen)
	if was, ok := k.ignored[p]; err != nil || ok && was == seen.kind {
		return err
	}
	n.seen[p] = seen
	switch seen.kind {
	case folder:
		n.dirs = append(n.dirs, p)
	case regular:
		n.files = append(n.files, p)
	case nothing, other: // never listed, and the folder tells when they are replaced
	}
	return nil
}

func (d *dir) hasRule(name string) bool {
	return slices.ContainsFunc(d.rules, func(r rule) bool { return r.name == name })
}

// admit asks which of the unknown names are listed, and takes them in.
func admit(ctx context.Context, c *check, r reacher, n names) error {
	k, dirs := c.own(), map[string]dir{}
	if len(n.dirs) > 0 {
		layout, found, err := layoutOf(ctx, c, n.dirs)
		if err != nil {
			return err
		}
		dirs, k.nested = found, c.mapNested(k.nested, layout.Nested)
		k.ignoreFolders(layout.Ignored)
	}
	ask := slices.Clone(n.files)
	for _, p := range n.dirs {
		if _, inLayout := dirs[p]; inLayout || !k.nested[p] {
			ask = append(ask, p)
		}
	}
	found, ok, err := listOnly(ctx, c.tree, c.opts, ask)
	if err != nil {
		return err
	}
	if !ok {
		return listAgain(ctx, c)
	}
	here := watched(found)
	if err := k.ignoreFiles(r, n, here); err != nil {
		return err
	}
	return takeOf(c, r, dirs, here)
}

// maxIgnored is how many ignored paths are worth keeping.
const maxIgnored = 10_000

func listOnly(ctx context.Context, tree *disk.Folder, opts Options, paths []string) (listing.Listing, bool, error) {
	if len(paths) == 0 {
		return listing.Listing{}, true, nil // which to ListPaths is everything
	}
	return listing.Paths(ctx, tree, paths, opts.Limits)
}

// takeOf adds folders and listed paths to the state and looks at the new ones.
func takeOf(c *check, r reacher, dirs map[string]dir, paths []string) error {
	k := c.own()
	var added []listedFile
	for _, p := range paths {
		delete(k.ignored, p)
		if i := k.find(p); i >= 0 {
			k.files[i].list()
		} else {
			added = append(added, listedFile{p, file{mark: mark{racy: true}}})
		}
	}
	k.index.mayLeave(paths)
	if len(dirs)+len(added) > 0 {
		k.state = k.with(dirs, added)
	}
	for _, p := range paths {
		seen, err := r.look(p)
		if err != nil {
			return err
		}
		if f := &k.files[k.find(p)]; f.mark.racy || f.mark.stat != seen {
			c.link(f.mark.stat, seen)
			f.saw(seen, c.now)
		}
	}
	return nil
}
