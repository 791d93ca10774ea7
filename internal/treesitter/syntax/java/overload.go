package java

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// accepts is what the parameters of a method are called by.
func accepts(p *walker, n binder.At) string {
	list := p.Child(n, "parameters")
	if list < 0 || p.HasErrors(list) {
		return ""
	}
	var all []string
	for c := range p.Named(list) {
		switch p.Kind(c) {
		case "formal_parameter":
			all = append(all, typeName(p, p.Child(c, "type"))+strings.ReplaceAll(p.TextAt(p.Child(c, "dimensions")), " ", ""))
		case "spread_parameter":
			t := binder.None
			for x := range p.Named(c) {
				if k := p.Kind(x); k != "modifiers" && k != "variable_declarator" && t < 0 {
					t = x
				}
			}
			all = append(all, "..."+typeName(p, t))
		}
	}
	return binder.Signature(all)
}

// typeName is the name of a type without its package and type arguments; ""
// for type parameters, which stand for any type.
func typeName(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "integral_type", "floating_point_type", "boolean_type":
		return p.TextAt(n)
	case "type_identifier", "identifier":
		name := p.TextAt(n)
		if v, sc := p.ScopeOf(n).Find(name, true); v != nil && sc != p.Top && len(v.Sources) > 0 &&
			v.Sources[0].Expr == facts.Name(name) {
			return ""
		}
		return name
	case "generic_type":
		return typeName(p, p.Nth(n, 0))
	case "scoped_type_identifier", "annotated_type":
		return typeName(p, p.Last(n))
	case "array_type":
		if e := typeName(p, p.Child(n, "element")); e != "" {
			return e + strings.ReplaceAll(p.TextAt(p.Child(n, "dimensions")), " ", "")
		}
	}
	return ""
}

// given is the type of an argument where the text says it: a literal, a new
// object, a cast, a variable with a declared type, this; else "".
func given(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "string_literal", "text_block":
		return "String"
	case "character_literal":
		return "char"
	case "true", "false", "instanceof_expression":
		return "boolean"
	case "null_literal":
		return "null"
	case "lambda_expression", "method_reference":
		return "->"
	case "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal":
		if strings.HasSuffix(strings.ToLower(p.TextAt(n)), "l") {
			return "long"
		}
		return "int"
	case "decimal_floating_point_literal", "hex_floating_point_literal":
		if strings.HasSuffix(strings.ToLower(p.TextAt(n)), "f") {
			return "float"
		}
		return "double"
	case "unary_expression":
		if op := p.TextAt(p.Child(n, "operator")); op == "!" {
			return "boolean"
		} else if t := given(p, p.Child(n, "operand")); op == "-" &&
			(t == "int" || t == "long" || t == "float" || t == "double") {
			return t
		}
	case "binary_expression":
		if p.TextAt(p.Child(n, "operator")) == "+" &&
			(given(p, p.Child(n, "left")) == "String" || given(p, p.Child(n, "right")) == "String") {
			return "String"
		}
	case "parenthesized_expression":
		return given(p, p.Nth(n, 0))
	case "object_creation_expression", "cast_expression":
		return typeName(p, p.Child(n, "type"))
	case "array_creation_expression":
		if e := typeName(p, p.Child(n, "type")); e != "" {
			return e + "[]"
		}
	case "this":
		return thisName(p, n)
	case "identifier":
		return localType(p, n)
	}
	return ""
}

// thisName is the name of the class around, "" in those without one.
func thisName(p *walker, n binder.At) string {
	decl := p.Parent(p.Up(n, "class_body", "enum_body", "interface_body"))
	switch p.Kind(decl) {
	case "class_declaration", "enum_declaration", "interface_declaration", "record_declaration":
		return p.TextAt(p.Child(decl, "name"))
	}
	return ""
}

// localType is the declared type of a parameter or variable of a method, ""
// where there are several of the name.
func localType(p *walker, n binder.At) string {
	v, _ := p.ScopeOf(n).Find(p.TextAt(n), true)
	if v == nil || v.Symbol != nil || len(v.Sources) == 0 {
		return ""
	}
	name := ""
	for i, s := range v.Sources {
		if up := p.Parent(s.Node); s.Node <= 0 || !s.IsDeclared() || p.Kind(up) == "catch_type" && p.Nth(up, 1) >= 0 {
			return ""
		}
		if t := typeName(p, s.Node); i == 0 {
			name = t
		} else if t != name {
			return ""
		}
	}
	if name == "var" {
		return ""
	}
	return name
}
