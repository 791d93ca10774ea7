package python

import (
	"iter"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Line implements Language: depth first from left to right, of what comes several
// times the last. Of hierarchies that Python allows that is, but for contrived
// ones, its method resolution order (C3; see "The Python 2.3 Method Resolution
// Order" by M. Simionato, which compares both).
func (l Language) Line(q *resolve.Query, e resolve.Entity) iter.Seq[resolve.Entity] {
	return func(yield func(resolve.Entity) bool) {
		if !yield(e) {
			return
		}
		for _, t := range l.behind(q, e) {
			if !yield(t) {
				return
			}
		}
	}
}

// behind is the line of a type without itself.
func (l Language) behind(q *resolve.Query, e resolve.Entity) []resolve.Entity {
	var all []resolve.Entity
	l.line(q, e, map[resolve.SymbolID]bool{}, &all)
	seen := map[resolve.SymbolID]bool{}
	if len(e.Symbols) > 0 {
		seen[e.Symbols[0]] = true
	}
	line := all[:0:0]
	for _, t := range slices.Backward(all[1:]) {
		if (t.Kind == resolve.TypeName || t.Kind == resolve.Value) && len(t.Symbols) > 0 {
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
func (l Language) line(q *resolve.Query, e resolve.Entity, around map[resolve.SymbolID]bool, all *[]resolve.Entity) {
	*all = append(*all, e)
	if e.Kind != resolve.TypeName && e.Kind != resolve.Value || len(around) >= resolve.MaxLevels ||
		len(*all) >= resolve.MaxTypes {
		return
	}
	for _, id := range e.Symbols {
		if around[id] {
			continue
		}
		around[id] = true
		for _, base := range q.BasesOf(id, e.Args) {
			l.line(q, base, around, all)
		}
		delete(around, id)
	}
}

// takesOwnOnly reports whether a constructor takes its own parameters only.
func takesOwnOnly(q *resolve.Query) func(resolve.SymbolID) bool {
	return func(id resolve.SymbolID) bool { return q.Symbol(id).Signature != facts.TakesAny }
}

// Field implements Language. A constructor that is written takes parameters,
// which are no fields, and others by ** that may be. Of a class that is no record
// by its own text, a base must be one. What is called may be something else than a
// type.
func (l Language) Field(q *resolve.Query, e resolve.Entity, name string) resolve.Found {
	if e.Kind == resolve.Union {
		var out resolve.Found
		for _, a := range e.Args {
			if found := l.Field(q, a, name); len(found.Symbols) > 0 {
				out = found
			}
		}
		return out
	}
	if e.Kind != resolve.TypeName {
		return resolve.Found{External: true}
	}
	var found []resolve.SymbolID
	for t := range l.Line(q, e) {
		if t.Kind != resolve.TypeName || slices.ContainsFunc(q.Own(t, "__init__"), takesOwnOnly(q)) {
			break
		}
		for _, id := range t.Symbols {
			fields := q.Symbol(id).ParameterTypes
			if len(found) == 0 && slices.Contains(fields, facts.Name(name)) {
				found = q.Own(t, name)
			}
			if len(found) > 0 && len(fields) > 0 && fields[0] != facts.External {
				return resolve.Found{Symbols: found, Tier: resolve.TierC}
			}
		}
	}
	return resolve.Found{External: true}
}
