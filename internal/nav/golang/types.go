package golang

import (
	"go/ast"
	"go/token"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// typeSpec reads a type declaration of the package.
func (w *walker) typeSpec(t *ast.TypeSpec) {
	before := w.open()
	defer func() { w.scope = before }()
	s := facts.Symbol{Qualified: t.Name.Name, Kind: "type", Parent: -1, Params: w.declareParams(t.TypeParams)}
	switch t.Type.(type) {
	case *ast.StructType:
		s.Kind = "struct"
	case *ast.InterfaceType:
		s.Kind = "interface"
	}
	if t.Name.Name == "_" {
		w.typeOf(t.Type, -1)
		return
	}
	index := w.symbol(s, t.Name, t.Pos(), t.End())
	w.inside(index, func() {
		bounds := w.typeParams(t.TypeParams)
		w.out.Symbols[index].Bounds = bounds
		typ := w.typeOf(t.Type, index)
		switch {
		case s.Kind != "type":
		case t.Assign.IsValid():
			w.out.Symbols[index].Type = typ
		default:
			w.out.Symbols[index].Under = typ
		}
	})
}

// declareParams makes type parameters local and returns their names.
func (w *walker) declareParams(list *ast.FieldList) []string {
	var names []string
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			names = append(names, id.Name)
			w.bind(id, "type parameter", f.Type)
			w.declare(id, value{expr: facts.Name(id.Name), isType: true})
		}
	}
	return names
}

// typeParams walks the constraints of type parameters and returns what they
// say of each.
func (w *walker) typeParams(list *ast.FieldList) []facts.Expr {
	if list == nil {
		return nil
	}
	var bounds []facts.Expr
	for _, f := range list.List {
		bound := w.typeOf(f.Type, -1)
		if bound == facts.External || !bound.Known() {
			bound = facts.Nothing
		}
		for range f.Names {
			bounds = append(bounds, bound)
		}
	}
	return bounds
}

// typeOf walks a type and returns it as an expression. The fields of structs
// without a name in it belong to symbol, unless that is -1.
func (w *walker) typeOf(t ast.Expr, symbol int) facts.Expr {
	switch t := t.(type) {
	case *ast.Ident:
		return w.typeName(t)
	case *ast.SelectorExpr:
		if id, ok := t.X.(*ast.Ident); ok {
			if l, _ := w.scope.lookup(id); l == nil {
				return w.qualified(id, t.Sel)
			}
		}
		return facts.Unknown // only in broken code
	case *ast.StarExpr:
		return w.typeOf(t.X, symbol)
	case *ast.ParenExpr:
		return w.typeOf(t.X, symbol)
	case *ast.ArrayType:
		if t.Len != nil && !w.quiet {
			w.expr(t.Len, facts.Read)
		}
		return listOf(w.typeOf(t.Elt, symbol))
	case *ast.Ellipsis:
		return listOf(w.typeOf(t.Elt, symbol))
	case *ast.MapType:
		return mapOf(w.typeOf(t.Key, symbol), w.typeOf(t.Value, symbol))
	case *ast.ChanType:
		e := w.typeOf(t.Value, symbol)
		return mapOf(e, e)
	case *ast.FuncType:
		return w.funcType(t, symbol)
	case *ast.StructType:
		return w.structType(t, symbol)
	case *ast.InterfaceType:
		return w.interfaceType(t, symbol)
	case *ast.IndexExpr:
		return w.generic(t.X, []ast.Expr{t.Index})
	case *ast.IndexListExpr:
		return w.generic(t.X, t.Indices)
	case *ast.UnaryExpr: // ~T
		return w.typeOf(t.X, symbol)
	case *ast.BinaryExpr:
		if t.Op == token.OR {
			return unionOf(w.typeOf(t.X, symbol), w.typeOf(t.Y, symbol))
		}
	case nil, *ast.BadExpr:
		return facts.Unknown
	}
	return facts.Unknown
}

// typeName is a type by its name.
func (w *walker) typeName(t *ast.Ident) facts.Expr {
	if l, s := w.scope.lookup(t); l != nil {
		w.use(t, l.at, facts.Type)
		switch {
		case l.spec == nil && l.value.isType:
			return l.value.expr
		case l.spec == nil || hasLocal(l.spec.Type, s):
			return facts.External
		}
		return l.value.expr
	}
	if w.isPredeclared(t.Name) {
		return facts.External
	}
	w.useEarly(t)
	w.ref(t, facts.Type, facts.Nothing)
	return facts.Name(t.Name)
}

// qualified is something of a package.
func (w *walker) qualified(pkg, name *ast.Ident) facts.Expr {
	w.usePackage(pkg)
	if !w.sure[pkg.Name] {
		w.ref(pkg, facts.Read, facts.Nothing)
	}
	of := facts.Name(pkg.Name)
	w.ref(name, facts.Type, of)
	return of.Member(name.Name)
}

// generic is a type with arguments.
func (w *walker) generic(x ast.Expr, args []ast.Expr) facts.Expr {
	base := w.typeOf(x, -1)
	types := make([]facts.Expr, len(args))
	for i, a := range args {
		types[i] = w.typeOf(a, -1)
	}
	if s, ok := x.(*ast.SelectorExpr); ok && len(types) > 0 {
		if id, ok := s.X.(*ast.Ident); ok && w.paths[id.Name] == "iter" {
			return mapOf(types[0], types[len(types)-1])
		}
	}
	return genericOf(base, types)
}

// funcType is the type of a function by its results. An iterator is what it
// yields.
func (w *walker) funcType(t *ast.FuncType, symbol int) facts.Expr {
	w.bindParameters(t)
	if t.Params != nil && !w.quiet {
		for _, f := range t.Params.List {
			w.typeOf(f.Type, symbol)
		}
	}
	results := w.fieldTypes(t.Results, symbol)
	if len(results) == 0 {
		if yields := w.yields(t); len(yields) > 0 {
			return mapOf(yields[0], yields[len(yields)-1])
		}
	}
	return funcOf(results)
}

func (w *walker) yields(t *ast.FuncType) []facts.Expr {
	if t.Params == nil || len(t.Params.List) != 1 || len(t.Params.List[0].Names) > 1 {
		return nil
	}
	yield, ok := t.Params.List[0].Type.(*ast.FuncType)
	if !ok || yield.Results == nil || len(yield.Results.List) != 1 || yield.Params == nil {
		return nil
	}
	if id, ok := yield.Results.List[0].Type.(*ast.Ident); !ok || id.Name != "bool" {
		return nil
	}
	quiet := w.quiet
	w.quiet = true
	defer func() { w.quiet = quiet }()
	return w.fieldTypes(yield.Params, -1)
}

// fieldTypes are the types of parameters or results, one for each name.
func (w *walker) fieldTypes(list *ast.FieldList, symbol int) []facts.Expr {
	if list == nil {
		return nil
	}
	var out []facts.Expr
	for _, f := range list.List {
		t := w.typeOf(f.Type, symbol)
		for range max(len(f.Names), 1) {
			out = append(out, t)
		}
	}
	return out
}

// results are the types of results or parameters, without references.
func (w *walker) results(list *ast.FieldList) []facts.Expr {
	quiet := w.quiet
	w.quiet = true
	defer func() { w.quiet = quiet }()
	return w.fieldTypes(list, -1)
}

// signature walks parameters and results and makes them local.
func (w *walker) signature(t *ast.FuncType) {
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			w.typeOf(f.Type, -1)
		}
	}
	// a parameter may be called like a package that the types after it are of
	var ids []*ast.Ident
	var values []value
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			if len(f.Names) == 0 {
				continue
			}
			v := w.valueOf(f.Type, w.scope)
			for _, id := range f.Names {
				w.bind(id, "parameter", f.Type)
				ids, values = append(ids, id), append(values, v)
			}
		}
	}
	for i, id := range ids {
		w.declare(id, values[i])
	}
}
