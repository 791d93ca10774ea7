package app

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/remote"
)

// Target is what an index run takes for a command line's argument: a folder
// or the path of a bare repository becomes absolute, a git URL stays as it is, and so does "", which is refused:
// it stands for an unset variable more often than for the current folder.
func Target(arg string) string {
	if arg == "" || remote.IsURL(arg) && strings.Contains(arg, ":") {
		return arg
	}
	abs, err := filepath.Abs(arg)
	if err != nil {
		return arg
	}
	return abs
}

// RepoIDOf is the id that a folder gets when it is indexed without being given one.
func RepoIDOf(ctx context.Context, root string) (models.RepoID, error) {
	return remote.InferID(ctx, root)
}
