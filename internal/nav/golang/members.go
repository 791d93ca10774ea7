package golang

import (
	"go/ast"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// anonymous is the type without a name that belongs to a symbol.
func anonymous(symbol int) facts.Expr {
	if symbol < 0 {
		return facts.External
	}
	return facts.TypeAt(symbol)
}

// structType walks a struct. Its fields are members of the symbol.
func structType(w *walker, t *ast.StructType, symbol int) facts.Expr {
	if t.Fields == nil || w.quiet && symbol < 0 {
		return facts.External
	}
	for _, f := range t.Fields.List {
		if len(f.Names) == 0 {
			embeddedField(w, f, symbol)
			continue
		}
		first := w.in
		if symbol >= 0 {
			first = fields(w, f, symbol)
		} else {
			bindFields(w, f)
		}
		w.inside(first, func() {
			at := -1
			if symbol >= 0 {
				at = first
			}
			value := typeOf(w, f.Type, at).Value()
			if symbol >= 0 {
				for i := range named(f.Names) {
					w.out.Symbols[first+i].Type = value
				}
			}
		})
	}
	return anonymous(symbol)
}

// bindFields notes the fields of a type that only this file knows.
func bindFields(w *walker, f *ast.Field) {
	for _, id := range f.Names {
		bind(w, id, "field", f.Type)
	}
}

// fields adds the names of a field declaration and returns the index of the
// first, or the struct's if all are blank.
func fields(w *walker, f *ast.Field, parent int) int {
	first := len(w.out.Symbols)
	for _, id := range f.Names {
		if id.Name != "_" {
			w.symbol(fieldSymbol(w.out, id, parent), id, f.Pos(), f.End())
		}
	}
	if first == len(w.out.Symbols) {
		return parent
	}
	return first
}

func fieldSymbol(out *facts.File, id *ast.Ident, parent int) facts.Symbol {
	return facts.Symbol{Qualified: out.Symbols[parent].Qualified + "." + id.Name, Kind: "field", Parent: parent}
}

// named are the names that are not blank.
func named(names []*ast.Ident) []*ast.Ident {
	var out []*ast.Ident
	for _, id := range names {
		if id.Name != "_" {
			out = append(out, id)
		}
	}
	return out
}

// embeddedField is a field and a base at once.
func embeddedField(w *walker, f *ast.Field, symbol int) {
	id := baseIdent(f.Type)
	if id == nil || id.Name == "_" { // the parser's, where a name is missing
		typeOf(w, f.Type, -1)
		return
	}
	in := w.in
	if symbol >= 0 {
		in = w.symbol(fieldSymbol(w.out, id, symbol), id, f.Pos(), f.End())
	}
	w.inside(in, func() { embed(w, f.Type, id, symbol, in) })
}

// embed walks an embedded type, makes its reference one of that kind, and notes
// the base.
func embed(w *walker, t ast.Expr, id *ast.Ident, symbol, field int) {
	before := len(w.out.Refs)
	typ := typeOf(w, t, -1)
	if symbol < 0 {
		return
	}
	if typ == facts.External && id.Name == "error" {
		typ = facts.Name(id.Name)
	}
	line, column := w.position(id.Pos())
	for i := before; i < len(w.out.Refs); i++ {
		if r := &w.out.Refs[i]; r.Line == line && r.Column == column {
			r.Kind = facts.Embeds
		}
	}
	s := &w.out.Symbols[symbol]
	s.Bases = append(s.Bases, facts.Base{Kind: facts.Embeds, Of: typ})
	if field >= 0 && field != symbol {
		w.out.Symbols[field].Type = typ.Value()
	}
}

// interfaceType walks an interface. Its methods are members of the symbol. Of
// a constraint without methods the type is what it is made of.
func interfaceType(w *walker, t *ast.InterfaceType, symbol int) facts.Expr {
	if t.Methods == nil {
		return facts.External
	}
	core := facts.External
	for _, f := range t.Methods.List {
		ft, ok := f.Type.(*ast.FuncType)
		switch {
		case ok && len(f.Names) == 1:
			interfaceMethod(w, f.Names[0], ft, symbol)
		case isUnion(f.Type):
			core = typeOf(w, f.Type, -1)
		case symbol < 0 && !w.quiet:
			typeOf(w, f.Type, -1)
		case symbol >= 0:
			if id := baseIdent(f.Type); id != nil && id.Name != "_" {
				embed(w, f.Type, id, symbol, -1)
			}
		}
	}
	if symbol < 0 {
		return core
	}
	if core != facts.External && w.out.Symbols[symbol].Kind == "interface" {
		w.out.Symbols[symbol].Under = core
	}
	return anonymous(symbol)
}

// isUnion reports whether something in an interface is a type or union rather
// than an embedded interface.
func isUnion(t ast.Expr) bool {
	switch t.(type) {
	case *ast.UnaryExpr, *ast.BinaryExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.StarExpr, *ast.FuncType:
		return true
	}
	return false
}

func interfaceMethod(w *walker, id *ast.Ident, t *ast.FuncType, symbol int) {
	if w.quiet && symbol < 0 {
		return
	}
	if symbol < 0 || id.Name == "_" {
		bind(w, id, "field", t)
		block(w, func() { signature(w, t) })
		return
	}
	s := facts.Symbol{
		Qualified: w.out.Symbols[symbol].Qualified + "." + id.Name, Kind: "method", Parent: symbol,
		Results: results(w, t.Results), Shape: shape(w, t, w.out.Symbols[symbol].Params),
	}
	w.inside(w.symbol(s, id, id.Pos(), t.End()), func() {
		block(w, func() { signature(w, t) })
	})
}
