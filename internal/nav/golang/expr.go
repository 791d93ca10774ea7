package golang

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// expr walks an expression, of which the last name is used in the way of kind,
// and returns what is known of its value.
func (w *walker) expr(x ast.Expr, kind facts.Kind) value {
	switch x := x.(type) {
	case *ast.Ident:
		return w.ident(x, kind)
	case *ast.SelectorExpr:
		return w.selector(x, kind)
	case *ast.CallExpr:
		return w.callExpr(x)
	case *ast.ParenExpr:
		return w.expr(x.X, kind)
	case *ast.StarExpr:
		return w.expr(x.X, kindOfPart(kind))
	case *ast.UnaryExpr:
		return w.unary(x)
	case *ast.BinaryExpr:
		return w.binary(x)
	case *ast.IndexExpr:
		return w.index(x.X, []ast.Expr{x.Index}, kind)
	case *ast.IndexListExpr:
		return w.index(x.X, x.Indices, kind)
	case *ast.SliceExpr:
		v := w.expr(x.X, facts.Read)
		for _, i := range []ast.Expr{x.Low, x.High, x.Max} {
			if i != nil {
				w.expr(i, facts.Read)
			}
		}
		v.callee = nil
		return v
	case *ast.TypeAssertExpr:
		w.expr(x.X, facts.Read)
		if x.Type == nil {
			return noValue
		}
		w.typeOf(x.Type, -1)
		return w.valueOf(x.Type, w.scope)
	case *ast.CompositeLit:
		return w.literal(x)
	case *ast.FuncLit:
		return w.funcLit(x)
	case *ast.BasicLit:
		return someValue
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType, *ast.Ellipsis:
		v := value{expr: w.typeOf(x, -1), isType: true}
		if hasLocal(x, w.scope) {
			v.typ, v.scope = x, w.scope
		}
		return v
	case *ast.KeyValueExpr: // only in broken code
		w.expr(x.Key, facts.Read)
		return w.expr(x.Value, facts.Read)
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

func (w *walker) ident(x *ast.Ident, kind facts.Kind) value {
	if l, s := w.scope.lookup(x); l != nil {
		w.use(x, l.at, kind)
		v := l.value
		if l.spec != nil && hasLocal(l.spec.Type, s) {
			v.typ, v.scope = l.spec.Type, s
		}
		return v
	}
	if w.isPredeclared(x.Name) {
		return someValue
	}
	w.ref(x, kind, facts.Nothing)
	return value{expr: facts.Name(x.Name)}
}

func (w *walker) selector(x *ast.SelectorExpr, kind facts.Kind) value {
	if id, ok := x.X.(*ast.Ident); ok && w.paths[id.Name] != "" {
		if l, _ := w.scope.lookup(id); l == nil {
			if w.usePackage(id); w.sure[id.Name] {
				return w.member(value{expr: facts.Name(id.Name)}, x.Sel, kind)
			}
		}
	}
	return w.member(w.expr(x.X, facts.Read), x.Sel, kind)
}

func (w *walker) unary(x *ast.UnaryExpr) value {
	v := w.expr(x.X, facts.Read)
	v.callee = nil
	switch x.Op {
	case token.ARROW:
		return w.element(v)
	case token.NOT:
		return someValue
	}
	return v
}

func (w *walker) binary(x *ast.BinaryExpr) value {
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
	v := w.expr(left, facts.Read)
	for _, b := range slices.Backward(right) {
		r := w.expr(b.Y, facts.Read)
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
func (w *walker) index(x ast.Expr, args []ast.Expr, kind facts.Kind) value {
	v := w.expr(x, kindOfPart(kind))
	v.callee = nil
	types := v.typ == nil && v.expr != facts.External && v.expr.Known() && !w.isLocalVar(x)
	for _, a := range args {
		types = w.mayBeType(a) && types
	}
	if !types {
		for _, a := range args {
			w.expr(a, facts.Read)
		}
		return w.element(v)
	}
	arguments := make([]facts.Expr, len(args))
	for i, a := range args {
		arguments[i] = w.typeArgument(a, len(args) > 1)
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
func (w *walker) isLocalVar(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	l, _ := w.scope.lookup(id)
	return l != nil && l.spec == nil
}

// mayBeType reports whether something in brackets may be a type.
func (w *walker) mayBeType(x ast.Expr) bool {
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
		return w.mayBeType(x.X)
	case *ast.ParenExpr:
		return w.mayBeType(x.X)
	case *ast.IndexExpr:
		return w.mayBeType(x.X) && w.mayBeType(x.Index)
	case *ast.IndexListExpr:
		return true
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	}
	return false
}

// typeArgument walks what may be a type argument. A lone name may also be an
// index, so it is read rather than a use of a type.
func (w *walker) typeArgument(x ast.Expr, certain bool) facts.Expr {
	switch x.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if !certain {
			v := w.expr(x, facts.Read)
			if v.typ != nil {
				return facts.External
			}
			return v.expr
		}
	}
	return w.typeOf(x, -1)
}

func (w *walker) funcLit(x *ast.FuncLit) value {
	w.block(func() {
		w.signature(x.Type)
		if x.Body != nil {
			w.inFunction(func() { w.statements(x.Body.List) })
		}
	})
	return w.valueOf(x.Type, w.scope)
}
