package overlay

import (
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Uses are the places that a symbol is a target of, in order. Those of the graph are read
// when they are asked for, which few of many are.
type Uses struct {
	stored graph.Uses
	found  []graph.Edge // where there is an overlay, all of them
}

// Len is how many there are.
func (u Uses) Len() int { return u.stored.Len() + len(u.found) }

// File is that of the i-th one.
func (u Uses) File(i int) resolve.FileID {
	if u.found != nil {
		return u.found[i].File
	}
	return u.stored.File(i)
}

// At is the i-th one.
func (u Uses) At(i int) graph.Edge {
	if u.found != nil {
		return u.found[i]
	}
	return u.stored.At(i)
}

// A UseKey tells the uses of a view apart: those of two symbols have the same if one place
// is a use of either.
type UseKey struct {
	n            uint32 // in the graph
	file         resolve.FileID
	line, column uint32
	kind         uint8
	to           resolve.SymbolID // the first target
}

// Key is that of the i-th one.
func (u Uses) Key(i int) UseKey {
	if u.found == nil {
		return UseKey{n: u.stored.Number(i)}
	}
	e := &u.found[i]
	return UseKey{file: e.File, line: e.Line, column: e.Column, kind: e.Kind, to: e.To[0]}
}
