package resolve

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// conditional evaluates ~cond of a type, what it is compared with, and the two
// that it is one of. Of one in another one it needs no more depth.
func conditional(q *Query, s scope, parts []facts.Expr) Entity {
	s = s.declared(q)
	for {
		yes, decided := compareLength(q.eval(s, parts[0]), parts[1])
		branch := parts[3]
		switch {
		case !decided:
			return either(q.eval(s, parts[2]), q.eval(s, parts[3]))
		case yes:
			branch = parts[2]
		}
		inner := branch.Node()
		if inner.Op != facts.OpCond {
			return q.eval(s, branch)
		}
		if parts = inner.Parts(); len(parts) != condParts {
			return Entity{}
		}
	}
}

// condParts is how many parts a conditional type has.
const condParts = 4

// ofConditional finds a member of what is a conditional type that could not be
// followed. It is often made of its arguments: the member is one of theirs, a
// guess if no other type declares one of that name, else one of the candidates.
func ofConditional(q *Query, e Entity, name string) Found {
	var out Found
	for _, part := range flat([]Entity{e}) {
		if part.Kind != Value || !isConditional(q, part.Symbols) {
			continue
		}
		for _, a := range part.Args {
			if a.Kind == TypeName {
				out = joinFound(out, q.Inherited(Instance(a), name))
			}
		}
	}
	if len(out.Symbols) == 0 {
		return Found{}
	}
	out.Tier = TierD
	for _, id := range q.World().Defs(name) {
		if q.isStructural(id.File) && isMember(q, id) && !slices.Contains(out.Symbols, id) {
			out.Symbols, out.Tier = append(out.Symbols, id), TierF
		}
	}
	out.Symbols = out.Symbols[:min(len(out.Symbols), MaxTargets)]
	return out
}

// isMember reports whether a symbol is a member of a type, or of what has no
// name, as the branches of a conditional type.
func isMember(q *Query, id SymbolID) bool {
	s := q.Symbol(id)
	if s.Parent >= 0 {
		return IsType(&q.File(id.File).Symbols[s.Parent])
	}
	return s.Kind == "method" || s.Kind == "field" || s.Kind == "property"
}

// isConditional reports whether types are aliases for what is one of others.
func isConditional(q *Query, types []SymbolID) bool {
	return slices.ContainsFunc(types, func(id SymbolID) bool { return q.Symbol(id).Type.Root() == facts.OpCond })
}

// compareLength reports whether a tuple has the length that is asked for, or a type is
// unknown, as facts writes it, and whether that is known. What a tuple takes from a list or
// from what is not known may be nothing.
func compareLength(e Entity, asked facts.Expr) (yes, decided bool) {
	if asked == facts.External {
		return false, e.Kind != Unknown && e.Kind != External
	}
	if e.Kind != Tuple {
		return false, false
	}
	some, open := false, false
	for _, a := range e.Args {
		if a.Kind == List || a.Kind == Unknown {
			open = true
		} else {
			some = true
		}
	}
	switch asked {
	case facts.Tuple():
		return !some, some || !open
	case facts.Tuple(facts.External):
		return some, some || !open
	}
	return false, !open || some
}
