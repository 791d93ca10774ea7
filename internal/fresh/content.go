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
