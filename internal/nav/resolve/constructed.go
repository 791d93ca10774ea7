package resolve

import (
	"path"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// What is so in C++ only.

// Injected is what was found of a type by a bare name, with the type itself for
// its constructors: a class has its own name as a member, which derived ones
// inherit.
func (q *Query) Injected(found Found) Found {
	if !slices.ContainsFunc(found.Symbols, q.Constructs) {
		return found
	}
	var out []SymbolID
	for _, id := range found.Symbols {
		types := []SymbolID{id}
		if q.Constructs(id) {
			types = q.constructed(id)
		}
		for _, t := range types {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	found.Symbols = out
	return found
}

// constructed are the types that a constructor is of.
func (q *Query) constructed(id SymbolID) []SymbolID {
	if s := q.Symbol(id); s.Owner == facts.Nothing {
		return []SymbolID{{id.File, int32(s.Parent)}} //nolint:gosec // an index
	}
	return q.OwnerOf(id).Symbols
}

// IsHeader reports whether a path is that of a header.
func IsHeader(p string) bool {
	switch path.Ext(p) {
	case ".h", ".hh", ".hpp", ".hxx", ".h++":
		return true
	}
	return false
}
