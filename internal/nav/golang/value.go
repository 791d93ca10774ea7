package golang

import (
	"go/ast"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// valueOf is a value of a type that is read in a scope.
func valueOf(w *walker, t ast.Expr, s *scope) value {
	v := value{expr: text(w, t, s).Value()}
	if hasLocal(t, s) {
		v.typ, v.scope = t, s
	}
	return v
}

// text is a type as an expression. It adds no references.
func text(w *walker, t ast.Expr, s *scope) facts.Expr {
	before, quiet := w.scope, w.quiet
	w.scope, w.quiet = s, true
	out := typeOf(w, t, -1)
	w.scope, w.quiet = before, quiet
	return out
}

// hasLocal reports whether a type has parts that only this file knows.
func hasLocal(t ast.Expr, s *scope) bool {
	switch t := t.(type) {
	case *ast.Ident:
		l, _ := s.lookup(t)
		return l != nil && l.spec != nil
	case *ast.StructType:
		return t.Fields != nil && len(t.Fields.List) > 0
	case *ast.InterfaceType:
		return t.Methods != nil && len(t.Methods.List) > 0
	case *ast.StarExpr:
		return hasLocal(t.X, s)
	case *ast.ParenExpr:
		return hasLocal(t.X, s)
	case *ast.Ellipsis:
		return t.Elt != nil && hasLocal(t.Elt, s)
	case *ast.ArrayType:
		return hasLocal(t.Elt, s)
	case *ast.MapType:
		return hasLocal(t.Key, s) || hasLocal(t.Value, s)
	case *ast.ChanType:
		return hasLocal(t.Value, s)
	case *ast.FuncType:
		if t.Results != nil {
			for _, f := range t.Results.List {
				if hasLocal(f.Type, s) {
					return true
				}
			}
		}
	}
	return false
}

// underlying follows local types, pointers and parentheses.
func underlying(t ast.Expr, s *scope) (ast.Expr, *scope) {
	for range 32 {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.Ident:
			l, at := s.lookup(x)
			if l == nil || l.spec == nil {
				return t, s
			}
			t, s = l.spec.Type, at
		default:
			return t, s
		}
	}
	return nil, nil
}

// assigned is the i-th of n values on the left.
func assigned(w *walker, values []value, i, n int) value {
	if len(values) == n && i < n {
		return values[i]
	}
	if len(values) == 1 {
		return result(w, values[0], i)
	}
	return noValue
}

// result is the n-th value of an expression that has several.
func result(w *walker, v value, n int) value {
	if n == 0 {
		return v
	}
	if v.callee == nil {
		return someValue // ok of an index expression, assertion or receive
	}
	return call(w, *v.callee, n)
}

// call is the n-th result of calling v.
func call(w *walker, v value, n int) value {
	if v.typ != nil {
		if v.isType {
			v.isType = false
			return v
		}
		typ, s := underlying(v.typ, v.scope)
		if f, ok := typ.(*ast.FuncType); ok && f.Results != nil {
			if t := nth(f.Results, n); t != nil {
				return valueOf(w, t, s)
			}
		}
		return noValue
	}
	if v.expr == facts.External {
		return someValue
	}
	if v.args != nil {
		if e := v.expr.CallWith(n, v.args...); e.Known() && e.Size() <= maxWithArgs {
			return value{expr: e}
		}
	}
	return value{expr: v.expr.Call(n)}
}

// maxWithArgs is the longest call in bytes that is written with its arguments:
// they are of use for generic functions only, so that they must not make
// expressions too long.
const maxWithArgs = 120

// nth is the type of the n-th parameter or result of a list.
func nth(list *ast.FieldList, n int) ast.Expr {
	for _, f := range list.List {
		k := max(len(f.Names), 1)
		if n < k {
			return f.Type
		}
		n -= k
	}
	return nil
}

// element is what indexing v gives.
func element(w *walker, v value) value {
	if v.typ != nil {
		switch t, s := underlying(v.typ, v.scope); t := t.(type) {
		case *ast.ArrayType:
			return valueOf(w, t.Elt, s)
		case *ast.Ellipsis:
			return valueOf(w, t.Elt, s)
		case *ast.MapType:
			return valueOf(w, t.Value, s)
		case *ast.ChanType:
			return valueOf(w, t.Value, s)
		}
	}
	if v.expr == facts.External {
		return someValue
	}
	return value{expr: v.expr.Elem()}
}

// keyOf is what ranging over v gives first.
func keyOf(w *walker, v value) value {
	if v.typ != nil {
		switch t, s := underlying(v.typ, v.scope); t := t.(type) {
		case *ast.ArrayType, *ast.Ellipsis:
			return someValue
		case *ast.MapType:
			return valueOf(w, t.Key, s)
		case *ast.ChanType:
			return valueOf(w, t.Value, s)
		}
	}
	if v.expr == facts.External {
		return someValue
	}
	return value{expr: v.expr.Key()}
}

// member is what a selector gives, with the reference to it.
func member(w *walker, v value, name *ast.Ident, kind facts.Kind) value {
	if v.typ != nil {
		found, of := localMember(w, v.typ, v.scope, name.Name, 0)
		if found != nil {
			useField(w, name, found, kind)
			return valueOf(w, found.typ, found.scope)
		}
		if of == facts.Nothing {
			return someValue
		}
		v = value{expr: of.Value()}
	}
	w.ref(name, kind, v.expr)
	if v.expr == facts.External {
		return someValue
	}
	return value{expr: v.expr.Member(name.Name)}
}

// A localField is a field or method of a type that only this file knows.
type localField struct {
	name  *ast.Ident
	typ   ast.Expr
	scope *scope // that typ is read in
}

// useField notes the use of such a field.
func useField(w *walker, use *ast.Ident, f *localField, kind facts.Kind) {
	bind(w, f.name, "field", f.typ)
	useOf(w, use, f.name.Pos(), kind)
}

// localMember looks in a type that has local parts: a field or method of it,
// or else what its embedded types are, as a type.
func localMember(w *walker, t ast.Expr, s *scope, name string, depth int) (*localField, facts.Expr) {
	t, s = underlying(t, s)
	var list *ast.FieldList
	switch x := t.(type) {
	case *ast.StructType:
		list = x.Fields
	case *ast.InterfaceType:
		list = x.Methods
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		return nil, text(w, t, s)
	}
	if list == nil || depth > 8 {
		return nil, facts.Nothing
	}
	var embedded []facts.Expr
	for _, f := range list.List {
		for _, id := range f.Names {
			if id.Name == name {
				return &localField{id, f.Type, s}, facts.Nothing
			}
		}
		if len(f.Names) > 0 {
			continue
		}
		if base := baseIdent(f.Type); base != nil && base.Name == name {
			return &localField{base, f.Type, s}, facts.Nothing
		}
		inner, of := localMember(w, f.Type, s, name, depth+1)
		if inner != nil {
			return inner, facts.Nothing
		}
		if of != facts.Nothing {
			embedded = append(embedded, of)
		}
	}
	switch len(embedded) {
	case 0:
		return nil, facts.Nothing
	case 1:
		return nil, embedded[0]
	}
	return nil, facts.Union(embedded...)
}

// baseIdent is the name of an embedded type.
func baseIdent(t ast.Expr) *ast.Ident {
	switch t := t.(type) {
	case *ast.Ident:
		return t
	case *ast.StarExpr:
		return baseIdent(t.X)
	case *ast.ParenExpr:
		return baseIdent(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.IndexExpr:
		return baseIdent(t.X)
	case *ast.IndexListExpr:
		return baseIdent(t.X)
	}
	return nil
}

// hasStruct reports whether a type is written with a struct or interface that
// has members.
func hasStruct(t ast.Expr) bool { return hasLocal(t, nil) }
