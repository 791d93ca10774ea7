package resolve

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
)

// What is neither a type nor a function is a variable, constant, property or
// field.

// IsType reports whether a symbol is a type, by its kind.
func IsType(s *facts.Symbol) bool {
	switch s.Kind {
	case "class", "struct", "interface", "enum", "trait", "type", "union", "record", "annotation", "typedef", "protocol",
		"object", "concept", "impl", "contract", "message", "service", "extension":
		return true
	}
	return false
}

// IsFunction reports whether a symbol can be called, by its kind.
func IsFunction(s *facts.Symbol) bool {
	switch s.Kind {
	case "func", "function", "method", "constructor", "macro":
		return true
	}
	return false
}

// typeOf evaluates the Type of a symbol.
func typeOf(q *Query, id SymbolID, bind []binding) Entity {
	s := q.Symbol(id)
	if s.Type == facts.Nothing || !q.Enter(id, "") {
		return Entity{}
	}
	defer q.Leave(id, "")
	at := scope{id.File, int(id.Index), bind, true, false}
	if IsType(s) {
		at = at.declared(q)
	}
	return q.eval(at, s.Type)
}

// bindings are the type parameters that hold in a member: those of the type
// that it belongs to by recv, its own by args.
func bindings(q *Query, id SymbolID, recv *Entity, args []Entity) []binding {
	s := q.Symbol(id)
	var out []binding
	if recv != nil && len(recv.Args) > 0 {
		out = bind(out, ownerParams(q, id), recv.Args)
	}
	_, labelled := q.LanguageOf(id.File).(Labeller)
	if s.Owner == facts.Nothing || labelled || q.File(id.File).Language == "Kotlin" {
		out = bind(out, s.Params, args)
	}
	if recv != nil && recv.This != nil {
		out = append(out, binding{facts.This.String(), *recv.This})
	} else if len(out) > 0 && recv != nil && hasThis(q, id.File) {
		out = append(out, binding{facts.This.String(), *recv})
	}
	return out
}

func bind(to []binding, names []string, args []Entity) []binding {
	for i, name := range names {
		if i < len(args) && args[i].Kind != Unknown {
			to = append(to, binding{name, args[i]})
		}
	}
	return to
}

// ownerParams are the names that the parameters of the type which a member
// belongs to have in the member.
func ownerParams(q *Query, id SymbolID) []string {
	s := q.Symbol(id)
	if n := s.Owner.Node(); n.Op == facts.OpGeneric {
		var names []string
		for _, p := range n.Parts() {
			names = append(names, p.LastName())
		}
		return names
	}
	if s.Owner == facts.Nothing && s.Parent >= 0 {
		return q.File(id.File).Symbols[s.Parent].Params
	}
	if _, ok := q.LanguageOf(id.File).(Labeller); ok && s.Owner != facts.Nothing {
		if owner := q.OwnerOf(id); len(owner.Symbols) > 0 {
			return q.Symbol(owner.Symbols[0]).Params
		}
	}
	return nil
}

// parameter finds a type parameter: what it is bound to, else its bound.
func parameter(q *Query, s scope, name string) (Entity, bool) {
	for _, b := range s.bind {
		if b.name == name {
			return b.entity, true
		}
	}
	if name == facts.This.String() && hasThis(q, s.file) {
		e := thisOf(q, s)
		return e, e.Kind != Unknown
	}
	symbols := q.File(s.file).Symbols
	for i := s.in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		for n, p := range symbols[i].Params {
			if p == name {
				return bound(q, s, SymbolID{s.file, int32(i)}, n), true
			}
		}
	}
	return Entity{}, false
}

// bound is what the n-th parameter of a symbol is known to be, as a type.
func bound(q *Query, at scope, id SymbolID, n int) Entity {
	s := q.Symbol(id)
	if n < len(s.Bounds) && s.Bounds[n] != facts.Nothing {
		if !q.Enter(id, "<"+s.Params[n]) {
			return Entity{}
		}
		defer q.Leave(id, "<"+s.Params[n])
		if node := s.Bounds[n].Node(); node.Op == facts.OpDefault {
			return defaulted(q, at, id, n, node.Parts())
		}
		return bounded(q, at, id, n, s.Bounds[n])
	}
	if s.Owner != facts.Nothing && len(s.Bounds) == 0 {
		for p, name := range ownerParams(q, id) {
			if name != s.Params[n] {
				continue
			}
			if t := q.OwnerOf(id); t.Kind == TypeName && p < len(q.Symbol(t.Symbols[0]).Params) && t.Symbols[0] != id {
				return bound(q, at, t.Symbols[0], p)
			}
		}
	}
	if q.File(id.File).Language == "Python" { // what the TypeVar of that name is made with says
		if found := q.Bare(id.File, -1, s.Params[n]); len(found.Symbols) > 0 {
			return q.Entity(id.File, found)
		}
	}
	return Entity{Kind: External}
}

// defaulted is what the n-th parameter of a symbol is known to be that has a default.
func defaulted(q *Query, at scope, id SymbolID, n int, parts []facts.Expr) Entity {
	if at.outside {
		given := q.eval(scope{id.File, int(id.Index), at.bind, true, false}.declared(q), parts[1])
		if given.Kind != Unknown && given.Kind != External {
			return given
		}
	}
	return bounded(q, scope{}, id, n, parts[0])
}

// maxBound is how often a bound that speaks of its own parameter, as in
// "T Comparable<T>", is put into itself.
const maxBound = 4

func bounded(q *Query, from scope, id SymbolID, n int, bound facts.Expr) Entity {
	at := scope{file: id.File, in: int(id.Index)}.declared(q)
	if from.outside { // other parameters are known
		at.bind, at.outside = from.bind, true
	}
	name := q.Symbol(id).Params[n]
	if !bound.Mentions(name) {
		return q.eval(at, bound)
	}
	var e Entity
	for range maxBound {
		at.bind = []binding{{name, e}}
		e = q.eval(at, bound)
	}
	return e
}

// under is what a type is defined by, or an alias with parameters stands for.
func under(q *Query, e Entity) Entity {
	if e.Kind != Value && e.Kind != TypeName {
		return Entity{}
	}
	var out Entity
	for _, id := range e.Symbols {
		s := q.Symbol(id)
		by := s.Under
		if IsType(s) && by == facts.Nothing {
			by = s.Type
		}
		if by == facts.Nothing || !q.Enter(id, "under") {
			continue
		}
		at := scope{id.File, int(id.Index), bind(nil, s.Params, e.Args), true, false}
		if IsType(s) {
			at = at.declared(q)
		}
		out = Merge(out, q.eval(at, by))
		q.Leave(id, "under")
	}
	return out
}
