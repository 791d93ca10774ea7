package fresh

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A Delta is how a tree differs from a manifest. Paths are in order.
type Delta struct {
	Changed []string // other content
	Added   []string // listed now and not in the manifest
	Deleted []string // in the manifest and not listed now: gone, ignored, too large, not a regular file
	// TooLarge are the files that would be listed if they were smaller.
	TooLarge []string
	// Head is the commit that is checked out, "" without one; HeadMoved tells
	// that it is not the one of the manifest.
	Head      string
	HeadMoved bool
	// TooMany tells that more files differ than the options allow. Unsure is
	// then how many files, of those that look different, were not read to see
	// whether they are; else 0.
	TooMany bool
	Unsure  int
	// Versions are those of the files that changed and were added; none if TooMany, or without a limit.
	Versions map[string]Version

	Work Work
}

// Work is what a check had to do beyond looking at every file.
type Work struct {
	Hashed  int  // files read
	Folders int  // folders listed again
	Listed  bool // git, or a walk, listed everything again
}

// A Version stands for what a file looks like. Two that are equal, and settled,
// are of the same content.
type Version struct{ mark mark }

// VersionAt is that of what is at an absolute path, symlinks followed.
func VersionAt(path string) Version {
	now := time.Now()
	seen := lookAt(path)
	return Version{mark{seen, seen.racy(now)}}
}

// Equal reports that a file looks the same in both.
func (v Version) Equal(other Version) bool { return v == other }

// Settled reports that the file was not written so lately that a later version
// may look the same.
func (v Version) Settled() bool { return !v.mark.racy }

// Count is how many files differ.
func (d Delta) Count() int { return len(d.Changed) + len(d.Added) + len(d.Deleted) }

// Clean reports that the tree is exactly as the manifest says.
func (d Delta) Clean() bool { return d.Count() == 0 && !d.TooMany }

// Some are the first of the files that differ, in order, at most n.
func (d Delta) Some(n int) []string {
	all := slices.Sorted(slices.Values(slices.Concat(d.Changed, d.Added, d.Deleted)))
	return all[:min(n, len(all))]
}

// A check is one comparison. It changes nothing that is published: own makes
// the copy that it writes to.
type check struct {
	tree *disk.Folder
	opts Options
	now  time.Time // before the first look
	git  listing.GitState
	// memory of what git said; nil: it is asked.
	memory *gitMemory
	known  *knowledge
	owned  bool
	only   []int // the folders to look at, if vouched
	// vouched tells that nothing happened in other folders than these; linked,
	// that some file has other names now, of which nobody was told.
	vouched, linked bool
	work            Work
}

func begin(ctx context.Context, tree *disk.Folder, opts Options) (*check, error) {
	c := &check{tree: tree, opts: opts, now: opts.now(), owned: true}
	if err := c.sameRoot(); err != nil {
		return nil, err
	}
	var err error
	c.git, err = listing.StateOf(ctx, tree)
	return c, err
}

func (c *check) sameRoot() error {
	if !c.tree.Same() {
		return fault.New(fault.PathNotFound, "the folder %s is gone, or is another one than was opened", c.tree.Root())
	}
	return nil
}

func (c *check) run(ctx context.Context) error {
	if err := c.sameRoot(); err != nil {
		return err
	}
	if c.known.unlisted && !c.known.compared {
		return compareOnce(ctx, c)
	}
	var seen findings
	group, inner := parallel.NewGroup(ctx)
	group.Go(func() (err error) {
		if c.memory != nil {
			c.git, err = c.memory.get(inner, c)
		} else {
			c.git, err = listing.StateOf(inner, c.tree)
		}
		return err
	})
	group.Go(func() (err error) {
		if c.known.unlisted {
			return nil // everything is looked at once it is listed
		}
		if c.vouched {
			seen, err = lookAmong(inner, c.tree, c.known.state, c.only)
		} else {
			seen, err = look(inner, c.tree, c.known.state)
		}
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	decided, err := c.decided(ctx, seen.rules)
	if err != nil {
		return err
	}
	if decided == all {
		err = listAgain(ctx, c)
	} else {
		c.apply(seen)
		err = lookInto(ctx, c, seen.dirs)
	}
	if err == nil && decided == tracked && !c.work.Listed {
		err = compareIndex(ctx, c)
	}
	if err != nil {
		return err
	}
	if c.owned {
		c.known.findOdd()
	}
	return settle(ctx, c)
}

// own is the knowledge, to be written to.
func (c *check) own() *knowledge {
	if !c.owned {
		k := *c.known
		k.state = k.clone()
		k.deciders, k.nested, k.index = slices.Clone(k.deciders), maps.Clone(k.nested), k.index.clone()
		k.ignored = maps.Clone(k.ignored)
		c.known, c.owned = &k, true
	}
	return c.known
}

// apply takes note of what looks different.
func (c *check) apply(seen findings) {
	if len(seen.files)+len(seen.dirs) == 0 {
		return
	}
	k := c.own()
	for _, s := range seen.files {
		c.link(k.files[s.at].mark.stat, s.stat)
		k.files[s.at].saw(s.stat, c.now)
	}
	for _, s := range seen.dirs {
		k.dirs[s.at].mark = mark{s.stat, s.racy(c.now)}
	}
}

// link notes a file that has other names than when it was looked at last.
func (c *check) link(was, now stat) {
	c.linked = c.linked || now.linked && (!was.linked || was.inode != now.inode)
}

// delta is what the knowledge says now.
func (c *check) delta(commit string) Delta {
	d := Delta{Head: c.git.Head, HeadMoved: c.git.Head != commit, Work: c.work}
	k, most := c.known, largest(c.opts.Limits)
	for _, i := range k.odd {
		f := &k.files[i]
		switch listed := f.listed(most); {
		case listed && f.inBase && f.unsure:
			d.Unsure++
		case listed && f.inBase && !f.same:
			d.Changed = append(d.Changed, k.path(f))
		case listed && !f.inBase:
			d.Added = append(d.Added, k.path(f))
		case !listed && f.inBase:
			d.Deleted = append(d.Deleted, k.path(f))
		}
		if !f.unlisted && f.mark.kind == regular && f.mark.size > most {
			d.TooLarge = append(d.TooLarge, k.path(f))
		}
	}
	if d.TooMany = d.Unsure > 0 || c.opts.tooMany(d.Count()); !d.TooMany && c.opts.MaxChanged >= 0 {
		d.Versions = k.versions(slices.Concat(d.Changed, d.Added))
	}
	slices.Sort(d.Changed)
	slices.Sort(d.Added)
	slices.Sort(d.Deleted)
	slices.Sort(d.TooLarge)
	return d
}
