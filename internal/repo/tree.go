package repo

import (
	"context"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
	"github.com/ragnav/ragnav/internal/repo/listing"
)

// A Tree is the Files of a repository's folder.
type Tree struct{ *disk.Folder }

// Open opens the folder root, with the errors of disk.Open.
func Open(ctx context.Context, root string) (Files, error) {
	folder, err := disk.Open(ctx, root)
	if err != nil {
		return nil, err
	}
	return Tree{folder}, nil
}

// Walk implements Files.
func (t Tree) Walk(ctx context.Context, dir string, yield func(disk.Entry) error) error {
	return listing.Walk(ctx, t.Folder, dir, yield)
}

// Caveats implements Files.
func (t Tree) Caveats(int) []models.Warning { return nil }
