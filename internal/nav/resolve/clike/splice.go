package clike

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// spliced are the macros that stand for members of a type, or of a macro that does.
func spliced(l Language, q *resolve.Query, id resolve.SymbolID) (out []resolve.SymbolID) {
	for _, b := range q.Symbol(id).Bases {
		if b.Kind != facts.Shorthand {
			continue
		}
		for _, m := range q.World().Defs(b.Of.LastName()) {
			if s := q.Symbol(m); s.Parent < 0 && isMacro(s) && l.sees(q, id.File, []resolve.SymbolID{m}) {
				out = append(out, m)
			}
		}
	}
	return out
}

// splices reports whether a type has the members that a macro stands for.
func splices(l Language, q *resolve.Query, typ, macro resolve.SymbolID) bool {
	seen := []resolve.SymbolID{typ}
	for i := 0; i < len(seen) && i < resolve.MaxTypes; i++ {
		for _, m := range spliced(l, q, seen[i]) {
			if m == macro {
				return true
			}
			if !slices.Contains(seen, m) {
				seen = append(seen, m)
			}
		}
	}
	return false
}
