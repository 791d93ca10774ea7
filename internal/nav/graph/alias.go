package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// References mostly have the name of what they stand for. Aliases are the
// exceptions: pairs of a name and another one under which the same thing may be
// referred to. They come from imports that rename, and from what was seen to be
// resolved. Whoever looks for references of a symbol follows them as far as
// they go.

// ImportAliases calls f with the pairs of a file's imports.
func ImportAliases(file *facts.File, f func(name, as string)) {
	for i := range file.Imports {
		m := &file.Imports[i]
		name := m.Name
		if name == "" || name == "*" {
			name = LastName(m.Path)
		}
		if m.Local != "" && m.Local != name && name != "" {
			f(name, m.Local)
		}
		if m.Local == "export=" && name != "" {
			f(name, moduleName(file.Path)) // others name the file, and what they require it as
		}
	}
}

// moduleName is the last part of the path by which others require a file.
func moduleName(p string) string {
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if name == "index" {
		return path.Base(path.Dir(p))
	}
	return name
}

// LastName is the last part of the path of an import.
func LastName(path string) string {
	path = strings.TrimRight(path, "/.:\\")
	return path[strings.LastIndexAny(path, "/.:\\")+1:]
}

// A pair is two numbers of names.
type pair struct{ name, as uint32 }

func comparePairs(a, b pair) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.as, b.as)) }

func sortedPairs(pairs []pair) []pair {
	slices.SortFunc(pairs, comparePairs)
	return slices.Compact(pairs)
}
