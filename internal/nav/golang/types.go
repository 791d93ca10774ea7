package golang

import (
	"go/ast"
	"go/token"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// typeSpec reads a type declaration of the package.
func typeSpec(w *walker, t *ast.TypeSpec) {
	before := open(w)
	defer func() { w.scope = before }()
	s := facts.Symbol{Qualified: t.Name.Name, Kind: "type", Parent: -1, Params: declareParams(w, t.TypeParams)}
	switch t.Type.(type) {
	case *ast.StructType:
		s.Kind = "struct"
	case *ast.InterfaceType:
		s.Kind = "interface"
	}
	if t.Name.Name == "_" {
		typeOf(w, t.Type, -1)
		return
	}
	index := w.symbol(s, t.Name, t.Pos(), t.End())
	w.inside(index, func() {
		bounds := typeParams(w, t.TypeParams)
		w.out.Symbols[index].Bounds = bounds
		typ := typeOf(w, t.Type, index)
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
func declareParams(w *walker, list *ast.FieldList) []string {
	var names []string
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			names = append(names, id.Name)
			bind(w, id, "type parameter", f.Type)
			declare(w.scope, id, value{expr: facts.Name(id.Name), isType: true})
		}
	}
	return names
}

// typeParams walks the constraints of type parameters and returns what they
// say of each.
func typeParams(w *walker, list *ast.FieldList) []facts.Expr {
	if list == nil {
		return nil
	}
	var bounds []facts.Expr
	for _, f := range list.List {
		bound := typeOf(w, f.Type, -1)
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
func typeOf(w *walker, t ast.Expr, symbol int) facts.Expr {
	switch t := t.(type) {
	case *ast.Ident:
		return typeName(w, t)
	case *ast.SelectorExpr:
		if id, ok := t.X.(*ast.Ident); ok {
			if l, _ := w.scope.lookup(id); l == nil {
				return qualified(w, id, t.Sel)
			}
		}
		return facts.Unknown // only in broken code
	case *ast.StarExpr:
		return typeOf(w, t.X, symbol)
	case *ast.ParenExpr:
		return typeOf(w, t.X, symbol)
	case *ast.ArrayType:
		if t.Len != nil && !w.quiet {
			expr(w, t.Len, facts.Read)
		}
		return listOf(typeOf(w, t.Elt, symbol))
	case *ast.Ellipsis:
		return listOf(typeOf(w, t.Elt, symbol))
	case *ast.MapType:
		return mapOf(typeOf(w, t.Key, symbol), typeOf(w, t.Value, symbol))
	case *ast.ChanType:
		e := typeOf(w, t.Value, symbol)
		return mapOf(e, e)
	case *ast.FuncType:
		return funcType(w, t, symbol)
	case *ast.StructType:
		return structType(w, t, symbol)
	case *ast.InterfaceType:
		return interfaceType(w, t, symbol)
	case *ast.IndexExpr:
		return generic(w, t.X, []ast.Expr{t.Index})
	case *ast.IndexListExpr:
		return generic(w, t.X, t.Indices)
	case *ast.UnaryExpr: // ~T
		return typeOf(w, t.X, symbol)
	case *ast.BinaryExpr:
		if t.Op == token.OR {
			return unionOf(typeOf(w, t.X, symbol), typeOf(w, t.Y, symbol))
		}
	case nil, *ast.BadExpr:
		return facts.Unknown
	}
	return facts.Unknown
}

// typeName is a type by its name.
func typeName(w *walker, t *ast.Ident) facts.Expr {
	if l, s := w.scope.lookup(t); l != nil {
		useOf(w, t, l.at, facts.Type)
		switch {
		case l.spec == nil && l.value.isType:
			return l.value.expr
		case l.spec == nil || hasLocal(l.spec.Type, s):
			return facts.External
		}
		return l.value.expr
	}
	if isPredeclared(w.top, t.Name) {
		return facts.External
	}
	useEarly(w, t)
	w.ref(t, facts.Type, facts.Nothing)
	return facts.Name(t.Name)
}

// qualified is something of a package.
func qualified(w *walker, pkg, name *ast.Ident) facts.Expr {
	usePackage(w, pkg)
	if !w.sure[pkg.Name] {
		w.ref(pkg, facts.Read, facts.Nothing)
	}
	of := facts.Name(pkg.Name)
	w.ref(name, facts.Type, of)
	return of.Member(name.Name)
}

// generic is a type with arguments.
func generic(w *walker, x ast.Expr, args []ast.Expr) facts.Expr {
	base := typeOf(w, x, -1)
	types := make([]facts.Expr, len(args))
	for i, a := range args {
		types[i] = typeOf(w, a, -1)
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
func funcType(w *walker, t *ast.FuncType, symbol int) facts.Expr {
	bindParameters(w, t)
	if t.Params != nil && !w.quiet {
		for _, f := range t.Params.List {
			typeOf(w, f.Type, symbol)
		}
	}
	results := fieldTypes(w, t.Results, symbol)
	if len(results) == 0 {
		if yields := yieldsOf(w, t); len(yields) > 0 {
			return mapOf(yields[0], yields[len(yields)-1])
		}
	}
	return funcOf(results)
}

func yieldsOf(w *walker, t *ast.FuncType) []facts.Expr {
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
	return fieldTypes(w, yield.Params, -1)
}

// fieldTypes are the types of parameters or results, one for each name.
func fieldTypes(w *walker, list *ast.FieldList, symbol int) []facts.Expr {
	if list == nil {
		return nil
	}
	var out []facts.Expr
	for _, f := range list.List {
		t := typeOf(w, f.Type, symbol)
		for range max(len(f.Names), 1) {
			out = append(out, t)
		}
	}
	return out
}

// results are the types of results or parameters, without references.
func results(w *walker, list *ast.FieldList) []facts.Expr {
	quiet := w.quiet
	w.quiet = true
	defer func() { w.quiet = quiet }()
	return fieldTypes(w, list, -1)
}

// signature walks parameters and results and makes them local.
func signature(w *walker, t *ast.FuncType) {
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			typeOf(w, f.Type, -1)
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
			v := valueOf(w, f.Type, w.scope)
			for _, id := range f.Names {
				bind(w, id, "parameter", f.Type)
				ids, values = append(ids, id), append(values, v)
			}
		}
	}
	for i, id := range ids {
		declare(w.scope, id, values[i])
	}
}
