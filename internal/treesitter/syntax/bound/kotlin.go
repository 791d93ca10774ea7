package bound

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// kotlinSignature is what a function of Kotlin accepts: the types of its parameters, behind
// "=" where there is a default and behind "..." of a variable number.
func kotlinSignature(p *walker, parameters binder.At, typeParameters []string) string {
	var list []string
	before := ""
	for c := range p.Named(parameters) {
		switch p.Kind(c) {
		case "parameter_modifiers":
			if strings.Contains(p.TextAt(c), "vararg") {
				before = "..."
			}
		case "parameter":
			t := kotlinType(p, p.Nth(c, 1))
			if slices.Contains(typeParameters, t) {
				t = ""
			}
			if behind := strings.TrimLeft(p.Text[p.Nodes[c].End:], " \t\r\n"); strings.HasPrefix(behind, "=") && before == "" {
				before = "="
			}
			list, before = append(list, before+t), ""
		}
	}
	return binder.Signature(list)
}

// javaNames are the names of types that Kotlin calls otherwise.
var javaNames = map[string]string{"Int": "Integer", "Char": "Character", "Any": "Object"}

// kotlinType is the name of a type that has one of one part, "" for others and for type
// parameters, "->" for functions. Those of the language have Java's names.
func kotlinType(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "nullable_type", "parenthesized_type":
		return kotlinType(p, p.Nth(n, 0))
	case "function_type":
		return "->"
	case "user_type":
		name := p.Nth(n, 0)
		if next := p.Nth(n, 1); next >= 0 && p.Kind(next) != "type_arguments" {
			return ""
		}
		text := p.TextAt(name)
		if v, sc := p.ScopeOf(n).Find(text, true); v != nil && sc != p.Top && len(v.Sources) > 0 &&
			v.Sources[0].Expr == facts.Name(text) {
			return ""
		}
		if other := javaNames[text]; other != "" {
			return other
		}
		return text
	}
	return ""
}

// longestArgument bounds the expressions of arguments, in bytes.
const longestArgument = 160

// kotlinArguments notes what is known of the arguments of the last reference, unless some
// are named, and so in any order.
func kotlinArguments(p *walker, f *form) {
	var list []string
	for _, n := range f.parts["arguments"] {
		for c := range p.Named(n) {
			if text := p.TextAt(c); p.Nth(c, 1) >= 0 || strings.HasPrefix(text, "*") {
				return
			}
			list = append(list, kotlinArgument(p, c))
		}
	}
	for range f.parts["argument"] {
		list = append(list, "->")
	}
	r := &p.Refs[len(p.Refs)-1]
	if text := strings.Join(list, ","); len(list) == r.Args-1 && strings.Trim(text, ",") != "" {
		r.Arguments = text
	}
}

// kotlinArgument is the type of an argument where the file says it, or an expression of it.
func kotlinArgument(p *walker, argument binder.At) string {
	n := p.Nth(argument, 0)
	if n < 0 && p.TextAt(argument) == "null" {
		return "null"
	}
	if t := kotlinGiven(p, n); t != "" {
		return t
	}
	if e := p.Expr(n); e.Known() && !e.IsExternal() && e.Size() <= longestArgument {
		return facts.GivenAs(e)
	}
	return ""
}

var kotlinLiterals = map[string]string{
	"string_literal": "String", "integer_literal": "Integer", "long_literal": "Long", "real_literal": "Double",
	"boolean_literal": "Boolean", "character_literal": "Character", "lambda_literal": "->", "anonymous_function": "->",
	"equality_expression": "Boolean", "comparison_expression": "Boolean", "conjunction_expression": "Boolean",
	"disjunction_expression": "Boolean", "check_expression": "Boolean",
}

// givesString are methods that give a String, of whatever they are called.
var givesString = map[string]bool{"toString": true, "joinToString": true, "trimIndent": true, "trimMargin": true}

func kotlinGiven(p *walker, n binder.At) string {
	switch kind := p.Kind(n); kind {
	case "callable_reference":
		if strings.HasSuffix(p.TextAt(n), "::class") {
			return "KClass"
		}
		return "->"
	case "navigation_expression":
		if strings.HasSuffix(p.TextAt(n), "::class.java") {
			return "Class"
		}
	case "as_expression":
		return kotlinType(p, p.Last(n))
	case "parenthesized_expression":
		return kotlinGiven(p, p.Nth(n, 0))
	case "call_expression":
		if f := p.Nth(n, 0); p.Kind(f) == "navigation_expression" && givesString[p.TextAt(p.Last(p.Last(f)))] {
			return "String"
		}
	case "additive_expression":
		for c := range p.Named(n) {
			if kotlinGiven(p, c) == "String" {
				return "String"
			}
		}
	case "simple_identifier":
		v, _ := p.ScopeOf(n).Find(p.TextAt(n), true)
		if v != nil && v.Symbol == nil && len(v.Sources) == 1 && v.Sources[0].IsDeclared() && v.Sources[0].Node > 0 {
			return kotlinType(p, v.Sources[0].Node)
		}
	default:
		return kotlinLiterals[kind]
	}
	return ""
}

// mostReceivers is how many values a name may be a member of, as the lambdas around it say,
// and deepestLambda how many of these are looked at.
const (
	mostReceivers = 4
	deepestLambda = 3
)

// kotlinExtended is what a function or property around a node is declared for, or what
// that is tested to be.
func kotlinExtended(p *walker, n binder.At) facts.Expr {
	for s := p.ScopeAround(n).Symbol; s != nil && !binder.Types[s.Kind]; s = s.Enclosing {
		if s.OwnerSource.Node > 0 {
			return binder.ValueOf(p.TypeOf(s.OwnerSource.Node))
		}
	}
	return facts.Unknown
}

// kotlinName adds a reference for a bare name, which may be of what lambdas around it are called of.
func kotlinName(p *walker, n binder.At, kind facts.Kind) {
	name := p.TextAt(n)
	m := p.Resolve(n, name, true)
	if m.Is == nil && !m.Bare && (kind == facts.Call && kotlinUncalled(p, n) || kotlinHidden(p, n)) {
		m = binder.Meaning{Name: name, Bare: true}
	}
	p.RefMeaning(int(p.Nodes[n].Start), kind, m)
	of := binder.UnionOf(append(kotlinReceivers(p, n, 0), kotlinExtended(p, n))...)
	if !m.Bare || len(p.Refs) == 0 || !of.Known() || of.IsExternal() {
		return
	}
	if r := &p.Refs[len(p.Refs)-1]; r.Bare && r.Name == name {
		r.Of = of
	}
}

// kotlinWithin adds a reference for the class, by the case of its name, of which a member is imported.
func kotlinWithin(p *walker, name binder.At) {
	if text := p.TextAt(name); text[0] >= 'A' && text[0] <= 'Z' {
		whole := p.Text[p.Nodes[p.Parent(name)].Start:p.Nodes[name].Start]
		p.Ref(name, text, facts.Imported, facts.Name(strings.ReplaceAll(whole, ".", `\`)), false)
	}
}

// kotlinNamed adds a reference for the name of an argument of a constructor: a
// property of what is made.
func kotlinNamed(p *walker, name binder.At) {
	call := p.Parent(p.Parent(p.Parent(p.Parent(name))))
	function := p.Nth(call, 0)
	made := p.Last(function)
	if p.Kind(function) == "simple_identifier" {
		made = function
	} else if p.Kind(made) == "navigation_suffix" {
		made = p.Last(made)
	}
	if text := p.TextAt(made); text != "" && text[0] >= 'A' && text[0] <= 'Z' {
		p.Ref(name, p.TextAt(name), facts.Read, binder.Call(p.Expr(function)), false)
	}
}

// kotlinHidden reports whether a name is not that of the local which has it: a parameter of the
// class is none of its functions, and a variable not that of what it is first given.
func kotlinHidden(p *walker, n binder.At) bool {
	v, sc := p.ScopeOf(n).Find(p.TextAt(n), true)
	if v == nil || v.Symbol != nil {
		return false
	}
	for up, from := p.Parent(n), n; up >= 0; up, from = p.Parent(up), up {
		switch p.Kind(up) {
		case "function_declaration", "getter", "setter", "secondary_constructor":
			return sc.Kind == 'c'
		case "property_declaration":
			if d := p.First(up, "variable_declaration"); d >= 0 && d != from && p.TextAt(p.Nth(d, 0)) == p.TextAt(n) {
				return sc.Kind != 'c'
			}
		case "class_declaration", "object_declaration", "object_literal":
			return false
		}
	}
	return false
}

// kotlinUncalled reports whether a name is that of a local which is declared as no function, so
// that calling the name means a function.
func kotlinUncalled(p *walker, n binder.At) bool {
	v, _ := p.ScopeOf(n).Find(p.TextAt(n), true)
	if v == nil || v.Symbol != nil || len(v.Sources) != 1 || !v.Sources[0].IsDeclared() {
		return false
	}
	t := v.Sources[0].Node
	return t > 0 && kotlinType(p, t) != "->" && !strings.Contains(p.TextAt(t), "->")
}
