package resolve

import "github.com/ragnav/ragnav/internal/nav/facts"

// A Base is a direct base type.
type Base struct {
	Kind facts.Kind
	Resolution
	Declared bool // it is written there; else found by comparing method sets
}

// Bases returns the direct base types of a type that are of the repository; of
// a Go type also the interfaces that its method set satisfies.
func (r *Resolver) Bases(s SymbolID) []Base { return r.query().bases(s) }

func (q *Query) bases(id SymbolID) []Base {
	s := q.Symbol(id)
	var out []Base
	for _, b := range s.Bases {
		e := q.Eval(id.File, int(id.Index), b.Of)
		if e.Kind != TypeName || len(e.Symbols) == 0 {
			continue
		}
		found := Found{Symbols: e.Symbols, Tier: TierC}
		if res := q.resolution(id.File, found); len(res.Targets) > 0 {
			out = append(out, Base{Kind: b.Kind, Resolution: res, Declared: true})
		}
	}
	if lang, ok := q.language(id.File).(Implementing); ok && isType(s) {
		for _, t := range lang.Implements(q, id) {
			res := Resolution{Targets: []SymbolID{t}, Tier: TierC, Confidence: confidence[TierC]}
			out = append(out, Base{Kind: facts.Implements, Resolution: res})
		}
	}
	return out
}

// Overrides returns the methods of base types that a method implements or
// overrides.
func (r *Resolver) Overrides(s SymbolID) []SymbolID {
	q := r.query()
	if !isFunction(q.Symbol(s)) {
		return nil
	}
	owner := q.owner(s)
	if owner.Kind != TypeName {
		return nil
	}
	var out []SymbolID
	seen := map[SymbolID]bool{s: true}
	for _, t := range owner.Symbols {
		for _, b := range q.bases(t) {
			for _, target := range b.Targets {
				found := q.inherited(Entity{Kind: TypeName, Symbols: []SymbolID{target}}, q.Symbol(s).Name)
				for _, m := range found.Symbols {
					if !seen[m] && isFunction(q.Symbol(m)) {
						seen[m] = true
						out = append(out, m)
					}
				}
			}
		}
	}
	return out
}
