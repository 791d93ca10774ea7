package swift

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// overridden are what protocols require that a member implements, and the member of the nearest
// class above that it overrides. What an extension of a protocol declares implements what that
// requires.
func overridden(q *resolve.Query, id resolve.SymbolID) (all []resolve.SymbolID) {
	s := q.Symbol(id)
	if !resolve.IsFunction(s) && s.Kind != "property" {
		return nil
	}
	types := declarers(q, id)
	if len(types) == 0 && s.Owner != facts.Nothing {
		types = foreignConformances(q)[s.Owner.LastName()]
	}
	for _, typ := range types {
		class := false
		for t := range (Language{}).Line(q, resolve.Entity{Kind: resolve.TypeName, Symbols: []resolve.SymbolID{typ}}) {
			if len(t.Symbols) == 0 || t.Symbols[0] == typ && (q.Symbol(typ).Kind != "protocol" || s.Owner == facts.Nothing) {
				continue
			}
			isProtocol := q.Symbol(t.Symbols[0]).Kind == "protocol"
			if !isProtocol && class {
				continue
			}
			for _, m := range ownedBy(q, s.Name)[t.Symbols[0]] {
				other := q.Symbol(m)
				if m != id && isSame(s, other) && (!isProtocol || other.Owner == facts.Nothing) && !slices.Contains(all, m) {
					all = append(all, m)
					class = class || !isProtocol
				}
			}
		}
	}
	if same := slices.DeleteFunc(slices.Clone(all), func(m resolve.SymbolID) bool {
		return !slices.Equal(q.Symbol(m).Args, s.Args)
	}); len(same) > 0 { // of several with the same labels
		all = same
	}
	slices.SortFunc(all, q.Compare)
	return all
}

// declarers are the types that a member is of.
func declarers(q *resolve.Query, id resolve.SymbolID) []resolve.SymbolID {
	s := q.Symbol(id)
	switch {
	case s.Owner != facts.Nothing:
		return ownersOf(q, id.File, s.Owner)
	case s.Parent >= 0 && resolve.IsType(&q.File(id.File).Symbols[s.Parent]):
		return []resolve.SymbolID{{File: id.File, Index: int32(s.Parent)}} //nolint:gosec // an index
	}
	return nil
}

// isSame reports whether a member may be another implementation of another one.
func isSame(s, other *facts.Symbol) bool {
	return resolve.IsFunction(s) == resolve.IsFunction(other) && s.Static == other.Static &&
		plainSignature(s) == plainSignature(other)
}
