package script

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Operate implements Language: what has call signatures can be called, a
// component takes its properties, and what is taken from an object by a key
// that is not known is one of its members with such keys.
func (l Language) Operate(q *resolve.Query, f resolve.FileID, e resolve.Entity, op string) resolve.Entity {
	switch op {
	case ":0": // of a component: what its elements are given
		return q.Entity(f, q.Member(f, resolve.Instance(e), "props"))
	case "[]":
		return l.anyMember(q, e)
	case "()":
		found := q.Inherited(e, "()")
		if len(found.Symbols) == 0 {
			return resolve.Entity{}
		}
		called := resolve.Entity{Kind: resolve.Function, Symbols: l.Usual(q, f, found.Symbols), Recv: found.Recv}
		return q.Call(f, called, 0)
	}
	return resolve.Entity{}
}

// anyMember is what the members are whose keys are values of names that a type
// declares itself; Unknown if there are many.
func (Language) anyMember(q *resolve.Query, e resolve.Entity) resolve.Entity {
	var out resolve.Entity
	count := 0
	for _, id := range e.Symbols {
		symbols := q.File(id.File).Symbols
		for i := int(id.Index) + 1; i < len(symbols) && symbols[i].Parent >= int(id.Index); i++ {
			if symbols[i].Parent != int(id.Index) || !strings.HasPrefix(symbols[i].Name, "[") {
				continue
			}
			if count++; count > resolve.MaxSymbols {
				return resolve.Entity{}
			}
			m := resolve.SymbolID{File: id.File, Index: int32(i)} //nolint:gosec // an index
			out = resolve.Merge(out,
				q.StandsFor(m, &resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{id}, Args: e.Args}))
		}
	}
	return out
}
