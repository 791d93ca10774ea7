package resolve

import (
	"path"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// What is so in C++ only.

// constructed are the types that a constructor is of.
func constructed(q *Query, id SymbolID) []SymbolID {
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
