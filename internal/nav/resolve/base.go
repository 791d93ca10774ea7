package resolve

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
)

// A Base is a direct base type.
type Base struct {
	Kind facts.Kind
	Resolution
	Declared bool // it is written there; else found by comparing method sets
}

func basesOf(q *Query, id SymbolID) []Base {
	out := declaredBases(q, id)
	if IsType(q.Symbol(id)) {
		for _, t := range q.LanguageOf(id.File).Implements(q, id) {
			res := Resolution{Targets: []SymbolID{t}, Tier: TierC, Confidence: confidence[TierC]}
			out = append(out, Base{Kind: facts.Implements, Resolution: res})
		}
	}
	return out
}

// declaredBases are those that are written there.
func declaredBases(q *Query, id SymbolID) (out []Base) {
	s := q.Symbol(id)
	for _, b := range s.Bases {
		if b.Kind == facts.Shorthand || b.Kind == facts.Embeds && s.Kind == "type" && q.isStructural(id.File) { // of a union
			continue
		}
		e := q.Eval(id.File, int(id.Index), b.Of)
		if b.Kind == facts.Extends && s.Kind == "class" && q.isStructural(id.File) {
			e = extended(q, id.File, e)
		}
		if e.Kind != TypeName || len(e.Symbols) == 0 {
			continue
		}
		found := Found{Symbols: e.Symbols, Tier: TierC}
		if res := resolution(q, id.File, found); len(res.Targets) > 0 {
			out = append(out, Base{Kind: b.Kind, Resolution: res, Declared: true})
		}
	}
	return out
}
