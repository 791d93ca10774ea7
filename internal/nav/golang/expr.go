package golang

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// expr walks an expression, of which the last name is used in the way of kind,
// and returns what is known of its value.
func expr(w *walker, x ast.Expr, kind facts.Kind) value {
	switch x := x.(type) {
	case *ast.Ident:
		return ident(w, x, kind)
	case *ast.SelectorExpr:
		return selector(w, x, kind)
	case *ast.CallExpr:
		return callExpr(w, x)
	case *ast.ParenExpr:
		return expr(w, x.X, kind)
	case *ast.StarExpr:
		return expr(w, x.X, kindOfPart(kind))
	case *ast.UnaryExpr:
		return unary(w, x)
	case *ast.BinaryExpr:
		return binary(w, x)
	case *ast.IndexExpr:
		return index(w, x.X, []ast.Expr{x.Index}, kind)
	case *ast.IndexListExpr:
		return index(w, x.X, x.Indices, kind)
	case *ast.SliceExpr:
		v := expr(w, x.X, facts.Read)
		for _, i := range []ast.Expr{x.Low, x.High, x.Max} {
			if i != nil {
				expr(w, i, facts.Read)
			}
		}
		v.callee = nil
		return v
	case *ast.TypeAssertExpr:
		expr(w, x.X, facts.Read)
		if x.Type == nil {
			return noValue
		}
		typeOf(w, x.Type, -1)
		return valueOf(w, x.Type, w.scope)
	case *ast.CompositeLit:
		return literal(w, x)
	case *ast.FuncLit:
		return funcLit(w, x)
	case *ast.BasicLit:
		return someValue
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType, *ast.Ellipsis:
		v := value{expr: typeOf(w, x, -1), isType: true}
		if hasLocal(x, w.scope) {
			v.typ, v.scope = x, w.scope
		}
		return v
	case *ast.KeyValueExpr: // only in broken code
		expr(w, x.Key, facts.Read)
		return expr(w, x.Value, facts.Read)
	}
	return noValue
}

// kindOfPart is how the parts of an expression are used that is used in the
// way of kind: only what is called or a type is that in parts too.
func kindOfPart(kind facts.Kind) facts.Kind {
	if kind == facts.Write {
		return facts.Read
	}
	return kind
}

func ident(w *walker, x *ast.Ident, kind facts.Kind) value {
	if l, s := w.scope.lookup(x); l != nil {
		useOf(w, x, l.at, kind)
		v := l.value
		if l.spec != nil && hasLocal(l.spec.Type, s) {
			v.typ, v.scope = l.spec.Type, s
		}
		return v
	}
	if isPredeclared(w.top, x.Name) {
		return someValue
	}
	w.ref(x, kind, facts.Nothing)
	return value{expr: facts.Name(x.Name)}
}

func selector(w *walker, x *ast.SelectorExpr, kind facts.Kind) value {
	if id, ok := x.X.(*ast.Ident); ok && w.paths[id.Name] != "" {
		if l, _ := w.scope.lookup(id); l == nil {
			if usePackage(w, id); w.sure[id.Name] {
				return member(w, value{expr: facts.Name(id.Name)}, x.Sel, kind)
			}
		}
	}
	return member(w, expr(w, x.X, facts.Read), x.Sel, kind)
}

func unary(w *walker, x *ast.UnaryExpr) value {
	v := expr(w, x.X, facts.Read)
	v.callee = nil
	switch x.Op {
	case token.ARROW:
		return element(w, v)
	case token.NOT:
		return someValue
	}
	return v
}

func binary(w *walker, x *ast.BinaryExpr) value {
	// long sums lean to the left: no recursion there
	var right []*ast.BinaryExpr
	left := ast.Expr(x)
	for {
		b, ok := left.(*ast.BinaryExpr)
		if !ok {
			break
		}
		right = append(right, b)
		left = b.X
	}
	v := expr(w, left, facts.Read)
	for _, b := range slices.Backward(right) {
		r := expr(w, b.Y, facts.Read)
		switch b.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
			v = someValue
		case token.SHL, token.SHR:
		default:
			if v.expr == facts.External {
				v = r
			}
		}
	}
	v.callee = nil
	return v
}

// index is an index expression or an instantiation, which can look the same.
func index(w *walker, x ast.Expr, args []ast.Expr, kind facts.Kind) value {
	v := expr(w, x, kindOfPart(kind))
	v.callee = nil
	types := v.typ == nil && v.expr != facts.External && v.expr.Known() && !isLocalVar(w.scope, x)
	for _, a := range args {
		types = mayBeType(w, a) && types
	}
	if !types {
		for _, a := range args {
			expr(w, a, facts.Read)
		}
		return element(w, v)
	}
	arguments := make([]facts.Expr, len(args))
	for i, a := range args {
		arguments[i] = typeArgument(w, a, len(args) > 1)
		if !arguments[i].Known() {
			v.expr = arguments[i]
			return v
		}
	}
	v.expr = genericOf(v.expr, arguments)
	return v
}

// isLocalVar reports whether an expression is a local variable, which cannot
// be generic.
func isLocalVar(scope *scope, x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	l, _ := scope.lookup(id)
	return l != nil && l.spec == nil
}

// mayBeType reports whether something in brackets may be a type.
func mayBeType(w *walker, x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		if l, _ := w.scope.lookup(x); l != nil {
			return l.value.isType || l.spec != nil
		}
		return true
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		if !ok {
			return false
		}
		l, _ := w.scope.lookup(id)
		return l == nil
	case *ast.StarExpr:
		return mayBeType(w, x.X)
	case *ast.ParenExpr:
		return mayBeType(w, x.X)
	case *ast.IndexExpr:
		return mayBeType(w, x.X) && mayBeType(w, x.Index)
	case *ast.IndexListExpr:
		return true
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	}
	return false
}

// typeArgument walks what may be a type argument. A lone name may also be an
// index, so it is read rather than a use of a type.
func typeArgument(w *walker, x ast.Expr, certain bool) facts.Expr {
	switch x.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if !certain {
			v := expr(w, x, facts.Read)
			if v.typ != nil {
				return facts.External
			}
			return v.expr
		}
	}
	return typeOf(w, x, -1)
}

func funcLit(w *walker, x *ast.FuncLit) value {
	block(w, func() {
		signature(w, x.Type)
		if x.Body != nil {
			inFunction(w, func() { w.statements(x.Body.List) })
		}
	})
	return valueOf(w, x.Type, w.scope)
}
