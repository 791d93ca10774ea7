package fresh

import (
	"context"
	"crypto/sha256"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A decider is a file outside the folders of the layout that decides what is
// listed: git's index, its files of rules. It need not exist.
type decider struct {
	path string // absolute
	mark mark
	sum  Hash
}

// A reach is how far a change of what decides goes.
type reach int

const (
	none    reach = iota
	tracked       // of git's index: only what is tracked differs
	all
)

// decided reports what changed that decides what is listed. What only looks
// different is remembered, unless everything is listed again.
func (c *check) decided(ctx context.Context, rules []ruleChange) (reach, error) {
	k := c.known
	if k.unlisted || k.git != (len(c.git.Deciders) > 0) || k.settings != c.git.Settings ||
		!sameLimits(k.limits, c.opts.Limits, c.tree.Root()) {
		return all, nil
	}
	for dir, was := range k.nested {
		if listing.Nested(c.tree, dir) != was {
			return all, nil
		}
	}
	far := c.decidersChanged()
	if far == all {
		return all, nil
	}
	changed, err := c.rulesChanged(ctx, rules)
	if changed {
		far = all
	}
	return far, err
}

// sameLimits reports whether limits leave out the same of a tree.
func sameLimits(a, b listing.Limits, root string) bool {
	return largest(a) == largest(b) && slices.Equal(inside(root, a.Exclude), inside(root, b.Exclude))
}

// inside are those of some folders that are below a root.
func inside(root string, folders []string) []string {
	return slices.DeleteFunc(slices.Clone(folders), func(p string) bool {
		below, err := filepath.Rel(root, p)
		return err != nil || !filepath.IsLocal(below)
	})
}

func (c *check) decidersChanged() (far reach) {
	paths := c.git.Deciders
	if !slices.EqualFunc(c.known.deciders, paths, func(d decider, p string) bool { return d.path == p }) {
		return all
	}
	for i := range paths {
		d := &c.known.deciders[i]
		seen := lookAt(d.path)
		if !d.mark.racy && d.mark.stat == seen {
			continue
		}
		now := c.decider(d.path)
		if now.sum != d.sum || now.mark.kind != d.mark.kind {
			if far = tracked; i > 0 { // the first one is the index
				return all
			}
		}
		c.own().deciders[i] = now
	}
	return far
}

// decider looks at a file and then reads it.
func (c *check) decider(path string) decider {
	seen := lookAt(path)
	d := decider{path: path, mark: mark{seen, seen.racy(c.now)}}
	if seen.kind == regular {
		data, err := os.ReadFile(path)
		if err != nil {
			d.mark.racy = true
		}
		d.sum = sha256.Sum256(data)
	}
	return d
}

func (c *check) rulesChanged(ctx context.Context, changes []ruleChange) (bool, error) {
	for _, ch := range changes {
		d := &c.known.dirs[ch.dir]
		old := d.rules[ch.at]
		c.link(old.mark.stat, ch.stat)
		now, err := c.rule(ctx, d.path, old.name, ch.stat)
		if err != nil {
			return false, err
		}
		if now.sum != old.sum || now.mark.kind != old.mark.kind {
			return true, nil
		}
		own := &c.own().dirs[ch.dir]
		own.rules = slices.Clone(own.rules)
		own.rules[ch.at] = now
	}
	return false, nil
}

// ruleNames are the ignore files of a folder.
var ruleNames = []string{".gitignore", ".ragnavignore"}

// maxRules is more than an ignore file's content that counts.
const maxRules = 2 << 20

// rule reads an ignore file that was looked at.
func (c *check) rule(ctx context.Context, dir, name string, seen stat) (rule, error) {
	r := rule{name: name, mark: mark{seen, seen.racy(c.now)}}
	if seen.kind != regular {
		return r, nil
	}
	data, _, err := c.tree.Read(ctx, path.Join(dir, name), maxRules)
	if err != nil {
		r.mark.racy = true
	}
	r.sum = sha256.Sum256(data)
	return r, ctx.Err()
}

// mapNested is nested with what is a repository among more folders.
func (c *check) mapNested(nested map[string]bool, dirs []string) map[string]bool {
	nested = maps.Clone(nested)
	if nested == nil {
		nested = map[string]bool{}
	}
	for _, dir := range dirs {
		nested[dir] = listing.Nested(c.tree, dir)
	}
	return nested
}
