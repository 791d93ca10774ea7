package repo

import (
	"context"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// Files are the files of one repository, to be read: its folder (Tree) or, on
// a machine without that, what index runs kept of it (StoredTree). Both answer
// alike, errors included.
type Files interface {
	// Stat looks at a regular file.
	Stat(ctx context.Context, name string) (Stat, error)
	// Read reads a regular file, at most limit+1 bytes.
	Read(ctx context.Context, name string, limit int64) ([]byte, Stat, error)
	// ReadDir lists a folder, by name.
	ReadDir(ctx context.Context, name string) ([]DirEntry, error)
	// Walk calls yield for each file below a folder, in path order.
	Walk(ctx context.Context, dir string, yield func(Entry) error) error
	// Caveats tell what weakens an answer in which so many credentials show as
	// asterisks; nothing does where it is from a folder.
	Caveats(masked int) []models.Warning
	Close() error
}

// Caveats implements Files.
func (t *Tree) Caveats(int) []models.Warning { return nil }
