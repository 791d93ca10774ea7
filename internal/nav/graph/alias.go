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

// aliasColumn makes partAliases of pairs.
func aliasColumn(seen map[pair]bool) []byte {
	pairs := make([]pair, 0, len(seen))
	for p := range seen {
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.as, b.as)) })
	words := make([]uint32, 0, 2*len(pairs))
	for _, p := range pairs {
		words = append(words, p.name, p.as)
	}
	return bytesOf(words)
}

// aliasesOf calls f with the names that stored aliases give a name.
func (g *Graph) aliasesOf(name string, f func(as string)) {
	n, ok := g.name(name)
	if !ok {
		return
	}
	i := sort.Search(len(g.aliases)/2, func(i int) bool { return g.aliases[2*i] >= n })
	for ; i < len(g.aliases)/2 && g.aliases[2*i] == n; i++ {
		f(g.str(g.aliases[2*i+1]))
	}
}
