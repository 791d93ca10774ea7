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
		"object", "concept", "impl":
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

// Constructs reports whether a symbol is a constructor in a language that calls
// it like its type.
func (q *Query) Constructs(id SymbolID) bool {
	s := q.Symbol(id)
	switch {
	case !IsFunction(s) || s.Kind == "macro":
		return false
	case s.Owner != facts.Nothing:
		return s.Owner.LastName() == s.Name
	case s.Parent < 0:
		return false
	}
	up := &q.File(id.File).Symbols[s.Parent]
	return IsType(up) && up.Name == s.Name
}

// StandsFor is what a symbol stands for as a member of recv, or nil.
func (q *Query) StandsFor(id SymbolID, recv *Entity) Entity {
	s := q.Symbol(id)
	if IsFunction(s) {
		if s.Type != facts.Nothing {
			if e := q.LanguageOf(id.File).Decorated(q, id); e.Kind == Value {
				return e
			}
		}
		return Entity{Kind: Function, Symbols: []SymbolID{id}, Recv: recv}
	}
	if IsType(s) && (s.Type == facts.Nothing || len(s.Params) > 0) {
		return Entity{Kind: TypeName, Symbols: []SymbolID{id}}
	}
	if recv == nil || len(recv.Args) == 0 {
		return q.remembered(
			func() (entry, bool) { return q.r.memo.load(id) },
			func(e entry) { q.r.memo.save(id, e) },
			func() Entity { return q.typeOf(id, nil) })
	}
	return q.typeOf(id, q.bindings(id, recv, nil))
}

// typeOf evaluates the Type of a symbol.
func (q *Query) typeOf(id SymbolID, bind []binding) Entity {
	s := q.Symbol(id)
	if s.Type == facts.Nothing || !q.Enter(id, "") {
		return Entity{}
	}
	defer q.Leave(id, "")
	return q.eval(scope{id.File, int(id.Index), bind}, s.Type)
}

// bindings are the type parameters that hold in a member: those of the type
// that it belongs to by recv, its own by args.
func (q *Query) bindings(id SymbolID, recv *Entity, args []Entity) []binding {
	s := q.Symbol(id)
	var out []binding
	if recv != nil && len(recv.Args) > 0 {
		out = bind(out, q.ownerParams(id), recv.Args)
	}
	if s.Owner == facts.Nothing {
		out = bind(out, s.Params, args)
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
func (q *Query) ownerParams(id SymbolID) []string {
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
	return nil
}

// parameter finds a type parameter: what it is bound to, else its bound.
func (q *Query) parameter(s scope, name string) (Entity, bool) {
	for _, b := range s.bind {
		if b.name == name {
			return b.entity, true
		}
	}
	symbols := q.File(s.file).Symbols
	for i := s.in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		for n, p := range symbols[i].Params {
			if p == name {
				return q.bound(SymbolID{s.file, int32(i)}, n), true
			}
		}
	}
	return Entity{}, false
}

// bound is what the n-th parameter of a symbol is known to be, as a type.
func (q *Query) bound(id SymbolID, n int) Entity {
	s := q.Symbol(id)
	if n < len(s.Bounds) && s.Bounds[n] != facts.Nothing {
		if !q.Enter(id, "<"+s.Params[n]) {
			return Entity{}
		}
		defer q.Leave(id, "<"+s.Params[n])
		return q.bounded(id, s.Params[n], s.Bounds[n])
	}
	if s.Owner != facts.Nothing && len(s.Bounds) == 0 {
		for p, name := range q.ownerParams(id) {
			if name != s.Params[n] {
				continue
			}
			if t := q.OwnerOf(id); t.Kind == TypeName && p < len(q.Symbol(t.Symbols[0]).Params) && t.Symbols[0] != id {
				return q.bound(t.Symbols[0], p)
			}
		}
	}
	return Entity{Kind: External}
}

// maxBound is how often a bound that speaks of its own parameter, as in
// "T Comparable<T>", is put into itself.
const maxBound = 4

func (q *Query) bounded(id SymbolID, name string, bound facts.Expr) Entity {
	at := scope{file: id.File, in: int(id.Index)}
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

// OwnerOf is the type that a member belongs to.
func (q *Query) OwnerOf(id SymbolID) Entity {
	s := q.Symbol(id)
	if s.Owner == facts.Nothing {
		if s.Parent < 0 {
			return Entity{}
		}
		return Entity{Kind: TypeName, Symbols: []SymbolID{{id.File, int32(s.Parent)}}}
	}
	if !q.Enter(id, "owner") {
		return Entity{}
	}
	defer q.Leave(id, "owner")
	return q.eval(scope{file: id.File, in: s.Parent}, s.Owner.Base())
}

// under is what a type is defined by, or an alias with parameters stands for.
func (q *Query) under(e Entity) Entity {
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
		out = Merge(out, q.eval(scope{id.File, int(id.Index), bind(nil, s.Params, e.Args)}, by))
		q.Leave(id, "under")
	}
	return out
}

// underlying is what a type is defined by in the end.
func (q *Query) underlying(e Entity) Entity {
	for range 8 {
		if e.Kind != Value && e.Kind != TypeName {
			return e
		}
		e = q.under(e)
	}
	return Entity{}
}
