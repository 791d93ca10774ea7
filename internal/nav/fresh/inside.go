package fresh

import (
	"context"
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/repo"
)

// maxNew is how many unknown names are put to git one by one; to list
// everything is as quick beyond that.
const maxNew = 200

// lookInto lists the folders that look different, and puts to git the names in
// them that are not known. Most of the time those are the ignored ones.
func (c *check) lookInto(ctx context.Context, changed []change) error {
	r, err := newReacher(c.tree)
	if err != nil {
		return err
	}
	defer r.close()
	n := names{check: c}
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
		return c.listAgain(ctx)
	case len(n.files)+len(n.dirs) == 0:
		return nil
	}
	return c.admit(ctx, r, n)
}

// names are the unknown names in some folders.
type names struct {
	check *check
	files []string
	dirs  []string
	all   bool // something appeared that decides about other files
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
	case repo.Hidden(name), k.knows(p):
		return nil
	}
	seen, err := here.look(name)
	switch {
	case err != nil:
		return err
	case seen.kind == folder:
		n.dirs = append(n.dirs, p)
	case seen.kind == regular: // others are never listed, and the folder tells when they are replaced
		n.files = append(n.files, p)
	}
	return nil
}

// knows reports whether a path is known to be a listed file or a folder of the
// layout, or a repository of its own.
func (k *knowledge) knows(p string) bool {
	if i := k.find(p); i >= 0 && !k.files[i].unlisted && k.files[i].mark.kind != folder {
		return true
	}
	if i := k.findDir(p); i >= 0 && k.dirs[i].mark.kind == folder {
		return true
	}
	return k.nested[p]
}

func (d *dir) hasRule(name string) bool {
	return slices.ContainsFunc(d.rules, func(r rule) bool { return r.name == name })
}

// admit asks which of the unknown names are listed, and takes them in.
func (c *check) admit(ctx context.Context, r reacher, n names) error {
	dirs := map[string]dir{}
	nested := c.known.nested
	if len(n.dirs) > 0 {
		layout, found, err := c.layout(ctx, n.dirs)
		if err != nil {
			return err
		}
		dirs, nested = found, c.mapNested(nested, layout.Nested)
	}
	ask := n.files
	for _, p := range n.dirs {
		if _, inLayout := dirs[p]; inLayout || !nested[p] {
			ask = append(ask, p)
		}
	}
	found, ok, err := c.listOnly(ctx, ask)
	if err != nil {
		return err
	}
	if !ok {
		return c.listAgain(ctx)
	}
	k := c.own()
	k.nested = nested
	return c.take(r, dirs, watched(found))
}

func (c *check) listOnly(ctx context.Context, paths []string) (repo.Listing, bool, error) {
	if len(paths) == 0 {
		return repo.Listing{}, true, nil // which to ListPaths is everything
	}
	return c.tree.ListPaths(ctx, paths, c.opts.Limits)
}

// take adds folders and listed paths to the state and looks at the new ones.
func (c *check) take(r reacher, dirs map[string]dir, paths []string) error {
	k := c.own()
	var added []listedFile
	for _, p := range paths {
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
		if f := &k.files[k.find(p)]; f.mark.racy || f.mark.sight != seen {
			f.saw(seen, c.now)
		}
	}
	return nil
}
