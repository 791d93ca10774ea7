package resolve

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// ofTypes is what of a union is of one of some types, or of none of them: parts are
// the union and the types. What is not known stays.
func ofTypes(q *Query, s scope, parts []facts.Expr, is bool) Entity {
	if len(parts) == 0 {
		return Entity{}
	}
	e := q.eval(s.declared(q), parts[0])
	var wanted []Entity
	for _, part := range parts[1:] {
		t := q.eval(s, part)
		if t.Kind != TypeName && t.Kind != Union && t.Kind != List && (t.Kind != External || !is) {
			return e
		}
		wanted = append(wanted, alternativesOf(q, t, 0)...)
	}
	all := alternativesOf(q, e, 0)
	if !is {
		kept := slices.DeleteFunc(slices.Clone(all), func(a Entity) bool {
			return slices.ContainsFunc(wanted, func(w Entity) bool { return derives(q, a, w) })
		})
		return remaining(e, all, kept)
	}
	var kept []Entity
	for _, a := range all {
		kept = append(kept, common(q, a, wanted)...)
	}
	switch {
	case len(kept) > 0:
		return remaining(e, nil, kept)
	case e.Kind == Unknown || e.Kind == External:
		return remaining(e, nil, wanted)
	}
	// a type that says nothing of the other one: what is had is of both
	known := slices.DeleteFunc(wanted, func(w Entity) bool { return w.Kind == External })
	return remaining(e, nil, known)
}

// common is what is of the type a and of one of others: a, or those that are made
// from it.
func common(q *Query, a Entity, wanted []Entity) []Entity {
	if slices.ContainsFunc(wanted, func(w Entity) bool { return derives(q, a, w) }) {
		return []Entity{a}
	}
	var narrower []Entity
	for _, w := range wanted {
		if derives(q, w, a) {
			narrower = append(narrower, w)
		}
	}
	return narrower
}

// derives reports whether a type is another one, or says that it is made from it.
func derives(q *Query, e, from Entity) bool {
	if e.Kind == List || from.Kind == List {
		return from.Kind == List && (e.Kind == List || e.Kind == Tuple)
	}
	if len(from.Symbols) == 0 {
		return from.Kind == External && e.Kind == External
	}
	seen := map[SymbolID]bool{}
	level := []Entity{e}
	for depth := 0; len(level) > 0 && depth < MaxLevels && len(seen) < MaxTypes; depth++ {
		var next []Entity
		for _, t := range flat(level) {
			if t.Kind != TypeName && t.Kind != Value {
				continue
			}
			for _, id := range t.Symbols {
				if slices.Contains(from.Symbols, id) {
					return true
				}
				if !seen[id] {
					seen[id] = true
					next = append(next, q.BasesOf(id, t.Args)...)
				}
			}
		}
		level = next
	}
	return false
}

// having is what of a union has a member of a name, or has none: parts are the
// union and the name.
func having(q *Query, s scope, parts []facts.Expr, has bool) Entity {
	if len(parts) == 0 {
		return Entity{}
	}
	e := q.eval(s.declared(q), parts[0])
	all := alternativesOf(q, e, 0)
	var kept []Entity
	for _, a := range all {
		found := q.Member(s.file, Instance(a), parts[1].String())
		if found.External || a.Kind == Unknown || (len(found.Symbols) > 0) == has {
			kept = append(kept, a)
		}
	}
	return remaining(e, all, kept)
}

// predicate is what a type guard gives.
func predicate(q *Query, s scope, parts []facts.Expr) Entity {
	if len(parts) < 2 {
		return Entity{}
	}
	return Entity{Kind: Predicate, Name: parts[0].String(), Args: []Entity{q.eval(s.declared(q), parts[1])}}
}

// guarded is the type that a function tells of a parameter, if it is a type guard.
func guarded(q *Query, s scope, parts []facts.Expr) Entity {
	if len(parts) < 2 {
		return Entity{}
	}
	for _, given := range flat([]Entity{q.Call(s.file, q.eval(s, parts[0]), 0)}) {
		if given.Kind == Predicate && given.Name == parts[1].String() {
			return given.Arg(0)
		}
	}
	return Entity{}
}
