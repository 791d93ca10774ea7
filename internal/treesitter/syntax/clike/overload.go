package clike

import (
	"strings"

	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// accepts is what the parameters of a function of C++ are called by. In the
// definition of a function that is declared elsewhere any may be left out:
// their defaults are there.
func accepts(p *walker, shape binder.At, elsewhere bool) string {
	list := p.Child(shape, "parameters")
	if p.Language != "C++" || list < 0 || p.HasErrors(list) {
		return ""
	}
	var all []string
	for c := range p.All(list) {
		switch k := p.Kind(c); k {
		case "parameter_declaration", "optional_parameter_declaration":
			if p.TextAt(c) == "void" {
				continue
			}
			name := parameterName(p, c)
			if elsewhere || k == "optional_parameter_declaration" {
				name = "=" + name
			}
			all = append(all, name)
		case "variadic_parameter", "variadic_parameter_declaration", "...":
			all = append(all, "...")
		}
	}
	return binder.Signature(all)
}

// parameterName is the type of a parameter that literals are told apart by:
// numbers, characters, strings. Others are "": they may be made of anything.
func parameterName(p *walker, n binder.At) string {
	constant := false
	for c := range p.Named(n) {
		constant = constant || p.Kind(c) == "type_qualifier" && p.TextAt(c) == "const"
	}
	name := arithmetic(p.TextAt(p.Child(n, "type")))
	switch d := p.Child(n, "declarator"); p.Kind(d) {
	case "", "identifier":
		return name
	case "reference_declarator", "abstract_reference_declarator":
		if constant && !strings.ContainsAny(p.TextAt(d), "*[(") {
			return name
		}
	case "pointer_declarator", "abstract_pointer_declarator":
		if constant && name == "char" && strings.Count(p.TextAt(d), "*") == 1 && !strings.ContainsAny(p.TextAt(d), "[(") {
			return "char*"
		}
	}
	return ""
}

// arithmetic is a type of numbers or strings in one spelling, else "".
func arithmetic(name string) string {
	switch name = strings.Join(strings.Fields(name), " "); name {
	case "int", "long", "short", "unsigned", "double", "float", "bool", "char":
		return name
	case "unsigned int", "unsigned long", "long long", "unsigned long long", "unsigned char", "signed char",
		"unsigned short":
		return name
	case "std::string", "std::string_view":
		return "string"
	}
	return ""
}

// givenOf is the type of an argument that is a literal, else "". A 0 may be a
// pointer.
func givenOf(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "string_literal", "concatenated_string":
		if strings.HasPrefix(p.TextAt(n), `"`) {
			return "char*"
		}
	case "char_literal":
		if strings.HasPrefix(p.TextAt(n), "'") {
			return "char"
		}
	case "true", "false":
		return "bool"
	case "number_literal":
		return numberType(p.TextAt(n))
	}
	return ""
}

func numberType(text string) string {
	text = strings.ToLower(text)
	switch hex := strings.HasPrefix(text, "0x"); {
	case text == "0" || strings.ContainsAny(text, "'_p"):
		return ""
	case !hex && strings.HasSuffix(text, "f"):
		return "float"
	case !hex && strings.ContainsAny(text, ".e"):
		if strings.HasSuffix(text, "l") {
			return ""
		}
		return "double"
	case strings.ContainsAny(text, "ulz"):
		return "" // one of several types, by its value
	case len(text) > 9 || hex:
		return ""
	}
	return "int"
}
