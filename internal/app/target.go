package app

import (
	"path/filepath"

	"github.com/ragnav/ragnav/internal/repo"
)

// Target is what an index run takes for a command line's argument: a folder
// becomes absolute, a git URL stays as it is.
func Target(arg string) string {
	if repo.IsURL(arg) {
		return arg
	}
	abs, err := filepath.Abs(arg)
	if err != nil {
		return arg
	}
	return abs
}
