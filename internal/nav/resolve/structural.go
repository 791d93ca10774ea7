package resolve

import "github.com/ragnav/ragnav/internal/nav/facts"

// What is so in structural languages only.

// ofMeaning leaves out types where a name is used as a value, if it is one too.
func ofMeaning(q *Query, ref *facts.Ref, list []SymbolID) []SymbolID {
	switch ref.Kind {
	case facts.Call, facts.Read, facts.Write:
	default:
		return list
	}
	var out []SymbolID
	for _, id := range list {
		if s := q.Symbol(id); s.Kind != "interface" && s.Kind != "type" {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// extended is what a class that extends a value is made from: what the
// construct signature gives of a value that is no class itself.
func extended(q *Query, f FileID, e Entity) Entity {
	if e.Kind != Func && e.Kind != Value {
		return e
	}
	if made := q.Call(f, e, 0); made.Kind != Unknown {
		return typeOfValue(made)
	}
	return e
}
