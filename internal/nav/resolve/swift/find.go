package swift

import (
	"iter"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// find is Bare, for types only if wanted.
func find(q *resolve.Query, f resolve.FileID, in int, name string, types bool) resolve.Found {
	plain, _, called := facts.Labels(name)
	for e := range typesAround(q, f, in) {
		if name == facts.This.String() {
			return resolve.Found{Entity: &e, Tier: resolve.TierA}
		}
		if found := insideType(q, f, e, name, types); len(found.Symbols) > 0 || found.Entity != nil {
			return found
		}
	}
	if list := fitting(q, topsOf(q, f, plain), name, types); len(list) > 0 {
		tier := resolve.TierA
		if moduleOf(q, list[0].File) != moduleOf(q, f) {
			tier = resolve.TierB
		}
		return resolve.Found{Symbols: list, Tier: tier}
	}
	if !types && !called {
		if found := find(q, f, in, anyCall(name), false); len(found.Symbols) > 0 {
			return found
		}
	}
	if files := modulesOf(q).files[plain]; len(files) > 0 && plain == name {
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

// typesAround are the types around a place, the innermost first: of a member of an extension
// what is extended, then what that must be, too.
func typesAround(q *resolve.Query, f resolve.FileID, in int) iter.Seq[resolve.Entity] {
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
			if owner := ownersOf(q, f, s.Owner); len(owner) > 0 {
				e := resolve.Entity{Kind: resolve.TypeName, Symbols: owner, Args: argumentsOf(q, f, s, owner[0])}
				if !yield(e) {
					return
				}
			} else if !yield(foreignSelf(q, f, s)) {
				return
			}
		}
	}
}

// argumentsOf are the type arguments of a type that an extension says by its constraints, of which a
// symbol is a member.
func argumentsOf(q *resolve.Query, f resolve.FileID, s *facts.Symbol, owner resolve.SymbolID) (args []resolve.Entity) {
	if len(s.Params) == 0 {
		return nil
	}
	for _, name := range q.Symbol(owner).Params {
		arg := resolve.Entity{}
		if i := slices.Index(s.Params, name); i >= 0 && i < len(s.Bounds) {
			arg = q.Eval(f, -1, s.Bounds[i])
		}
		args = append(args, arg)
	}
	return args
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

// insideType is what a type around a place has by a name: itself, a member, a type parameter.
func insideType(q *resolve.Query, f resolve.FileID, e resolve.Entity, name string, types bool) resolve.Found {
	plain, _, called := facts.Labels(name)
	var found resolve.Found
	if len(e.Symbols) == 0 {
		if found = ofForeign(q, f, e, name); len(found.Symbols) == 0 && e.Kind == resolve.List {
			found = (Language{}).Builtin(q, e, name)
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
			found = resolve.Found{Symbols: (Language{}).Own(q, e.Symbols[0], name), Tier: resolve.TierC}
		} else {
			found = q.Inherited(e, name)
		}
	}
	found.Symbols = seenFrom(q, f, fitting(q, found.Symbols, name, types))
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
		return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool {
			return resolve.IsFunction(q.Symbol(id))
		})
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

// seenFrom are those of some declarations that a file may mean.
func seenFrom(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	return slices.DeleteFunc(slices.Clone(list), func(id resolve.SymbolID) bool { return !(Language{}).Sees(q, f, id) })
}

// topsOf are the declarations of a name outside of types that a file may mean: its own, those
// of its module, then those of modules that it imports.
func topsOf(q *resolve.Query, f resolve.FileID, name string) []resolve.SymbolID {
	var own, module, imported []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if !isTop(s) || q.File(id.File).Language != languageName || !(Language{}).Sees(q, f, id) {
			continue
		}
		switch {
		case id.File == f && !s.Exported:
			own = append(own, id)
		case moduleOf(q, id.File) == moduleOf(q, f):
			module = append(module, id)
		case importsModule(q, f, moduleOf(q, id.File)):
			imported = append(imported, id)
		}
	}
	switch {
	case len(own) > 0:
		return own
	case len(module) > 0:
		return nearest(q, f, module)
	}
	return imported
}

// isTop reports whether a symbol is declared outside of types and functions.
func isTop(s *facts.Symbol) bool {
	return s.Parent < 0 && s.Owner == facts.Nothing && s.Qualified == s.Name
}

// nearest are those of several declarations that are closest to a file of no target: several
// programs may be beside each other.
func nearest(q *resolve.Query, f resolve.FileID, list []resolve.SymbolID) []resolve.SymbolID {
	if len(list) < 2 || moduleOf(q, f) != "" {
		return list
	}
	return resolve.Nearest(q, f, list)
}
