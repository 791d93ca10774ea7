package golang

import (
	"go/ast"
	"strconv"
	"strings"
)

// shape is the signature of a function in a form that is equal for functions
// of the same type: no names, types of packages as "path".Name, of the own
// package as "".Name, type parameters of the receiver as $0. Names of what is
// not certain to be an import are "?name".
func shape(w *walker, t *ast.FuncType, params []string) string {
	s := shaper{w, params}
	return s.signature(t)
}

type shaper struct {
	w      *walker
	params []string
}

func (s shaper) signature(t *ast.FuncType) string {
	return "(" + s.fields(t.Params) + ")(" + s.fields(t.Results) + ")"
}

func (s shaper) fields(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var parts []string
	for _, f := range list.List {
		text := s.typ(f.Type)
		for range max(len(f.Names), 1) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ",")
}

func (s shaper) typ(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return s.name(t.Name)
	case *ast.SelectorExpr:
		if id, ok := t.X.(*ast.Ident); ok {
			if p, ok := s.w.paths[id.Name]; ok {
				return strconv.Quote(p) + "." + t.Sel.Name
			}
			return strconv.Quote("?"+id.Name) + "." + t.Sel.Name
		}
	case *ast.StarExpr:
		return "*" + s.typ(t.X)
	case *ast.ParenExpr:
		return s.typ(t.X)
	case *ast.ArrayType:
		return "[" + length(t.Len) + "]" + s.typ(t.Elt)
	case *ast.Ellipsis:
		return "..." + s.typ(t.Elt)
	case *ast.MapType:
		return "map[" + s.typ(t.Key) + "]" + s.typ(t.Value)
	case *ast.ChanType:
		return "chan" + strconv.Itoa(int(t.Dir)) + " " + s.typ(t.Value)
	case *ast.FuncType:
		return "func" + s.signature(t)
	case *ast.InterfaceType:
		if t.Methods == nil || len(t.Methods.List) == 0 {
			return "any"
		}
		return s.members("interface", t.Methods)
	case *ast.StructType:
		return s.members("struct", t.Fields)
	case *ast.IndexExpr:
		return s.typ(t.X) + "[" + s.typ(t.Index) + "]"
	case *ast.IndexListExpr:
		parts := make([]string, len(t.Indices))
		for i, x := range t.Indices {
			parts[i] = s.typ(x)
		}
		return s.typ(t.X) + "[" + strings.Join(parts, ",") + "]"
	}
	return "?"
}

func (s shaper) members(word string, list *ast.FieldList) string {
	if list == nil {
		return word + "{}"
	}
	var parts []string
	for _, f := range list.List {
		for _, id := range f.Names {
			parts = append(parts, id.Name+" "+s.typ(f.Type))
		}
		if len(f.Names) == 0 {
			parts = append(parts, s.typ(f.Type))
		}
	}
	return word + "{" + strings.Join(parts, ";") + "}"
}

// name is a type by its name. byte and rune are aliases.
func (s shaper) name(name string) string {
	for i, p := range s.params {
		if p == name {
			return "$" + strconv.Itoa(i)
		}
	}
	if isPredeclared(s.w.top, name) {
		switch name {
		case "byte":
			return "uint8"
		case "rune":
			return "int32"
		}
		return name
	}
	return `"".` + name
}

// length is that of an array type as written.
func length(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Value
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return length(x.X) + "." + x.Sel.Name
	case nil:
		return ""
	}
	return "?"
}
