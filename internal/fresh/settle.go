package fresh

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// wave is how many files are hashed before it is asked whether that is enough.
const wave = 256

// settle reads the files that only look different, until too many differ.
func settle(ctx context.Context, c *check) error {
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
		if err := hash(ctx, c, unsure[:n]); err != nil {
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
func hash(ctx context.Context, c *check, files []int) error {
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
func rebase(ctx context.Context, c *check, visit Visit) error {
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

// A Hash is the SHA-256 of a file's content, as in the records of an index.
type Hash [sha256.Size]byte

// String is the hash in hex, as in models.FileRecord.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// What became of a file that was to be read.
var (
	errGone   = errors.New("the file is gone")
	errUnread = errors.New("the file can't be read")
)

// read reads a listed file. A file that is not there any more as a regular file
// is errGone, one that may not be read, or grew above the limit, errUnread.
func read(ctx context.Context, tree *disk.Folder, path string, limits listing.Limits) ([]byte, Hash, error) {
	most := largest(limits)
	data, stat, err := tree.Read(ctx, path, most)
	switch {
	case ctx.Err() != nil:
		return nil, Hash{}, ctx.Err()
	case errors.Is(err, fs.ErrNotExist), err == nil && stat.Path != path:
		return nil, Hash{}, errGone
	case err != nil, int64(len(data)) > most:
		return nil, Hash{}, errUnread
	}
	return data, sha256.Sum256(data), nil
}

func largest(limits listing.Limits) int64 {
	if limits.MaxFileSize == 0 {
		return listing.DefaultMaxFileSize
	}
	return limits.MaxFileSize
}

// each calls do with the numbers below n, in parallel.
func each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	group, ctx := parallel.NewGroup(ctx)
	workers := lookers()
	for w := range workers {
		group.Go(func() error {
			for i := w; i < n; i += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := do(ctx, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}
