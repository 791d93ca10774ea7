package graph

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Def is a declaration.
type Def struct {
	ID                    string // path:qualified, ~2 for a second one
	Name, Qualified, Kind string
	File                  string
	Line, Column, EndLine int // of the name, of the name, of the declaration

	symbol resolve.SymbolID
}

// Index is its number among the symbols of its file.
func (d Def) Index() int { return int(d.symbol.Index) }

// symbol is a declaration as its file tells it.
func (v *View) symbol(s resolve.SymbolID) *facts.Symbol { return &v.w.File(s.File).Symbols[s.Index] }

// def describes a symbol, without decoding facts if it can.
func (v *View) def(s resolve.SymbolID) Def {
	path := v.w.Path(s.File)
	if f, ok := v.w.changed[s.File]; ok {
		x, nth := &f.Symbols[s.Index], 1
		for i := range s.Index {
			if f.Symbols[i].Qualified == x.Qualified {
				nth++
			}
		}
		return Def{
			ID: idOf(path, x.Qualified, nth), Name: x.Name, Qualified: x.Qualified, Kind: x.Kind, File: path,
			Line: x.Line, Column: x.Column, EndLine: x.EndLine, symbol: s,
		}
	}
	d := v.g.declared(v.w.old(s.File))
	x := &d.Symbols[s.Index]
	return Def{
		ID: idOf(path, x.Qualified, d.nth[s.Index]), Name: x.Name, Qualified: x.Qualified, Kind: x.Kind, File: path,
		Line: x.Line, Column: x.Column, EndLine: x.EndLine, symbol: s,
	}
}

// Symbol is the declaration with an index among those of a file.
func (v *View) Symbol(file string, index int) (Def, bool) {
	f, ok := v.w.ByPath(file)
	if !ok || index < 0 || index >= v.symbols(f) {
		return Def{}, false
	}
	return v.def(resolve.SymbolID{File: f, Index: int32(index)}), true
}

// symbols are the numbers of symbols in a file.
func (v *View) symbols(f resolve.FileID) int {
	if file, ok := v.w.changed[f]; ok {
		return len(file.Symbols)
	}
	old := v.w.old(f)
	return int(v.g.symStarts[old+1] - v.g.symStarts[old])
}

// start is the first line of a declaration.
func (v *View) start(s resolve.SymbolID) int {
	if f, ok := v.w.changed[s.File]; ok {
		return f.Symbols[s.Index].StartLine
	}
	return v.g.declared(v.w.old(s.File)).Symbols[s.Index].StartLine
}

// parent is the index of the symbol that another one of its file is in, or -1.
func (v *View) parent(s resolve.SymbolID) int32 {
	if f, ok := v.w.changed[s.File]; ok {
		return int32(f.Symbols[s.Index].Parent)
	}
	return int32(v.g.declared(v.w.old(s.File)).Symbols[s.Index].Parent)
}

// kind is that of a symbol.
func (v *View) kind(s resolve.SymbolID) string {
	if f, ok := v.w.changed[s.File]; ok {
		return f.Symbols[s.Index].Kind
	}
	return v.g.declared(v.w.old(s.File)).Symbols[s.Index].Kind
}

// pkg is the package of a file.
func (v *View) pkg(f resolve.FileID) string {
	if file, ok := v.w.changed[f]; ok {
		return file.Package
	}
	return v.g.str(v.g.pkg[v.w.old(f)])
}
