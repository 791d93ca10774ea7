package usage

import (
	"errors"
	"path/filepath"
)

// Module is what arguments name: the folder of a module of Go, and the patterns
// of its packages, all of them where none is named.
func Module(args []string) (dir string, patterns []string, err error) {
	if len(args) == 0 {
		return "", nil, errors.New("name the folder of a module")
	}
	if patterns = args[1:]; len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	dir, err = filepath.Abs(args[0])
	return dir, patterns, err
}
