package overlay

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Def is a declaration.
type Def struct {
	ID                    string // path:qualified, ~2 for a second one
	Name, Qualified, Kind string
	File                  string
	Line, Column, EndLine int // of the name, of the name, of the declaration

	Symbol resolve.SymbolID
}

// Index is its number among the symbols of its file.
func (d Def) Index() int { return int(d.Symbol.Index) }

// Symbol is a declaration as its file tells it.
func (w *World) Symbol(s resolve.SymbolID) *facts.Symbol { return &w.Declared(s.File).Symbols[s.Index] }

// Def describes a symbol, without decoding facts if it can.
func (w *World) Def(s resolve.SymbolID) Def {
	path := w.Path(s.File)
	if f, ok := w.changed[s.File]; ok {
		x, nth := &f.Symbols[s.Index], 1
		for i := range s.Index {
			if f.Symbols[i].Qualified == x.Qualified {
				nth++
			}
		}
		return Def{
			ID: path + ":" + graph.LocalID(x.Qualified, nth), Name: x.Name, Qualified: x.Qualified, Kind: x.Kind, File: path,
			Line: x.Line, Column: x.Column, EndLine: x.EndLine, Symbol: s,
		}
	}
	d := w.Base.Facts.Declared(w.Old(s.File))
	x := &d.Symbols[s.Index]
	return Def{
		ID: path + ":" + d.LocalID(s.Index), Name: x.Name, Qualified: x.Qualified, Kind: x.Kind, File: path,
		Line: x.Line, Column: x.Column, EndLine: x.EndLine, Symbol: s,
	}
}

// DefAt is the declaration with an index among those of a file.
func (w *World) DefAt(file string, index int) (Def, bool) {
	f, ok := w.ByPath(file)
	if !ok || index < 0 || index >= w.Symbols(f) {
		return Def{}, false
	}
	return w.Def(resolve.SymbolID{File: f, Index: int32(index)}), true
}

// Symbols are the numbers of symbols in a file.
func (w *World) Symbols(f resolve.FileID) int {
	if file, ok := w.changed[f]; ok {
		return len(file.Symbols)
	}
	return w.Base.Tree.Symbols(w.Old(f))
}

// Start is the first line of a declaration.
func (w *World) Start(s resolve.SymbolID) int {
	if f, ok := w.changed[s.File]; ok {
		return f.Symbols[s.Index].StartLine
	}
	return w.Base.Facts.Declared(w.Old(s.File)).Symbols[s.Index].StartLine
}

// Parent is the index of the symbol that another one of its file is in, or -1.
func (w *World) Parent(s resolve.SymbolID) int32 {
	if f, ok := w.changed[s.File]; ok {
		return int32(f.Symbols[s.Index].Parent)
	}
	return int32(w.Base.Facts.Declared(w.Old(s.File)).Symbols[s.Index].Parent)
}

// Kind is that of a symbol.
func (w *World) Kind(s resolve.SymbolID) string {
	if f, ok := w.changed[s.File]; ok {
		return f.Symbols[s.Index].Kind
	}
	return w.Base.Facts.Declared(w.Old(s.File)).Symbols[s.Index].Kind
}

// Package is the package of a file.
func (w *World) Package(f resolve.FileID) string {
	if file, ok := w.changed[f]; ok {
		return file.Package
	}
	return w.Base.Tree.Package(w.Old(f))
}

// languageOf is the language of a file.
func languageOf(w *World, f resolve.FileID) string {
	if file, ok := w.changed[f]; ok {
		return file.Language
	}
	return w.Base.Tree.Language(w.Old(f))
}

// StandsFor is a symbol with those inside of it whose uses count as its own: all
// at the start, else the fields of a type.
func (w *World) StandsFor(s resolve.SymbolID, start bool) []resolve.SymbolID {
	all := []resolve.SymbolID{s}
	if !start && !graph.IsType(w.Kind(s)) {
		return all
	}
	for i := s.Index + 1; int(i) < w.Symbols(s.File); i++ {
		inner := resolve.SymbolID{File: s.File, Index: i}
		if start && w.within(inner, s) || !start && w.Parent(inner) == s.Index && w.Lift(inner) == s {
			all = append(all, inner)
		}
	}
	return all
}

// Lift is the type that a field or the like is part of, and any other symbol
// itself.
func (w *World) Lift(s resolve.SymbolID) resolve.SymbolID {
	parent := w.Parent(s)
	if parent < 0 || graph.IsCode(w.Kind(s)) || graph.IsType(w.Kind(s)) {
		return s
	}
	if up := (resolve.SymbolID{File: s.File, Index: parent}); graph.IsType(w.Kind(up)) {
		return up
	}
	return s
}

// within tells whether a symbol is inside of another one.
func (w *World) within(s, outer resolve.SymbolID) bool {
	for s.Index > outer.Index {
		s.Index = w.Parent(s)
	}
	return s.Index == outer.Index
}
