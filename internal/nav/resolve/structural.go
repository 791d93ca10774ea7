package resolve

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

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

// givesThis reports whether what members are depends on the type that they are
// asked of.
func givesThis(q *Query, members []SymbolID) bool {
	return slices.ContainsFunc(members, func(id SymbolID) bool {
		s := q.Symbol(id)
		return q.isStructural(id.File) && (s.Type.Mentions(facts.This.String()) ||
			len(s.Results) > 0 && s.Results[0].Mentions(facts.This.String()))
	})
}

// thisOf is the type that facts.This is in a symbol where nothing else is bound: the
// one around.
func thisOf(q *Query, s scope) Entity {
	symbols := q.File(s.file).Symbols
	for i := s.in; i >= 0 && i < len(symbols); i = symbols[i].Parent {
		if IsType(&symbols[i]) {
			return Entity{Kind: TypeName, Symbols: []SymbolID{{s.file, int32(i)}}} //nolint:gosec // an index
		}
	}
	return Entity{}
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
