package golang

import (
	"go/ast"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

func callExpr(w *walker, x *ast.CallExpr) value {
	if id, ok := x.Fun.(*ast.Ident); ok {
		if l, _ := w.scope.lookup(id); l == nil {
			if v, ok := builtin(w, id, x.Args); ok {
				return v
			}
		}
	}
	callee := expr(w, x.Fun, facts.Call)
	callee.callee = nil
	callee.args = arguments(w, x)
	if callee.isType && callee.typ == nil {
		return value{expr: callee.expr.Value()}
	}
	v := call(w, callee, 0)
	v.callee = &callee
	return v
}

// arguments walks the arguments of a call, and returns them if they may say
// what the type parameters of a generic function are.
func arguments(w *walker, x *ast.CallExpr) []facts.Expr {
	wanted, useful := mayInfer(w, x.Fun), false
	var args []facts.Expr
	for _, a := range x.Args {
		v := expr(w, a, facts.Read)
		if wanted {
			useful = useful || v.expr != facts.External && v.expr.Known()
			args = append(args, v.expr)
		}
	}
	if !useful {
		return nil
	}
	return args
}

// mayInfer reports whether what is called may be a generic function. Methods
// are not, and few functions of the standard library.
func mayInfer(w *walker, x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		if l, _ := w.scope.lookup(x); l != nil {
			return false
		}
		f, own := w.functions[x.Name]
		return !own && w.top[x.Name] == nil || own && f.Type.TypeParams != nil
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		if !ok {
			return false
		}
		if l, _ := w.scope.lookup(id); l != nil {
			return false
		}
		p, ok := w.paths[id.Name]
		first, _, _ := strings.Cut(p, "/")
		return ok && (strings.Contains(first, ".") || genericPackages[p] || strings.Contains(p, "/"))
	}
	return false
}

// genericPackages are those of the standard library at its top level that have
// generic functions.
var genericPackages = map[string]bool{
	"slices": true, "maps": true, "iter": true, "sync": true, "cmp": true,
	"unique": true, "weak": true, "runtime": true, "errors": true, "unsafe": true,
}

// builtin handles calls of functions that the language has itself.
func builtin(w *walker, id *ast.Ident, args []ast.Expr) (value, bool) {
	if _, own := w.top[id.Name]; own || len(args) == 0 {
		return value{}, false
	}
	switch id.Name {
	case "new", "make":
		if !mayBeType(w, args[0]) { // new(expression)
			break
		}
		typeOf(w, args[0], -1)
		each(w, args[1:])
		return valueOf(w, args[0], w.scope), true
	case "append":
		v := expr(w, args[0], facts.Read)
		each(w, args[1:])
		return v, true
	case "min", "max":
		w.ref(id, facts.Call, facts.Nothing)
		v := expr(w, args[0], facts.Read)
		for _, a := range args[1:] {
			if r := expr(w, a, facts.Read); v.expr == facts.External {
				v = r
			}
		}
		return v, true
	}
	return value{}, false
}

func each(w *walker, list []ast.Expr) {
	for _, x := range list {
		expr(w, x, facts.Read)
	}
}

// literal is a composite literal.
func literal(w *walker, x *ast.CompositeLit) value {
	if x.Type == nil {
		elements(w, x, noValue)
		return noValue
	}
	t := x.Type
	if a, ok := t.(*ast.ArrayType); ok {
		if _, open := a.Len.(*ast.Ellipsis); open {
			t = &ast.ArrayType{Lbrack: a.Lbrack, Elt: a.Elt}
		}
	}
	typeOf(w, t, -1)
	v := valueOf(w, t, w.scope)
	elements(w, x, v)
	return v
}

// What the keys of a composite literal are.
type keys int

const (
	keysUnknown keys = iota
	keysFields
	keysLocal  // fields that only this file knows
	keysValues // of maps, indexes of arrays
)

// keysOf says what the keys of a literal of that type are, as far as the file
// can say.
func keysOf(scope *scope, top map[string]*ast.TypeSpec, x *ast.CompositeLit, v value) keys {
	t, s := x.Type, scope
	if v.typ != nil {
		t, s = underlying(v.typ, v.scope)
		if _, ok := t.(*ast.StructType); ok {
			return keysLocal
		}
	}
	for range 8 {
		switch y := t.(type) {
		case *ast.ArrayType, *ast.MapType:
			return keysValues
		case *ast.StructType:
			return keysFields
		case *ast.ParenExpr:
			t = y.X
		case *ast.IndexExpr:
			t = y.X
		case *ast.IndexListExpr:
			t = y.X
		case *ast.Ident:
			l, at := s.lookup(y)
			if l != nil {
				if l.spec == nil {
					return keysUnknown
				}
				t, s = l.spec.Type, at
				continue
			}
			spec := top[y.Name]
			if spec == nil {
				return keysUnknown
			}
			t, s = spec.Type, nil
		default:
			return keysUnknown
		}
	}
	return keysUnknown
}

// elements walks what is inside of a literal of the type of v.
func elements(w *walker, x *ast.CompositeLit, v value) {
	keys := keysOf(w.scope, w.top, x, v)
	for _, e := range x.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			part(w, e, v, false)
			continue
		}
		id, ok := kv.Key.(*ast.Ident)
		if !ok || keys == keysValues {
			part(w, kv.Key, v, true)
			part(w, kv.Value, v, false)
			continue
		}
		if keys != keysLocal {
			fieldKey(w, id, v, keys)
		} else if f, _ := localMember(w, v.typ, v.scope, id.Name, 0); f != nil {
			useField(w, id, f, facts.Write)
		}
		part(w, kv.Value, v, false)
	}
}

// fieldKey is a key that may be a field; if it is none, a name of the package
// or file.
func fieldKey(w *walker, id *ast.Ident, v value, keys keys) {
	before := len(w.out.Refs)
	w.ref(id, facts.Write, v.expr)
	if l, _ := w.scope.lookup(id); l != nil && keys == keysUnknown {
		useOf(w, id, l.at, facts.Read) // unless the reference is one
	}
	if len(w.out.Refs) == before || keys == keysFields {
		return
	}
	if l, _ := w.scope.lookup(id); l == nil && !isPredeclared(w.top, id.Name) {
		r := &w.out.Refs[before]
		r.Bare = r.Of != facts.Nothing
	}
}

// part is a key or element of a literal; one without a type has the type of
// the elements or keys.
func part(w *walker, e ast.Expr, v value, key bool) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok || lit.Type != nil {
		expr(w, e, facts.Read)
		return
	}
	if key {
		elements(w, lit, keyOf(w, v))
	} else {
		elements(w, lit, element(w, v))
	}
}
