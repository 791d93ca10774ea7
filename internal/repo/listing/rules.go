package listing

import (
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// The names of ignore files. Each kind of rules decides on its own: one that
// excludes is enough.
const (
	gitRules    = ".gitignore"
	ragnavRules = ".ragnavignore"
)

var bothRules = []string{gitRules, ragnavRules}

// NeverListed reports whether List has no files of that name, nor in a folder of
// that name: version control's and our own, and what is not text.
func NeverListed(name string) bool { return relpath.Hidden(name) || relpath.Odd(name) != "" }

// HoldsRules reports whether a file of that path is an ignore file, which
// decides about other files.
func HoldsRules(p string) bool { return slices.Contains(bothRules, path.Base(p)) }
