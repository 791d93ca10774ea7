package resolve

import "strings"

// Operate implements Operating: what has call signatures can be called, a
// component takes its properties, and what is taken from an object by a key
// that is not known is one of its members with such keys.
func (l scriptLanguage) Operate(q *Query, f FileID, e Entity, op string) Entity {
	switch op {
	case ":0": // of a component: what its elements are given
		return q.entity(f, q.Member(f, instance(e), "props"))
	case "[]":
		return l.anyMember(q, e)
	case "()":
		found := q.inherited(e, "()")
		if len(found.Symbols) == 0 {
			return Entity{}
		}
		return q.call(f, Entity{Kind: Function, Symbols: found.Symbols, Recv: found.Recv}, 0)
	}
	return Entity{}
}

// anyMember is what the members are whose keys are values of names that a type
// declares itself; Unknown if there are many.
func (scriptLanguage) anyMember(q *Query, e Entity) Entity {
	var out Entity
	count := 0
	for _, id := range e.Symbols {
		symbols := q.File(id.File).Symbols
		for i := int(id.Index) + 1; i < len(symbols) && symbols[i].Parent >= int(id.Index); i++ {
			if symbols[i].Parent != int(id.Index) || !strings.HasPrefix(symbols[i].Name, "[") {
				continue
			}
			if count++; count > maxSymbols {
				return Entity{}
			}
			m := SymbolID{id.File, int32(i)} //nolint:gosec // an index
			out = merge(out, q.symbol(m, &Entity{Kind: TypeName, Symbols: []SymbolID{id}, Args: e.Args}))
		}
	}
	return out
}

// extended is what a class that extends a value is made from: what the
// construct signature gives of a value that is no class itself.
func (q *Query) extended(f FileID, e Entity) Entity {
	if e.Kind != Func && e.Kind != Value {
		return e
	}
	if made := q.call(f, e, 0); made.Kind != Unknown {
		return typeOfValue(made)
	}
	return e
}
