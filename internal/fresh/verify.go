package fresh

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// Verify looks again at files that an answer quotes as the manifest has them, and
// returns those that are no longer so, in order: by one look each, and by their
// content where that does not tell. It neither waits for checks nor tells them.
func (m *Manifest) Verify(ctx context.Context, tree *disk.Folder, paths []string) ([]string, error) {
	r, err := newReacher(tree)
	if err != nil {
		return nil, err
	}
	defer r.close()
	k, doubtful := m.known.Load(), map[string]Hash{}
	var stale []string
	for _, p := range paths {
		i := k.find(p)
		if i < 0 || !k.files[i].inBase || k.files[i].unread {
			stale = append(stale, p)
			continue
		}
		f := &k.files[i]
		seen, err := r.look(p)
		switch {
		case err != nil:
			return nil, err
		case seen.kind != regular || seen.size != f.baseSize:
			stale = append(stale, p)
		case f.mark.racy || !f.same || f.mark.sight != seen:
			doubtful[p] = f.base
		}
	}
	more, err := Moved(ctx, tree, doubtful)
	stale = append(stale, more...)
	slices.Sort(stale)
	return slices.Compact(stale), err
}

// Moved returns those of the files whose content has another hash now, or that
// can't be read, in order. It is how answers from files that were read a moment
// ago are verified.
func Moved(ctx context.Context, tree *disk.Folder, want map[string]Hash) ([]string, error) {
	var moved []string
	for p, hash := range want {
		_, now, err := read(ctx, tree, p, listing.Limits{MaxFileSize: maxVerified})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || now != hash {
			moved = append(moved, p)
		}
	}
	slices.Sort(moved)
	return moved, nil
}

// maxVerified is above every limit of files that are listed.
const maxVerified = 1 << 30
