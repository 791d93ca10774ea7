package fresh

import (
	"context"
	"errors"
)

// wave is how many files are hashed before it is asked whether that is enough.
const wave = 256

// findOdd finds the files that can be in a delta, and the folders that no
// witness can vouch for.
func (k *knowledge) findOdd() {
	k.odd = nil
	k.findExposed()
	most := largest(k.limits)
	for i := range k.files {
		if f := &k.files[i]; !f.inBase || !f.same || f.unsure || !f.listed(most) {
			k.odd = append(k.odd, i)
		}
	}
}

// settle reads the files that only look different, until too many differ.
func (c *check) settle(ctx context.Context) error {
	k, most := c.known, largest(c.opts.Limits)
	var unsure []int
	differ := 0
	for _, i := range k.odd {
		f := &k.files[i]
		switch listed := f.listed(most); {
		case listed && f.inBase && f.unsure:
			unsure = append(unsure, i)
		case listed != f.inBase, listed && !f.same:
			differ++
		}
	}
	for len(unsure) > 0 && !c.opts.tooMany(differ) {
		n := min(wave, len(unsure))
		if err := c.hash(ctx, unsure[:n]); err != nil {
			return err
		}
		for _, i := range unsure[:n] {
			if f := &c.known.files[i]; !f.same {
				differ++
			}
		}
		unsure = unsure[n:]
	}
	return nil
}

// hash compares files with what they were, by content.
func (c *check) hash(ctx context.Context, files []int) error {
	k := c.own()
	c.work.Hashed += len(files)
	return each(ctx, len(files), func(ctx context.Context, i int) error {
		f := &k.files[files[i]]
		_, hash, err := read(ctx, c.tree, k.path(f), c.opts.Limits)
		f.unsure = false
		switch {
		case errors.Is(err, errGone):
			f.mark = mark{}
		case errors.Is(err, errUnread):
			f.same = f.unread
		case err != nil:
			return err
		default:
			f.same = !f.unread && hash == f.base
		}
		return nil
	})
}

// rebase makes what is there now the manifest: it reads every listed file that
// is not known to be as the manifest says.
func (c *check) rebase(ctx context.Context, visit Visit) error {
	k, most := c.own(), largest(c.opts.Limits)
	var todo []int
	for i := range k.files {
		f := &k.files[i]
		switch listed := f.listed(most); {
		case !listed:
			f.inBase = false
		case !f.inBase || !f.same:
			todo = append(todo, i)
		}
	}
	defer k.findOdd()
	return each(ctx, len(todo), func(ctx context.Context, i int) error {
		f := &k.files[todo[i]]
		data, hash, err := read(ctx, c.tree, k.path(f), c.opts.Limits)
		switch {
		case errors.Is(err, errGone):
			f.mark, f.inBase = mark{}, false
			return nil
		case errors.Is(err, errUnread):
			f.base, f.baseSize, f.inBase, f.same, f.unsure, f.unread = Hash{}, f.mark.size, true, true, false, true
			return nil
		case err != nil:
			return err
		}
		f.base, f.baseSize, f.inBase, f.same, f.unsure, f.unread = hash, int64(len(data)), true, true, false, false
		if visit == nil {
			return nil
		}
		return visit(k.path(f), data, hash)
	})
}
