package scala

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Lacking implements Language: what packages have, what classes have that they do not declare,
// and extension methods.
func (Language) Lacking(q *resolve.Query, from resolve.FileID, e resolve.Entity, name string) resolve.Found {
	plain, types, isExtracted := facts.Plain(name)
	if pkg := packageNamed(e); pkg != "" {
		return inPackage(q, from, pkg, plain, types)
	}
	if types {
		return resolve.Found{}
	}
	if e.Kind == resolve.Function { // called without brackets
		for _, id := range e.Symbols {
			if s := q.Symbol(id); s.Signature != "()" && s.Signature != facts.Parameterless {
				return resolve.Found{}
			}
		}
		return q.Member(from, q.Call(from, e, 0), name)
	}
	if found := made(q, e, plain, isExtracted); !found.None() {
		return found
	}
	if isExtracted {
		return resolve.Found{External: true}
	}
	return extension(q, e, plain)
}

// made is what the compiler makes of a class: apply, copy, and what a pattern takes apart.
func made(q *resolve.Query, e resolve.Entity, name string, isExtracted bool) resolve.Found {
	if len(e.Symbols) == 0 {
		return resolve.Found{}
	}
	id := e.Symbols[0]
	class := id
	if q.Symbol(id).Kind == "object" {
		if other, ok := companion(q, id); ok {
			class = other
		}
	}
	of := resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{class}, Args: e.Args}
	switch {
	case e.Kind == resolve.TypeName && isExtracted && name == "unapply":
		return parts(q, id, class, of)
	case e.Kind == resolve.TypeName && (name == "apply" || name == "new") && q.Symbol(class).Kind == "class":
		return resolve.Gives(of)
	case e.Kind == resolve.Value && name == "copy" && q.Symbol(id).Shape == facts.CaseClass:
		return resolve.Gives(of)
	case e.Kind == resolve.TypeName && name == "values" && q.Symbol(class).Kind == "enum":
		list := resolve.Entity{Kind: resolve.List, Args: []resolve.Entity{of}}
		return resolve.Found{External: true, Entity: &list}
	case e.Kind == resolve.TypeName && name == "valueOf" && q.Symbol(class).Kind == "enum":
		return resolve.Gives(of)
	}
	return resolve.Found{}
}

// parts are what a pattern takes a value apart into: by the unapply of an object, or the parameters of
// a case class.
func parts(q *resolve.Query, object, class resolve.SymbolID, of resolve.Entity) resolve.Found {
	if q.Symbol(object).Kind == "object" && len(ownedBy(q, "unapply")[object]) > 0 {
		e := q.Entity(object.File, resolve.Found{Symbols: ownedBy(q, "unapply")[object]})
		result := q.Call(object.File, e, 0)
		if result.Kind == resolve.List {
			result = resolve.Instance(result.Arg(0))
		}
		if result.Kind != resolve.Tuple {
			result = resolve.Entity{Kind: resolve.Tuple, Args: []resolve.Entity{result}}
		}
		return resolve.Found{External: true, Entity: &result}
	}
	if q.Symbol(class).Shape != facts.CaseClass && q.Symbol(class).Kind != "const" {
		return resolve.Found{}
	}
	tuple := resolve.Entity{Kind: resolve.Tuple}
	for i := range q.Symbol(class).Args {
		tuple.Args = append(tuple.Args, resolve.ParameterIn(q, class, of, i))
	}
	return resolve.Found{External: true, Entity: &tuple}
}

// Operate implements Language: calling a value is its apply; what a for expression draws from it is
// what its map or foreach gives to a function.
func (Language) Operate(q *resolve.Query, f resolve.FileID, e resolve.Entity, op string) resolve.Entity {
	switch {
	case op == "()":
		if found := q.Inherited(e, "apply"); len(found.Symbols) > 0 {
			return q.Call(f, q.Entity(f, found), 0)
		}
	case op == "[]":
		for _, name := range []string{"map", "flatMap", "foreach"} {
			found := q.Inherited(e, name)
			for _, id := range found.Symbols {
				recv := resolve.Entity{Kind: resolve.TypeName, Symbols: e.Symbols, Args: e.Args}
				if found.Recv != nil {
					recv = *found.Recv
				}
				given := resolve.ParameterIn(q, id, recv, 0)
				if last := given.Arg(len(given.Args) - 1); given.Kind == resolve.Func && last.Kind == resolve.Tuple {
					return resolve.Instance(last.Arg(0))
				}
			}
		}
	case strings.HasPrefix(op, ":") && len(e.Symbols) > 0:
		if n, err := strconv.Atoi(op[1:]); err == nil {
			class := e.Symbols[0]
			if q.Symbol(class).Kind == "object" {
				other, ok := companion(q, class)
				if !ok {
					return resolve.Entity{}
				}
				class = other
			}
			of := resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{class}, Args: e.Args}
			return resolve.ParameterIn(q, class, of, n)
		}
	}
	return resolve.Entity{}
}

// extension is the one extension method of a name, or member of an implicit class, that is of what e is.
func extension(q *resolve.Query, e resolve.Entity, name string) resolve.Found {
	var list []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		if q.File(id.File).Language != languageName {
			continue
		}
		s := q.Symbol(id)
		of, at := s, id
		if s.Shape != facts.ExtensionMethod {
			if s.Parent < 0 {
				continue
			}
			at = resolve.SymbolID{File: id.File, Index: int32(s.Parent)} //nolint:gosec // an index
			if of = q.Symbol(at); of.Shape != facts.ImplicitClass {
				continue
			}
		}
		if of.Under.Known() && isOf(q, e, at, of) {
			list = append(list, id)
		}
	}
	if len(list) > 0 {
		return resolve.Found{Symbols: list, Tier: resolve.TierC, Recv: &e}
	}
	if e.Kind == resolve.Unknown || (Language{}).Common(name) {
		return resolve.Found{}
	}
	return ofAny(q, name)
}

// ofAny is the one extension method of a name that is of whatever there is.
func ofAny(q *resolve.Query, name string) resolve.Found {
	var list []resolve.SymbolID
	for _, id := range q.World().Defs(name) {
		s := q.Symbol(id)
		if q.File(id.File).Language != languageName {
			continue
		}
		if s.Shape != facts.ExtensionMethod && s.Parent >= 0 {
			s = &q.File(id.File).Symbols[s.Parent]
		}
		if n := s.Under.Node(); n.Op != facts.OpName || !slices.Contains(s.Params, n.Name) {
			return resolve.Found{}
		}
		list = append(list, id)
	}
	return resolve.Found{Symbols: list, Tier: resolve.TierD}
}

// isOf reports whether a value is of the type that an extension is of.
func isOf(q *resolve.Query, e resolve.Entity, at resolve.SymbolID, of *facts.Symbol) bool {
	if n := of.Under.Node(); n.Op == facts.OpName && slices.Contains(of.Params, n.Name) {
		return false
	}
	t := q.Eval(at.File, int(at.Index), of.Under.Value())
	switch {
	case t.Kind == resolve.Union:
		return e.Kind == resolve.Value && slices.ContainsFunc(t.Args, func(a resolve.Entity) bool {
			return a.Kind == resolve.Value && isA(q, e, a)
		})
	case t.Kind == resolve.Value && e.Kind == resolve.Value:
		return isA(q, e, t)
	case t.Kind == resolve.List:
		return e.Kind == resolve.List
	case t.Kind == resolve.Map:
		return e.Kind == resolve.Map
	case t.Kind == resolve.External && e.Kind == resolve.External:
		return t.Foreign != "" && t.Foreign == e.Foreign
	}
	return false
}
