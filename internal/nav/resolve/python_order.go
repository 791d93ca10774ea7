package resolve

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// Line implements Linear: depth first from left to right, of what comes several
// times the last. Of hierarchies that Python allows that is, but for contrived
// ones, its method resolution order (C3; see "The Python 2.3 Method Resolution
// Order" by M. Simionato, which compares both).
func (l pythonLanguage) Line(q *Query, e Entity) []Entity {
	var all []Entity
	l.line(q, e, map[SymbolID]bool{}, &all)
	seen := map[SymbolID]bool{}
	line := all[:0:0]
	for _, t := range slices.Backward(all) {
		if (t.Kind == TypeName || t.Kind == Value) && len(t.Symbols) > 0 {
			if seen[t.Symbols[0]] {
				continue
			}
			seen[t.Symbols[0]] = true
		}
		line = append(line, t)
	}
	slices.Reverse(line)
	return line
}

// line adds a type and what it inherits from, depth first.
func (l pythonLanguage) line(q *Query, e Entity, around map[SymbolID]bool, all *[]Entity) {
	*all = append(*all, e)
	if e.Kind != TypeName && e.Kind != Value || len(around) >= maxLevels || len(*all) >= maxTypes {
		return
	}
	for _, id := range e.Symbols {
		if around[id] {
			continue
		}
		around[id] = true
		for _, base := range q.basesOf(id, e.Args) {
			l.line(q, base, around, all)
		}
		delete(around, id)
	}
}

// Field implements Recording. A constructor that is written takes parameters,
// which are no fields. What is called may be something else than a type.
func (l pythonLanguage) Field(q *Query, e Entity, name string) Found {
	if e.Kind == Union {
		var out Found
		for _, a := range e.Args {
			if found := l.Field(q, a, name); len(found.Symbols) > 0 {
				out = found
			}
		}
		return out
	}
	if e.Kind != TypeName {
		return Found{External: true}
	}
	for _, t := range l.Line(q, e) {
		if t.Kind != TypeName || len(q.own(t, "__init__")) > 0 {
			break
		}
		for _, id := range t.Symbols {
			if slices.Contains(q.Symbol(id).Takes, facts.Name(name)) {
				return Found{Symbols: q.own(t, name), Tier: TierC}
			}
		}
	}
	return Found{External: true}
}
