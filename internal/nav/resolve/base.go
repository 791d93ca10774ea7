package resolve

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

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
	if IsType(s) {
		for _, t := range q.LanguageOf(id.File).Implements(q, id) {
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
	if !IsFunction(q.Symbol(s)) {
		return nil
	}
	types := []SymbolID{s} // of a class without a name: the method says what that is made from
	if len(q.Symbol(s).Bases) == 0 {
		owner := q.OwnerOf(s)
		if owner.Kind != TypeName {
			return nil
		}
		types = owner.Symbols
	}
	var out []SymbolID
	for _, t := range types {
		for _, b := range q.bases(t) {
			if b.Kind == facts.Embeds && q.Symbol(t).Kind != "interface" && q.File(t.File).Language == "Go" {
				continue // what a struct declares hides what it embeds
			}
			for _, target := range b.Targets {
				found := q.Inherited(Entity{Kind: TypeName, Symbols: []SymbolID{target}}, q.Symbol(s).Name)
				for _, m := range found.Symbols {
					if m != s && IsFunction(q.Symbol(m)) && !slices.Contains(out, m) {
						out = append(out, m)
					}
				}
			}
		}
	}
	return out
}

// BasesOf evaluates what a type is made from, with its type arguments. Of a
// type defined by another one that is the other one's.
func (q *Query) BasesOf(id SymbolID, args []Entity) []Entity {
	s := q.Symbol(id)
	in := scope{id.File, int(id.Index), bind(nil, s.Params, args)}
	var out []Entity
	for _, b := range s.Bases {
		if q.Enter(id, "base "+b.Of.String()) {
			e := q.eval(in, b.Of)
			if b.Kind == facts.Extends && s.Kind == "class" && q.isStructural(id.File) {
				e = q.extended(id.File, e)
			}
			out = append(out, e)
			q.Leave(id, "base "+b.Of.String())
		}
	}
	// of which Under is what its members by keys are
	if s.Under != facts.Nothing && q.isAlias(id) && q.Enter(id, "alias") {
		out = append(out, q.eval(in, s.Type))
		q.Leave(id, "alias")
	}
	if u := q.under(Entity{Kind: TypeName, Symbols: []SymbolID{id}, Args: args}); u.Kind != Unknown {
		out = append(out, u)
	}
	return out
}

// SeeksBase reports whether a base of a type is being found out.
func (q *Query) SeeksBase(id SymbolID) bool {
	for _, b := range q.Symbol(id).Bases {
		if q.active[activity{id, "base " + b.Of.String()}] {
			return true
		}
	}
	return false
}
