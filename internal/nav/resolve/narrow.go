package resolve

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// narrowed is what of a union has one of some values for a member, or none of
// them: parts are the union, the name of the member, the values. Whatever is
// not known to be otherwise stays.
func narrowed(q *Query, s scope, parts []facts.Expr, only bool) Entity {
	if len(parts) == 0 {
		return Entity{}
	}
	e := q.eval(s.declared(q), parts[0])
	var wanted []value
	for _, part := range parts[min(len(parts), 2):] {
		v, ok := valueOf(q, s, part)
		if !ok {
			return e
		}
		wanted = append(wanted, v)
	}
	all := alternativesOf(q, e, 0)
	var kept []Entity
	for _, a := range all {
		has, known := valuesOf(q, s, a, parts[1].String())
		if !known || slices.ContainsFunc(has, func(v value) bool { return slices.Contains(wanted, v) == only }) {
			kept = append(kept, a)
		}
	}
	return remaining(e, all, kept)
}

// remaining is what is left of a union, or all of it if nothing is.
func remaining(e Entity, all, kept []Entity) Entity {
	switch len(kept) {
	case 0, len(all):
		return e
	case 1:
		return kept[0]
	}
	return Entity{Kind: Union, Args: kept}
}

// A value is a literal, or a member of an enum.
type value struct {
	text   string
	symbol SymbolID
}

// valueOf is what an expression is known to be.
func valueOf(q *Query, s scope, e facts.Expr) (value, bool) {
	if text, ok := e.LiteralText(); ok {
		return value{text: text}, true
	}
	if of, ok := e.OfValue(); ok { // of the type that a member of an enum is
		e = of
	}
	n := e.Node()
	if n.Op != facts.OpMember {
		return value{}, false
	}
	found := q.Member(s.file, q.eval(s, n.Of), n.Name)
	if len(found.Symbols) != 1 {
		return value{}, false
	}
	id := found.Symbols[0]
	if up := q.Symbol(id).Parent; up < 0 || q.File(id.File).Symbols[up].Kind != "enum" {
		return value{}, false
	}
	return value{symbol: id}, true
}

// valuesOf are the values that the member of a type may have by its
// declarations, if that is known of all.
func valuesOf(q *Query, s scope, e Entity, name string) (all []value, known bool) {
	found := q.Member(s.file, Instance(e), name)
	for _, id := range found.Symbols {
		parts := []facts.Expr{q.Symbol(id).Type}
		if n := parts[0].Node(); n.Op == facts.OpUnion {
			parts = n.Parts()
		}
		for _, part := range parts {
			v, ok := valueOf(q, scope{file: id.File, in: int(id.Index)}, part)
			if !ok {
				return nil, false
			}
			all = append(all, v)
		}
	}
	return all, len(all) > 0
}

// alternativesOf takes a union apart, and aliases of unions.
func alternativesOf(q *Query, e Entity, depth int) (all []Entity) {
	switch {
	case e.Kind == Union && e.Name == both:
		return distributed(q, e, depth)
	case e.Kind == Union:
		for _, a := range e.Args {
			all = append(all, alternativesOf(q, a, depth)...)
		}
		return all
	case e.Kind == TypeName && len(e.Symbols) > 1:
		for _, id := range e.Symbols {
			one := e
			one.Symbols = []SymbolID{id}
			all = append(all, alternativesOf(q, one, depth)...)
		}
		return all
	case e.Kind != TypeName || depth > MaxLevels:
		return []Entity{e}
	}
	id := e.Symbols[0]
	s := q.Symbol(id)
	if s.Kind != "type" || s.Type == facts.Nothing && len(s.Bases) == 0 || s.Under != facts.Nothing ||
		!q.Enter(id, "narrowed") {
		return []Entity{e}
	}
	defer q.Leave(id, "narrowed")
	if s.Type == facts.Nothing { // a union that is too long for it
		for _, b := range q.BasesOf(id, e.Args) {
			all = append(all, alternativesOf(q, b, depth+1)...)
		}
		return all
	}
	of := q.eval(scope{id.File, int(id.Index), bind(nil, s.Params, e.Args), true, false}.declared(q), s.Type)
	if of.Kind != Union && of.Kind != TypeName {
		return []Entity{e}
	}
	return alternativesOf(q, of, depth+1)
}

// distributed are the alternatives of what is several types at once: those of the
// first one that has some, each with the others.
func distributed(q *Query, e Entity, depth int) []Entity {
	for i, part := range e.Args {
		of := alternativesOf(q, part, depth+1)
		if len(of) < 2 {
			continue
		}
		all := make([]Entity, len(of))
		for n, a := range of {
			all[n] = e
			all[n].Args = slices.Clone(e.Args)
			all[n].Args[i] = a
		}
		return all
	}
	return []Entity{e}
}
