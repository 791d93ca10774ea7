package clike

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
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
	constrained := isConstrained(p, shape)
	var all []string
	for c := range p.All(list) {
		switch k := p.Kind(c); k {
		case "parameter_declaration", "optional_parameter_declaration":
			if p.TextAt(c) == "void" {
				continue
			}
			name := written(p, c, p.Child(c, "declarator"))
			if constrained && strings.HasPrefix(name, anything) {
				name = something
			}
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

// Parameters of the type of a template parameter: of any, and of one of which the template
// demands something.
const (
	anything  = "_"
	something = "_?"
)

// isConstrained reports whether the template that a function declarator is in demands
// something of its parameters.
func isConstrained(p *walker, shape binder.At) bool {
	n := p.Up(shape, "function_definition", "declaration", "field_declaration")
	t := p.Parent(n)
	if p.Kind(t) != "template_declaration" {
		return false
	}
	before := p.Text[p.Nodes[t].Start:p.Nodes[shape].Start]
	return strings.Contains(before, "nable_if") || p.First(t, "requires_clause") >= 0 ||
		strings.Contains(p.TextAt(p.Child(t, "parameters")), "(")
}

// written is the type that a declaration gives a name by a declarator, which may be none:
// that of Signature. It is the last name of the type, "std::" before it if it stands there,
// with a "*" for each pointer or array behind it and "&" for a reference that takes
// no constant; numbers have one name each. It is "" where little follows from it.
func written(p *walker, n, declarator binder.At) string {
	name := typeName(p, p.Child(n, "type"))
	if name == "" {
		return ""
	}
	constant, stars, reference := false, "", ""
	for c := range p.Named(n) {
		constant = constant || p.Kind(c) == "type_qualifier" && strings.HasPrefix(p.TextAt(c), "const")
	}
	for d := declarator; d >= 0; {
		switch p.Kind(d) {
		case "pointer_declarator", "abstract_pointer_declarator", "array_declarator", "abstract_array_declarator":
			stars += "*"
		case "reference_declarator", "abstract_reference_declarator":
			if !strings.HasPrefix(p.TextAt(d), "&&") {
				reference = "&"
			}
		case "function_declarator", "abstract_function_declarator":
			if p.Kind(p.Child(d, "declarator")) == "parenthesized_declarator" {
				return "" // a pointer to a function
			}
		}
		next := p.Child(d, "declarator")
		if next < 0 && p.Kind(d) != "function_declarator" {
			next = p.First(d, "pointer_declarator", "reference_declarator", "array_declarator", "init_declarator",
				"parenthesized_declarator", "abstract_pointer_declarator", "abstract_reference_declarator")
		}
		d = next
	}
	if constant || stars != "" {
		reference = ""
	}
	return name + stars + reference
}

// typeName is the name of a type for written.
func typeName(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "primitive_type", "sized_type_specifier":
		return arithmetic(p.TextAt(n))
	case "type_identifier":
		if isTemplateParameter(p, n) {
			return anything
		}
		if name := arithmetic(p.TextAt(n)); name != "" {
			return name
		}
		return p.TextAt(n)
	case "qualified_identifier":
		std := p.TextAt(p.Child(n, "scope")) == "std"
		for p.Kind(n) == "qualified_identifier" {
			n = p.Child(n, "name")
		}
		name := p.TextAt(n)
		if k := p.Kind(n); k == "template_type" {
			name = templateName(p, n)
		} else if k != "type_identifier" {
			return ""
		}
		if number := arithmetic(name); std && number != "" {
			return number
		} else if std {
			return "std::" + name
		}
		return name
	case "template_type":
		return templateName(p, n)
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		if name := p.Child(n, "name"); name >= 0 {
			return p.TextAt(name)
		}
	case "type_descriptor":
		return typeName(p, p.Child(n, "type"))
	case "placeholder_type_specifier":
		return anything
	}
	return ""
}

// templateName is the name of a template, with "w" before that of wide characters.
func templateName(p *walker, n binder.At) string {
	name := p.TextAt(p.Child(n, "name"))
	switch p.TextAt(p.Nth(p.Child(n, "arguments"), 0)) {
	case "wchar_t", "char16_t", "char32_t":
		return "w" + name
	}
	return name
}

// isTemplateParameter reports whether a name is that of a parameter of a template around.
func isTemplateParameter(p *walker, n binder.At) bool {
	v, sc := p.ScopeOf(n).Find(p.TextAt(n), true)
	return v != nil && sc.Kind == 'p' && len(v.Sources) > 0 && v.Sources[0].Expr != facts.Nothing
}

// arithmetic is a type of numbers in one spelling, else "".
func arithmetic(name string) string {
	switch name = strings.Join(strings.Fields(name), " "); name {
	case "int", "long", "short", "unsigned", "double", "float", "bool", "char", "unsigned long", "long long",
		"unsigned long long", "unsigned char", "signed char", "unsigned short", "long double", "wchar_t", "char8_t",
		"char16_t", "char32_t", "void":
		return name
	}
	return numbers[name]
}

// numbers are other names of types of numbers, as they are on most systems of 64 bits.
var numbers = map[string]string{
	"unsigned int": "unsigned", "long int": "long", "short int": "short", "size_t": "unsigned long",
	"ssize_t": "long", "ptrdiff_t": "long", "intptr_t": "long", "uintptr_t": "unsigned long", "int8_t": "signed char",
	"uint8_t": "unsigned char", "int16_t": "short", "uint16_t": "unsigned short", "int32_t": "int", "uint32_t": "unsigned",
	"int64_t": "long", "uint64_t": "unsigned long",
}

// longestArgument bounds the expressions of arguments, in bytes.
const longestArgument = 60

// givenOf is what is known of an argument: the name of its type as written has it, or an
// expression of its value, with a "*" before it where it is a pointer.
func givenOf(p *walker, n binder.At) string {
	if t := ofLiteral(p, n); t != "" {
		return t
	}
	switch p.Kind(n) {
	case "identifier":
		if t, ok := ofVariable(p, n); ok {
			return t
		}
	case "pointer_expression":
		return pointer(p, n)
	case "unary_expression":
		switch t := givenOf(p, p.Child(n, "argument")); p.TextAt(p.Child(n, "operator")) {
		case "!":
			return "bool"
		case "-":
			return ofLiteral(p, p.Child(n, "argument"))
		default:
			return t
		}
	case "parenthesized_expression":
		return givenOf(p, p.Nth(n, 0))
	case "compound_literal_expression", "new_expression":
		if t := typeName(p, p.Child(n, "type")); isForeign(t) {
			return t + strings.Repeat("*", strings.Count(p.Kind(n), "new"))
		}
	case "call_expression":
		if t := ofCall(p, n); t != "" {
			return t
		}
	case "lambda_expression":
		return "->"
	}
	stars := ""
	if k := p.Kind(n); k == "this" || k == "new_expression" {
		stars = "*"
	}
	if e := p.Expr(n); e.Known() && !e.IsExternal() && e.Size() <= longestArgument {
		if given := facts.GivenAs(e); given != "" {
			return stars + given
		}
	}
	return ""
}

// pointer is what is known of an argument that is taken the address of, or followed.
func pointer(p *walker, n binder.At) string {
	of := givenOf(p, p.Child(n, "argument"))
	_, value := facts.Given(of)
	switch {
	case of == "" || of == "->":
		return ""
	case strings.HasPrefix(p.TextAt(n), "&") && value:
		return "*" + of
	case strings.HasPrefix(p.TextAt(n), "&"):
		return of + "*"
	case value:
		return strings.TrimPrefix(of, "*")
	}
	return strings.TrimSuffix(of, "*")
}

// shapeOf is what written says of a variable or function that its expression does not: of
// types outside of the repository, and pointers. Headers may be of C++ whatever they look like.
func shapeOf(p *walker, n, declarator binder.At) string {
	if p.Language != "C++" && !strings.HasSuffix(p.Path, ".h") {
		return ""
	}
	if t := strings.TrimSuffix(written(p, n, declarator), "&"); isForeign(t) || strings.HasSuffix(t, "*") {
		return t
	}
	return ""
}

// result is shapeOf for what a function returns.
func result(p *walker, n binder.At) string {
	d := p.Child(n, "declarator")
	_, shape := p.declarator(d)
	if t := p.First(p.First(shape, "trailing_return_type"), "type_descriptor"); t >= 0 {
		return shapeOf(p, t, p.Child(t, "declarator"))
	}
	return shapeOf(p, n, d)
}

// isForeign reports whether the name of a type says all of it.
func isForeign(name string) bool {
	return strings.HasPrefix(name, "std::") || arithmetic(strings.TrimRight(name, "*&")) != ""
}

// ofVariable is what is known of a variable or parameter by its declaration.
func ofVariable(p *walker, n binder.At) (t string, ok bool) {
	v, _ := p.ScopeOf(n).Find(p.TextAt(n), true)
	if v == nil {
		return "", false
	}
	sources := v.Sources
	if v.Symbol != nil {
		sources = v.Symbol.Values
	}
	if len(sources) != 1 || sources[0].Node <= 0 {
		return "", false
	}
	decl := p.Parent(sources[0].Node)
	if p.Child(decl, "type") != sources[0].Node {
		return "", false
	}
	for c := range p.Named(decl) {
		if p.Field(c) != "declarator" {
			continue
		}
		if id, _ := p.declarator(c); id < 0 || p.TextAt(id) != p.TextAt(n) {
			continue
		}
		t = strings.TrimSuffix(written(p, decl, c), "&")
		switch name := strings.TrimRight(t, "*"); {
		case name == anything:
			return "", p.Kind(sources[0].Node) != "placeholder_type_specifier"
		case isForeign(t):
			return t, true
		case name != t && t != "":
			if e := p.Expr(n); e.Known() && !e.IsExternal() && e.Size() <= longestArgument {
				return t[len(name):] + facts.GivenAs(e), true
			}
		}
		return "", false
	}
	return "", false
}

// ofCall is what is known of a call by what is written: a cast, a value of a type of the
// library.
func ofCall(p *walker, n binder.At) string {
	f := p.Child(n, "function")
	switch p.Kind(f) {
	case "template_function":
		switch p.TextAt(p.Child(f, "name")) {
		case "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast":
			d := p.Nth(p.Child(f, "arguments"), 0)
			if t := written(p, d, p.Child(d, "declarator")); isForeign(t) {
				return strings.TrimSuffix(t, "&")
			}
		}
	case "primitive_type", "sized_type_specifier", "identifier":
		return arithmetic(p.TextAt(f))
	case "qualified_identifier":
		switch t := p.TextAt(f); t {
		case "std::move", "std::forward":
			return givenOf(p, p.Nth(p.Child(n, "arguments"), 0))
		case "std::to_string":
			return "std::string"
		case "std::string", "std::wstring", "std::string_view", "std::wstring_view", "std::stringstream",
			"std::istringstream":
			return t
		}
	}
	return ""
}

// ofLiteral is the type of an argument that is a literal, else "". A 0 may be a
// pointer.
func ofLiteral(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "string_literal", "raw_string_literal":
		prefix, _, _ := strings.Cut(p.TextAt(n), `"`)
		if char := characters[strings.TrimSuffix(prefix, "R")]; char != "" {
			return char + "*"
		}
	case "concatenated_string":
		return ofLiteral(p, p.Nth(n, 0))
	case "char_literal":
		prefix, _, _ := strings.Cut(p.TextAt(n), "'")
		return characters[prefix]
	case "true", "false":
		return "bool"
	case "null":
		return "null"
	case "number_literal":
		return numberType(p.TextAt(n))
	}
	return ""
}

// characters are the types of characters by what is before a literal.
var characters = map[string]string{"": "char", "u8": "char", "L": "wchar_t", "u": "char16_t", "U": "char32_t"}

func numberType(text string) string {
	text = strings.TrimPrefix(strings.ToLower(text), "-")
	switch hex := strings.HasPrefix(text, "0x"); {
	case text == "0" || strings.ContainsAny(text, "'_p"):
		return ""
	case !hex && strings.HasSuffix(text, "f"):
		return "float"
	case !hex && strings.ContainsAny(text, ".e"):
		if strings.HasSuffix(text, "l") {
			return "long double"
		}
		return "double"
	case strings.ContainsAny(text, "ulz"):
		return suffixes[strings.TrimLeft(text, "0123456789abcdefx")]
	case len(text) > 9 || hex:
		return ""
	}
	return "int"
}

// suffixes of whole numbers say what they are, unless they are too large.
var suffixes = map[string]string{
	"u": "unsigned", "l": "long", "ul": "unsigned long", "lu": "unsigned long", "ll": "long long",
	"ull": "unsigned long long", "llu": "unsigned long long",
}
