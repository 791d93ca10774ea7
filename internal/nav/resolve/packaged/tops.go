package packaged

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// types are the top types of a package by name, and what else it has where
// packages do.
func (l packagedLanguage) types(q *resolve.Query, pkg, name string) []resolve.SymbolID {
	var out []resolve.SymbolID
	for _, id := range l.tops(q, pkg, name) {
		if q.Symbol(id).Owner == facts.Nothing {
			out = append(out, id)
		}
	}
	return out
}

// tops are these and functions that are declared for types of elsewhere, which
// are imported by their names.
func (l packagedLanguage) tops(q *resolve.Query, pkg, name string) []resolve.SymbolID {
	all := q.World().Defs(name)
	if len(all) > fewDefs {
		return resolve.Once(q, topsKey{l.Name, name}, func() byPackage { return putByPackage(l, q, all) })[pkg]
	}
	var out []resolve.SymbolID
	for _, id := range all {
		if isTop(l, q, id) && q.File(id.File).Package == pkg {
			out = append(out, id)
		}
	}
	return out
}

// fewDefs are so few symbols of a name that they are gone through each time. More are put by
// their packages, once: a name is asked for in each package that a file imports as a whole.
const fewDefs = 8

type (
	topsKey   struct{ language, name string }
	byPackage = map[string][]resolve.SymbolID
)

// putByPackage puts those of some symbols that are tops of packages by these.
func putByPackage(l packagedLanguage, q *resolve.Query, all []resolve.SymbolID) byPackage {
	by := byPackage{}
	for _, id := range all {
		if isTop(l, q, id) {
			pkg := q.File(id.File).Package
			by[pkg] = append(by[pkg], id)
		}
	}
	for pkg, tops := range by {
		by[pkg] = slices.Clip(tops) // for all who ask
	}
	return by
}

// languagesOf are the languages whose types the files of a language name like their own: Java and Kotlin are compiled
// together.
func languagesOf(language string) []string {
	switch language {
	case "Java":
		return []string{"Java", "Kotlin"}
	case "Kotlin":
		return []string{"Kotlin", "Java"}
	}
	return []string{language}
}

// isTop reports whether a symbol is what tops may have, of some package.
func isTop(l packagedLanguage, q *resolve.Query, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	switch language := q.File(id.File).Language; {
	case s.Parent >= 0:
		return false
	case language != l.Name:
		return resolve.IsType(s) && slices.Contains(languagesOf(l.Name), language)
	}
	return resolve.IsType(s) || l.members
}
