package binder

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
)

// ImportAt is the import whose name is at a node, or -1; that of no node is none.
func ImportAt(b *Builder, n At) int {
	if n < 0 {
		return -1
	}
	line, column := b.Position(int(b.Nodes[n].Start))
	for i, x := range b.Imports {
		if x.Line == line && x.Column == column {
			return i
		}
	}
	return -1
}

// UnionOfTypes is one of several types.
func UnionOfTypes(types ...facts.Expr) facts.Expr {
	values := make([]facts.Expr, 0, len(types))
	for _, t := range types {
		values = append(values, ValueOf(t))
	}
	return AsType(UnionOf(values...))
}
