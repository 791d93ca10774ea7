package syntax

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// accepts is what the parameters of a method are called by.
func (p *java) accepts(n at) string {
	list := p.child(n, "parameters")
	if list < 0 || p.hasErrors(list) {
		return ""
	}
	var all []string
	for c := range p.named(list) {
		switch p.kind(c) {
		case "formal_parameter":
			all = append(all, p.typeName(p.child(c, "type"))+strings.ReplaceAll(p.text(p.child(c, "dimensions")), " ", ""))
		case "spread_parameter":
			t := none
			for x := range p.named(c) {
				if k := p.kind(x); k != "modifiers" && k != "variable_declarator" && t < 0 {
					t = x
				}
			}
			all = append(all, "..."+p.typeName(t))
		}
	}
	return signature(all)
}

// typeName is the name of a type without its package and type arguments; ""
// for type parameters, which stand for any type.
func (p *java) typeName(n at) string {
	switch p.kind(n) {
	case "integral_type", "floating_point_type", "boolean_type":
		return p.text(n)
	case "type_identifier", "identifier":
		name := p.text(n)
		if v, sc := p.scopeOf(n).find(name, true); v != nil && sc != p.top && len(v.sources) > 0 &&
			v.sources[0].expr == facts.Name(name) {
			return ""
		}
		return name
	case "generic_type":
		return p.typeName(p.nth(n, 0))
	case "scoped_type_identifier", "annotated_type":
		return p.typeName(p.last(n))
	case "array_type":
		if e := p.typeName(p.child(n, "element")); e != "" {
			return e + strings.ReplaceAll(p.text(p.child(n, "dimensions")), " ", "")
		}
	}
	return ""
}

// given is the type of an argument where the text says it: a literal, a new
// object, a cast, a variable with a declared type, this; else "".
func (p *java) given(n at) string {
	switch p.kind(n) {
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
		if strings.HasSuffix(strings.ToLower(p.text(n)), "l") {
			return "long"
		}
		return "int"
	case "decimal_floating_point_literal", "hex_floating_point_literal":
		if strings.HasSuffix(strings.ToLower(p.text(n)), "f") {
			return "float"
		}
		return "double"
	case "unary_expression":
		if op := p.text(p.child(n, "operator")); op == "!" {
			return "boolean"
		} else if t := p.given(p.child(n, "operand")); op == "-" &&
			(t == "int" || t == "long" || t == "float" || t == "double") {
			return t
		}
	case "binary_expression":
		if p.text(p.child(n, "operator")) == "+" &&
			(p.given(p.child(n, "left")) == "String" || p.given(p.child(n, "right")) == "String") {
			return "String"
		}
	case "parenthesized_expression":
		return p.given(p.nth(n, 0))
	case "object_creation_expression", "cast_expression":
		return p.typeName(p.child(n, "type"))
	case "array_creation_expression":
		if e := p.typeName(p.child(n, "type")); e != "" {
			return e + "[]"
		}
	case "this":
		return p.thisName(n)
	case "identifier":
		return p.localType(n)
	}
	return ""
}

// thisName is the name of the class around, "" in those without one.
func (p *java) thisName(n at) string {
	decl := p.parent(p.up(n, "class_body", "enum_body", "interface_body"))
	switch p.kind(decl) {
	case "class_declaration", "enum_declaration", "interface_declaration", "record_declaration":
		return p.text(p.child(decl, "name"))
	}
	return ""
}

// localType is the declared type of a parameter or variable of a method, ""
// where there are several of the name.
func (p *java) localType(n at) string {
	v, _ := p.scopeOf(n).find(p.text(n), true)
	if v == nil || v.symbol != nil || len(v.sources) == 0 {
		return ""
	}
	name := ""
	for i, s := range v.sources {
		if up := p.parent(s.node); s.node <= 0 || !s.isDeclared() || p.kind(up) == "catch_type" && p.nth(up, 1) >= 0 {
			return ""
		}
		if t := p.typeName(s.node); i == 0 {
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
