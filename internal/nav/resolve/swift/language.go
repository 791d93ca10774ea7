// Package swift finds what names stand for in Swift: members of types and of their
// extensions anywhere, of protocols, and what a module declares.
package swift

import (
	"iter"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Language is Swift.
type Language struct{ resolve.Default }

const languageName = "Swift"

// Bare implements Language: members of the types around, then what modules declare.
func (l Language) Bare(q *resolve.Query, f resolve.FileID, in int, name string) resolve.Found {
	return l.find(q, f, in, name, false)
}

// Type implements Language.
func (l Language) Type(q *resolve.Query, f resolve.FileID, in int, name string) (resolve.Found, bool) {
	return l.find(q, f, in, name, true), true
}

// NamesForeign implements Namer.
func (Language) NamesForeign() {}

// find is Bare, for types only if wanted.
func (l Language) find(q *resolve.Query, f resolve.FileID, in int, name string, types bool) resolve.Found {
	plain, _, called := facts.Labels(name)
	for e := range l.around(q, f, in) {
		if name == facts.This.String() {
			return resolve.Found{Entity: &e, Tier: resolve.TierA}
		}
		if found := l.inside(q, f, e, name, types); len(found.Symbols) > 0 || found.Entity != nil {
			return found
		}
	}
	if list := fitting(q, l.tops(q, f, plain), name, types); len(list) > 0 {
		tier := resolve.TierA
		if l.module(q, list[0].File) != l.module(q, f) {
			tier = resolve.TierB
		}
		return resolve.Found{Symbols: list, Tier: tier}
	}
	if !types && !called {
		if found := l.find(q, f, in, anyCall(name), false); len(found.Symbols) > 0 {
			return found
		}
	}
	if files := l.modules(q).files[plain]; len(files) > 0 && plain == name {
		return resolve.Found{Files: files, Tier: resolve.TierB}
	}
	e := resolve.Entity{Kind: resolve.External}
	if plain != "" && (types || plain[0] >= 'A' && plain[0] <= 'Z') {
		e.Foreign = plain
		if called {
			e.Foreign += "()"
		}
	}
	return resolve.Found{External: true, Entity: &e}
}

// around are the types around a place, the innermost first: of a member of an extension
// what is extended, then what that must be, too.
func (l Language) around(q *resolve.Query, f resolve.FileID, in int) iter.Seq[resolve.Entity] {
	return func(yield func(resolve.Entity) bool) {
		symbols := q.File(f).Symbols
		for i := in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
			s := &symbols[i]
			id := resolve.SymbolID{File: f, Index: int32(i)} //nolint:gosec // an index
			if resolve.IsType(s) && !yield(resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{id}}) {
				return
			}
			if s.Owner == facts.Nothing {
				continue
			}
			if s.Under != facts.Nothing && !resolve.IsType(s) {
				if e := q.Eval(f, -1, s.Under); !yield(e) {
					return
				}
			}
			if owner := l.owners(q, f, s.Owner); len(owner) > 0 {
				if !yield(resolve.Entity{Kind: resolve.TypeName, Symbols: owner}) {
					return
				}
			} else if !yield(foreignSelf(q, f, s)) {
				return
			}
		}
	}
}

// foreignSelf is the type outside of the repository that a member of an extension belongs to.
func foreignSelf(q *resolve.Query, f resolve.FileID, s *facts.Symbol) resolve.Entity {
	name := s.Owner.LastName()
	if slices.Contains(strings.Fields(ofLists), name) && name != "Optional" {
		element := resolve.Entity{Kind: resolve.External}
		if i := slices.Index(s.Params, "Element"); i >= 0 && i < len(s.Bounds) {
			element = q.Eval(f, -1, s.Bounds[i].Value())
			if element.Kind == resolve.Value {
				element.Kind = resolve.TypeName
			}
		}
		return resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{element}}
	}
	return resolve.Entity{Kind: resolve.External, Foreign: name}
}

// inside is what a type around a place has by a name: itself, a member, a type parameter.
func (l Language) inside(q *resolve.Query, f resolve.FileID, e resolve.Entity, name string, types bool) resolve.Found {
	plain, _, called := facts.Labels(name)
	var found resolve.Found
	if len(e.Symbols) == 0 {
		if found = l.ofForeign(q, f, e, name); len(found.Symbols) == 0 && e.Kind == resolve.List {
			found = l.Builtin(q, e, name)
		}
	} else {
		s := q.Symbol(e.Symbols[0])
		if s.Name == plain && (types || called) {
			return resolve.Found{Symbols: e.Symbols, Tier: resolve.TierA}
		}
		if i := slices.Index(s.Params, plain); i >= 0 {
			bound := resolve.Entity{Kind: resolve.External}
			if i < len(s.Bounds) {
				bound = q.Eval(e.Symbols[0].File, int(e.Symbols[0].Index), s.Bounds[i])
			}
			return resolve.Found{Entity: &bound, Tier: resolve.TierA}
		}
		if q.SeeksBase(e.Symbols[0]) {
			found = resolve.Found{Symbols: l.Own(q, e.Symbols[0], name), Tier: resolve.TierC}
		} else {
			found = q.Inherited(e, name)
		}
	}
	found.Symbols = l.seen(q, f, fitting(q, found.Symbols, name, types))
	if len(found.Symbols) > 0 && found.Symbols[0].File == f {
		found.Tier = resolve.TierA
	}
	if types && len(found.Symbols) == 0 {
		found.Entity = nil
	}
	return found
}

// fitting are the declarations that a name may mean: with labels what can be called with
// them, of types only types.
func fitting(q *resolve.Query, list []resolve.SymbolID, name string, types bool) []resolve.SymbolID {
	_, labels, called := facts.Labels(name)
	if !types && !called { // what is read is a function only if there is nothing else
		return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool { return resolve.IsFunction(q.Symbol(id)) })
	}
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool {
		s := q.Symbol(id)
		return types && !resolve.IsType(s) || called && (!accepts(s, labels) || !callable(q, id))
	})
}

// callable reports whether a property may be called: it is not of a type whose values can't be.
func callable(q *resolve.Query, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	if s.Kind != "property" {
		return true
	}
	switch e := q.StandsFor(id, nil); e.Kind {
	case resolve.List, resolve.Map, resolve.Tuple:
		return false
	case resolve.External:
		return !isPlainType(e.Foreign)
	case resolve.Value:
		return len(q.Inherited(e, anyCall("callAsFunction")).Symbols) > 0
	}
	return true
}

// seen are those of some declarations that a file may mean.
func (l Language) seen(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool { return !l.Sees(q, f, id) })
}

// Sees implements Language: what is private is of its file.
func (Language) Sees(q *resolve.Query, from resolve.FileID, id resolve.SymbolID) bool {
	s := q.Symbol(id)
	return from == id.File || s.Exported || s.Name[0] == '_'
}

// tops are the declarations of a name outside of types that a file may mean: its own, those
// of its module, then those of modules that it imports.
func (l Language) tops(q *resolve.Query, f resolve.FileID, name string) []resolve.SymbolID {
	var own, module, imported []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if !isTop(s) || q.File(id.File).Language != languageName || !l.Sees(q, f, id) {
			continue
		}
		switch {
		case id.File == f && !s.Exported:
			own = append(own, id)
		case l.module(q, id.File) == l.module(q, f):
			module = append(module, id)
		case l.imports(q, f, l.module(q, id.File)):
			imported = append(imported, id)
		}
	}
	switch {
	case len(own) > 0:
		return own
	case len(module) > 0:
		return l.near(q, f, module)
	}
	return imported
}

// isTop reports whether a symbol is declared outside of types and functions.
func isTop(s *facts.Symbol) bool {
	return s.Parent < 0 && s.Owner == facts.Nothing && s.Qualified == s.Name
}

// near are those of several declarations that are closest to a file of no target: several
// programs may be beside each other.
func (l Language) near(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	if len(list) < 2 || l.module(q, f) != "" {
		return list
	}
	most := 0
	shared := func(id resolve.SymbolID) int { return resolve.Shared(q.File(id.File).Path, q.File(f).Path) }
	for _, id := range list {
		most = max(most, shared(id))
	}
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool { return shared(id) < most })
}

// Member implements Language: what a module declares.
func (l Language) Member(q *resolve.Query, _ resolve.FileID, files []resolve.FileID, name string) resolve.Found {
	if len(files) == 0 {
		return resolve.Found{External: true}
	}
	plain, _, _ := facts.Labels(name)
	var list []resolve.SymbolID
	for _, id := range q.World().Defs(plain) {
		s := q.Symbol(id)
		if isTop(s) && q.File(id.File).Language == languageName &&
			l.module(q, id.File) == l.module(q, files[0]) {
			list = append(list, id)
		}
	}
	return resolve.Found{Symbols: fitting(q, list, name, false), Tier: resolve.TierB}
}

// Import implements Language: the files of a module.
func (l Language) Import(q *resolve.Query, f resolve.FileID, i int) []resolve.FileID {
	x := &q.File(f).Imports[i]
	if x.Local != "" {
		return nil
	}
	return l.modules(q).files[firstName(x.Path)]
}

// Module implements Language.
func (l Language) Module(q *resolve.Query, f resolve.FileID, i int) resolve.Found {
	return resolve.ModuleOf(l.Import(q, f, i))
}

// Common implements Language: names of the standard library.
func (Language) Common(name string) bool { return common[name] }

var common = resolve.Set(`
append append remove removeAll insert count first last isEmpty map filter forEach reduce sorted contains description
init name value key id rawValue hash encode decode index start end data error result next run print write read close
open get set add update cancel resume suspend wait signal async sync lock unlock wrappedValue projectedValue
allSatisfy compactMap flatMap joined split prefix suffix dropFirst dropLast min max enumerated reversed zip keys values
hasPrefix hasSuffix uppercased lowercased components replacingOccurrences trimmingCharacters bytes self size url path
string type code message request response headers body status some none success failure`)
