package graph

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// References mostly have the name of what they stand for. Aliases are the
// exceptions: pairs of a name and another one under which the same thing may be
// referred to. They come from imports that rename, and from what was seen to be
// resolved. Whoever looks for references of a symbol follows them as far as
// they go.

// importAliases calls f with the pairs of a file's imports.
func importAliases(file *facts.File, f func(name, as string)) {
	for i := range file.Imports {
		m := &file.Imports[i]
		name := m.Name
		if name == "" || name == "*" {
			name = lastName(m.Path)
		}
		if m.Local != "" && m.Local != name && name != "" {
			f(name, m.Local)
		}
	}
}

// lastName is the last part of the path of an import.
func lastName(path string) string {
	path = strings.TrimRight(path, "/.:\\")
	return path[strings.LastIndexAny(path, "/.:\\")+1:]
}

// A pair is two numbers of names.
type pair struct{ name, as uint32 }

func comparePairs(a, b pair) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.as, b.as)) }

// putAliases makes the columns of aliases.
func (g *Graph) putAliases(all []connected) {
	starts := []uint32{0}
	var byFile []pair
	for i := range all {
		byFile = append(byFile, all[i].aliases...)
		starts = append(starts, uint32(len(byFile)))
	}
	g.parts[partAliasStarts], g.parts[partFileAliases] = bytesOf(starts), pairBytes(byFile)
	g.parts[partAliases] = pairBytes(sortedPairs(slices.Clone(byFile)))
}

func sortedPairs(pairs []pair) []pair {
	slices.SortFunc(pairs, comparePairs)
	return slices.Compact(pairs)
}

// aliasesOf calls f with the names that stored aliases give a name.
func (g *Graph) aliasesOf(name string, f func(as string)) {
	n, ok := g.name(name)
	if !ok {
		return
	}
	i := sort.Search(len(g.aliases), func(i int) bool { return g.aliases[i].name >= n })
	for ; i < len(g.aliases) && g.aliases[i].name == n; i++ {
		f(g.str(g.aliases[i].as))
	}
}
