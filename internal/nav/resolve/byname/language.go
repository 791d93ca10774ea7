// Package byname compares names, for languages of which no more is known than
// declarations and where names are used.
package byname

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Language compares names, for languages of which no more is known than
// declarations and where names are used.
type Language struct {
	resolve.Default

	Name string
}

// Of is such a language.
func Of(language string) Language { return Language{Name: language} }

// Bare implements Language: members of the types around, the file, its folder
// and package, then all files of the language.
func (l Language) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	if found := l.around(q, f, in, name); len(found.Symbols) > 0 {
		return found
	}
	var own, near, far []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		file := q.File(id.File)
		s := q.Symbol(id)
		switch {
		case file.Language != l.Name || s.Parent >= 0 && !resolve.IsType(s):
		case id.File == f:
			own = append(own, id)
		case file.Package != "" && file.Package == q.File(f).Package ||
			resolve.FolderOf(file.Path) == resolve.FolderOf(q.File(f).Path):
			near = append(near, id)
		default:
			far = append(far, id)
		}
	}
	switch {
	case len(own) > 0:
		return resolve.Found{Symbols: own, Tier: resolve.TierA}
	case len(near) == 1 && len(far) == 0 || len(near) == 0 && len(far) == 1:
		return resolve.Found{Symbols: append(near, far...), Tier: resolve.TierD}
	case len(near) == 1:
		return resolve.Found{Symbols: near, Tier: resolve.TierE}
	case len(near)+len(far) <= resolve.MaxTargets:
		return resolve.Found{Symbols: append(near, far...), Tier: resolve.TierF}
	}
	return resolve.Found{}
}

// around finds a member of the types around a symbol, the innermost first. Constructors are
// known by the names of their types.
func (l Language) around(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	symbols := q.File(f).Symbols
	for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		if !resolve.IsType(&symbols[i]) {
			continue
		}
		id := resolve.SymbolID{File: f, Index: int32(i)} //nolint:gosec // an index
		if q.SeeksBase(id) {
			continue // looking in all bases of a type for each of them costs their factorial
		}
		found := q.Inherited(resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{id}}, name)
		found.Symbols = slices.DeleteFunc(slices.Clone(found.Symbols), func(m resolve.SymbolID) bool {
			parent := q.Symbol(m).Parent
			return parent >= 0 && q.File(m.File).Symbols[parent].Name == name
		})
		if len(found.Symbols) > 0 {
			return found
		}
	}
	return resolve.Found{}
}

// Member implements Language. There are no modules.
func (Language) Member(*resolve.Query, resolve.FileID, []resolve.FileID, string) resolve.Found {
	return resolve.Found{}
}

// Import implements Language. What an import means is not known.
func (Language) Import(*resolve.Query, resolve.FileID, int) []resolve.FileID { return nil }

// Module implements Language.
func (Language) Module(*resolve.Query, resolve.FileID, int) resolve.Found {
	return resolve.Found{External: true}
}

var genericCommon = resolve.Set(`
new get set add put remove size length count each map select filter push pop first last to_s to_i inspect print
puts println format toString equals hashCode contains isEmpty name value key id call run close open read write
start stop init initialize ToString Equals GetHashCode Add Remove Count Select Where ToList append insert delete
find index keys values update create save build require include log info error debug warn`)

// Common implements Language.
func (Language) Common(name string) bool { return genericCommon[name] }
