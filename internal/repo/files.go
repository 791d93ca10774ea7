// Package repo has the files of a repository, to be read: Files. A Tree reads
// them from its folder. On a machine that does not have that, a StoredTree
// answers alike, from what index runs kept.
//
// What it is made of has packages of its own: disk opens a folder and reads it,
// listing finds what is to be indexed, git runs git, filekind tells the kinds of
// files, relpath has the rules for paths.
package repo

import (
	"context"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/disk"
)

// Files are the files of one repository, to be read: its folder (Tree) or, on
// a machine without that, what index runs kept of it (StoredTree). Both answer
// alike, errors included.
type Files interface {
	// Stat looks at a regular file.
	Stat(ctx context.Context, name string) (disk.Stat, error)
	// Read reads a regular file, at most limit+1 bytes.
	Read(ctx context.Context, name string, limit int64) ([]byte, disk.Stat, error)
	// ReadDir lists a folder, by name.
	ReadDir(ctx context.Context, name string) ([]disk.DirEntry, error)
	// Walk calls yield for each file below a folder, in path order.
	Walk(ctx context.Context, dir string, yield func(disk.Entry) error) error
	// Caveats tell what weakens an answer in which so many credentials show as
	// asterisks; nothing does where it is from a folder.
	Caveats(masked int) []models.Warning
	Close() error
}
