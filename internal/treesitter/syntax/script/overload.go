package script

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// A signature is a function and where it is declared.
type signature struct {
	of *binder.Symbol
	at binder.At
}

// overloads notes what each signature of a function accepts that has several. What
// implements them is none of them: it accepts what they do.
func overloads(p *walker) {
	type key struct {
		in   *binder.Symbol
		name string
	}
	count := map[key]int{}
	of := func(s *binder.Symbol) key { return key{s.Enclosing, s.Name} }
	for _, f := range p.functions {
		count[of(f.of)]++
	}
	for _, f := range p.functions {
		if count[of(f.of)] > 1 && p.Child(f.at, "body") < 0 {
			f.of.Signature = accepts(p, f.at)
		}
	}
}

// accepts is what the parameters of a function are called by.
func accepts(p *walker, n binder.At) string {
	list := p.Child(n, "parameters")
	if list < 0 || p.HasErrors(list) {
		return ""
	}
	var all []string
	for c := range p.Named(list) {
		pattern := p.Child(c, "pattern")
		name := typeName(p, p.Nth(p.Child(c, "type"), 0))
		switch {
		case p.Kind(pattern) == "this":
			continue
		case p.Kind(pattern) == "rest_pattern":
			name = "..." + elementName(p, p.Nth(p.Child(c, "type"), 0))
		case p.Kind(c) == "optional_parameter" || p.Child(c, "value") >= 0:
			name = "=" + name
		}
		all = append(all, name)
	}
	return binder.Signature(all)
}

// elementName is the name of what a type of a list has.
func elementName(p *walker, n binder.At) string {
	if p.Kind(n) == "array_type" {
		return typeName(p, p.Nth(n, 0))
	}
	return ""
}

// typeName is what is known of a type by the text: the name of what the language
// has itself, "any" of what is anything, "[]" of lists, "->" of functions, "{}" of other
// objects, a literal in quotes, several with "|" between; "" of all others.
func typeName(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "parenthesized_type", "readonly_type":
		return typeName(p, p.Last(n))
	case "predefined_type":
		if name := p.TextAt(n); name != "unknown" {
			return name
		}
		return "any"
	case "literal_type":
		return given(p, p.Nth(n, 0))
	case "template_literal_type":
		return "string"
	case "array_type", "tuple_type":
		return "[]"
	case "function_type":
		return "->"
	case "object_type":
		return "{}"
	case "union_type":
		a, b := typeName(p, p.Nth(n, 0)), typeName(p, p.Nth(n, 1))
		if a == "" || b == "" {
			return ""
		}
		return a + "|" + b
	case "generic_type":
		switch p.TextAt(p.Child(n, "name")) {
		case "Array", "ReadonlyArray":
			return "[]"
		case "Record", "Map", "Set", "Promise":
			return "{}"
		}
	case "type_identifier":
		return parameterName(p, n)
	}
	return ""
}

// parameterName is what is known of a type parameter: what it must be.
func parameterName(p *walker, n binder.At) string {
	v, sc := p.ScopeOf(n).Find(p.TextAt(n), true)
	if v == nil || sc == p.Top || len(v.Sources) == 0 || v.Sources[0].Expr != facts.Name(p.TextAt(n)) {
		return ""
	}
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		for c := range p.Named(p.Child(up, "type_parameters")) {
			if p.TextAt(p.Child(c, "name")) != p.TextAt(n) {
				continue
			}
			if bound := p.Child(c, "constraint"); bound >= 0 && p.Nth(bound, 0) != n {
				return typeName(p, p.Nth(bound, 0))
			}
			return "any"
		}
	}
	return ""
}

// given is what is known of an argument by the text, as typeName is of a type; "new"
// is an object that is made by a constructor.
func given(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "string":
		if e := literalOf(p, n); e != facts.Nothing {
			return "'" + p.Plain(n) + "'"
		}
		return "string"
	case "template_string":
		return "string"
	case "number":
		return "number"
	case "true", "false":
		return "boolean"
	case "null", "undefined":
		return p.Kind(n)
	case "arrow_function", "function_expression", "function", "generator_function":
		return "->"
	case "array":
		return "[]"
	case "object":
		return "{}"
	case "regex", "new_expression":
		return "new"
	case "unary_expression":
		switch p.TextAt(p.Child(n, "operator")) {
		case "!":
			return "boolean"
		case "-", "+":
			return given(p, p.Child(n, "argument"))
		case "typeof":
			return "string"
		}
	case "parenthesized_expression":
		return given(p, p.Nth(n, 0))
	case "identifier":
		if p.TextAt(n) == "undefined" {
			return "undefined"
		}
		return variableName(p, n)
	}
	return ""
}

// variableName is what is known of a variable that gets its value in one place.
func variableName(p *walker, n binder.At) string {
	v, _ := p.ScopeOf(n).Find(p.TextAt(n), true)
	if v == nil || v.Symbol != nil || len(v.Sources) != 1 {
		return ""
	}
	name := ""
	switch s := v.Sources[0]; {
	case s.IsDeclared():
		name = typeName(p, p.Nth(s.Node, 0))
	case s.IsPlain() && p.Kind(s.Node) != "identifier":
		name = given(p, s.Node)
		if decl := p.Parent(p.Parent(s.Node)); strings.HasPrefix(name, "'") && !p.Has(decl, "const") {
			return "string"
		}
	}
	if strings.Contains(name, "|") || name == "any" {
		return ""
	}
	return name
}

// calledWith notes what a function is called with by a name or member, if that is the
// last reference.
func calledWith(p *walker, name binder.At) {
	f := name
	if p.Kind(p.Parent(f)) == "member_expression" && p.Field(f) == "property" {
		f = p.Parent(f)
	}
	args := p.Child(p.Parent(f), "arguments")
	if p.Field(f) == "function" && p.Kind(args) == "arguments" && !p.Has(args, "spread_element") {
		p.Called(name, args, func(n binder.At) string { return given(p, n) })
	}
}
