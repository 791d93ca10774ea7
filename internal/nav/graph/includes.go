package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Includers are the languages whose files include others.
var Includers = []string{"C", "C++"}

// readIncludes are the files of a graph that include something, by its path.
func (x *Facts) readIncludes() map[string][]resolve.FileID {
	all := map[string][]resolve.FileID{}
	for _, language := range Includers {
		for _, f := range x.tree.OfLanguage(language) {
			EachInclude(&x.DeclaredNow(f).File, func(p string) {
				if list := all[p]; len(list) == 0 || list[len(list)-1] != f {
					all[p] = append(list, f)
				}
			})
		}
	}
	return all
}

// EachInclude calls f with the paths that a file includes and that do not begin
// at its own folder.
func EachInclude(file *facts.File, f func(p string)) {
	for i := range file.Imports {
		x := &file.Imports[i]
		standard := !strings.Contains(x.Path, "/") && resolve.IsStandardHeader(x.Path)
		if slices.Contains(Includers, file.Language) && x.Export && // no namespace that is used
			x.Path != "" && !standard && x.Path == path.Clean(x.Path) &&
			!strings.HasPrefix(x.Path, ".") && !strings.HasPrefix(x.Path, "/") {
			f(x.Path)
		}
	}
}

// Includes are the files of C and C++ of the graph that include something, by its
// path.
func (x *Facts) Includes() map[string][]resolve.FileID { return x.includes() }
