package bound

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// csharpParameters is what a method of C# accepts: the types of its parameters, behind "=" where
// there is a default and behind "..." of "params"; and, up to the last parameter that takes a
// function, what they are. What an extension method is called of is left out.
func csharpParameters(p *walker, parameters binder.At) (signature string, args []binder.Source) {
	var list []string
	last := 0
	add := func(before string, t binder.At) {
		name := csharpType(p, t)
		if list, args = append(list, before+name), append(args, binder.ValueOfType(t)); strings.HasPrefix(name, "->") {
			last = len(args)
		}
	}
	for c := range p.Named(parameters) {
		t := p.Child(c, "type")
		switch {
		case p.Kind(c) == "parameter":
			if m := p.First(c, "modifier"); t < 0 || m >= 0 && p.TextAt(m) == "this" {
				continue
			}
			before := ""
			if p.Last(c) != p.Child(c, "name") {
				before = "="
			}
			add(before, t)
		case p.Field(c) == "type": // of "params"
			if e := p.Child(c, "type"); e >= 0 {
				c = e
			}
			add("...", c)
		}
	}
	return binder.Signature(list), args[:last]
}

// csharpNames are the names of types of the language, as Java calls them.
var csharpNames = map[string]string{
	"string": "String", "object": "Object", "bool": "boolean", "int": "int", "long": "long", "short": "short",
	"byte": "byte", "float": "float", "double": "double", "char": "char",
}

var csharpFunctions = map[string]bool{
	"Func": true, "Action": true, "Predicate": true, "Comparison": true, "Converter": true, "Expression": true,
}

// csharpType is the name of a type that has one of one part, without its arguments, "" for others
// for numbers that may be null and for type parameters of the class, "->" for functions, with how many parameters
// they have.
func csharpType(p *walker, n binder.At) string {
	switch p.Kind(n) {
	case "predefined_type":
		return csharpNames[p.TextAt(n)]
	case "nullable_type":
		if t := csharpType(p, p.Nth(n, 0)); p.Kind(p.Nth(n, 0)) != "predefined_type" || t == "String" || t == "Object" {
			return t
		}
	case "array_type":
		t := csharpType(p, p.Child(n, "type"))
		if t != "" && !strings.HasPrefix(t, "->") && p.TextAt(p.Child(n, "rank")) == "[]" {
			return t + "[]"
		}
	case "generic_name":
		name := p.TextAt(p.Nth(n, 0))
		if csharpFunctions[name] {
			return "->" + csharpTaken(p, name, p.First(n, "type_argument_list"))
		}
		return name
	case "identifier":
		text := p.TextAt(n)
		if text == "Action" {
			return "->0"
		}
		v, sc := p.ScopeOf(n).Find(text, true)
		if v != nil && sc != p.Top && sc.Kind == 'c' && len(v.Sources) > 0 && v.Sources[0].Expr == facts.Name(text) {
			return ""
		}
		return text
	}
	return ""
}

// csharpArguments notes what is known of the arguments of the last reference, unless some
// are named, and so in any order.
func csharpArguments(p *walker, f *form) {
	var list []string
	for _, n := range f.parts["arguments"] {
		for c := range p.Named(n) {
			if p.Child(c, "name") >= 0 {
				return
			}
			list = append(list, csharpArgument(p, p.Last(c)))
		}
	}
	r := &p.Refs[len(p.Refs)-1]
	if text := strings.Join(list, ","); len(list) == r.Args-1 && strings.Trim(text, ",") != "" {
		r.Arguments = text
	}
}

// csharpArgument is the type of an argument where the file says it, or an expression of it.
func csharpArgument(p *walker, n binder.At) string {
	if t := csharpGiven(p, n); t != "" {
		return t
	}
	if e := p.Expr(n); e.Known() && !e.IsExternal() && e.Size() <= longestArgument {
		return facts.GivenAs(e)
	}
	return ""
}

var csharpLiterals = map[string]string{
	"string_literal": "String", "verbatim_string_literal": "String", "interpolated_string_expression": "String",
	"raw_string_literal": "String", "boolean_literal": "boolean", "character_literal": "char", "null_literal": "null",
	"typeof_expression": "Type",
}

func csharpGiven(p *walker, n binder.At) string {
	switch kind := p.Kind(n); kind {
	case "integer_literal":
		switch text := p.TextAt(n); {
		case !strings.ContainsAny(text, "uUlLxX"):
			return "int"
		case strings.ContainsAny(text, "lL") && !strings.ContainsAny(text, "uU"):
			return "long"
		}
	case "real_literal":
		switch text := p.TextAt(n); {
		case strings.ContainsAny(text, "fF"):
			return "float"
		case !strings.ContainsAny(text, "mM"):
			return "double"
		}
	case "object_creation_expression", "cast_expression", "array_creation_expression":
		return csharpType(p, p.Child(n, "type"))
	case "as_expression":
		return csharpType(p, p.Child(n, "right"))
	case "parenthesized_expression":
		return csharpGiven(p, p.Nth(n, 0))
	case "identifier":
		v, _ := p.ScopeOf(n).Find(p.TextAt(n), true)
		if v != nil && v.Symbol == nil && len(v.Sources) == 1 && v.Sources[0].IsDeclared() && v.Sources[0].Node > 0 {
			return csharpType(p, v.Sources[0].Node)
		}
	case "lambda_expression", "anonymous_method_expression":
		switch list := p.Child(n, "parameters"); p.Kind(list) {
		case "implicit_parameter":
			return "->1"
		case "parameter_list":
			return "->" + strconv.Itoa(csharpCount(p, list))
		}
		return "->"
	default:
		return csharpLiterals[kind]
	}
	return ""
}

// csharpInitialized is what the member at a name is one of that is set where a value is made: by "new" without a type,
// of the parameter that it is given for or the variable, or of what is copied by "with".
func csharpInitialized(p *walker, name binder.At) facts.Expr {
	up := p.Parent(name)
	if p.Kind(up) == "with_initializer" && p.Nth(up, 0) == name {
		return p.Expr(p.Nth(p.Parent(up), 0))
	}
	made := p.Parent(p.Parent(up))
	if p.Kind(made) != "implicit_object_creation_expression" || p.Field(name) != "left" {
		return facts.Unknown
	}
	switch of := p.Parent(made); {
	case p.Kind(of) == "argument" && p.Child(of, "name") < 0:
		if function, ok := csharpCalled(p, p.Parent(p.Parent(of))); ok {
			return p.Eval(function.Param(csharpPlace(p, of)))
		}
	case p.Kind(of) == "variable_declarator":
		return binder.ValueOf(p.TypeOf(p.Child(p.Parent(of), "type")))
	case p.Kind(of) == "assignment_expression":
		return p.Expr(p.Child(of, "left"))
	case p.Kind(of) == "arrow_expression_clause", p.Kind(of) == "return_statement":
		of = p.Up(of, "method_declaration", "property_declaration", "lambda_expression", "local_function_statement",
			"anonymous_method_expression", "indexer_declaration", "operator_declaration", "conversion_operator_declaration")
		return binder.ValueOf(p.TypeOf(max(p.Child(of, "returns"), p.Child(of, "type"))))
	}
	return facts.Unknown
}

// csharpPlace is which of the arguments of a call one is.
func csharpPlace(p *walker, argument binder.At) int {
	if _, known := p.places[argument]; !known {
		if p.places == nil {
			p.places = map[binder.At]int{}
		}
		for c := range p.Named(p.Parent(argument)) {
			p.places[c] = len(p.places)
		}
	}
	return p.places[argument] - p.places[p.Nth(p.Parent(argument), 0)]
}

// csharpTaken is how many parameters the functions have that a type of the library stands for, "" if that is not known.
func csharpTaken(p *walker, name string, arguments binder.At) string {
	n := csharpCount(p, arguments)
	switch name {
	case "Func":
		return strconv.Itoa(n - 1)
	case "Action":
		return strconv.Itoa(n)
	case "Predicate", "Converter":
		return "1"
	case "Comparison":
		return "2"
	}
	of, _ := strings.CutPrefix(csharpType(p, p.Nth(arguments, 0)), "->")
	return of
}

func csharpCount(p *walker, list binder.At) (n int) {
	for range p.Named(list) {
		n++
	}
	return n
}

// csharpBound is what a declaration says of a type parameter of it: the types that it is made from.
func csharpBound(p *walker, declaration, parameter binder.At) binder.Source {
	for clause := range p.Named(declaration) {
		if p.Kind(clause) != "type_parameter_constraints_clause" || p.TextAt(p.Nth(clause, 0)) != p.TextAt(parameter) {
			continue
		}
		for c := range p.Named(clause) {
			if t := p.Child(c, "type"); p.Kind(c) == "type_parameter_constraint" && t >= 0 {
				return binder.TypeAt(t)
			}
		}
	}
	return binder.ExternalSource
}

// csharpInterface is the interface that a method is there for only: "void IFoo.Bar()".
func csharpInterface(p *walker, method binder.At) []binder.Base {
	if t := p.Nth(p.First(method, "explicit_interface_specifier"), 0); t >= 0 {
		return []binder.Base{{Kind: facts.Implements, Of: binder.TypeAt(t), Args: binder.None}}
	}
	return nil
}

// csharpArity notes how many type arguments a name has.
func csharpArity(p *walker, name binder.At) {
	up := p.Parent(name)
	if p.Kind(up) != "generic_name" || len(p.Refs) == 0 {
		return
	}
	list, n := p.First(up, "type_argument_list"), 0
	for range p.Named(list) {
		n++
	}
	if n == 0 { // typeof(A<,>)
		n = 1 + strings.Count(p.TextAt(list), ",")
	}
	r := &p.Refs[len(p.Refs)-1]
	if line, column := p.Position(int(p.Nodes[name].Start)); r.Line == line && r.Column == column {
		r.TypeArgs = n
	}
}

// csharpDelegate is the type of functions that a type of the library names.
func csharpDelegate(p *walker, f *form) facts.Expr {
	var params []facts.Expr
	for c := range p.Named(f.part("arguments")) {
		params = append(params, binder.ValueOf(p.TypeOf(c)))
	}
	result := facts.External
	switch base := p.TextAt(f.part("base")); {
	case base == "Func" && len(params) > 0:
		last := len(params) - 1
		result, params = params[last], params[:last]
	case base == "Comparison" && len(params) > 0:
		params = append(params, params[0])
	}
	for i := range params {
		if !params[i].Known() {
			params[i] = facts.External
		}
	}
	return facts.FuncWith(result, params...)
}

// csharpLambda is what the parameter of a lambda is by the function that this is given to, if nothing else is known.
func csharpLambda(p *walker, around *binder.Scope, parameter binder.At) (from []binder.Source) {
	if v, sc := around.Find(p.TextAt(parameter), true); v != nil && sc == around && len(v.Sources) > 0 {
		return nil
	}
	lambda := p.Up(parameter, "lambda_expression")
	argument := p.Parent(lambda)
	if lambda < 0 || p.Kind(argument) != "argument" || p.Child(argument, "name") >= 0 {
		return nil
	}
	function, ok := csharpCalled(p, p.Parent(p.Parent(argument)))
	if !ok {
		return nil
	}
	index := func(list, of binder.At) int {
		return slices.Index(slices.Collect(p.Named(list)), of)
	}
	n := 0
	if list := p.Child(lambda, "parameters"); list != parameter {
		n = index(list, p.Parent(parameter))
	}
	if n < 0 {
		return nil
	}
	at := index(p.Parent(argument), argument)
	return []binder.Source{function.Param(at).Param(n)}
}

// csharpCalled is what a call calls: a function, or the constructor of a type, which a "new" without one is given by
// the method or variable that it is the value of.
func csharpCalled(p *walker, call binder.At) (function binder.Source, ok bool) {
	made := binder.None
	switch p.Kind(call) {
	case "invocation_expression":
		return binder.Source{Node: p.Child(call, "function")}, true
	case "object_creation_expression":
		made = p.Child(call, "type")
	case "implicit_object_creation_expression":
		switch of := p.Parent(call); p.Kind(of) {
		case "arrow_expression_clause", "return_statement":
			if of = p.Up(of, "method_declaration", "property_declaration", "lambda_expression"); of >= 0 {
				made = max(p.Child(of, "returns"), p.Child(of, "type"))
			}
		case "variable_declarator":
			made = p.Child(p.Parent(of), "type")
		}
	}
	name := made
	if p.Kind(name) == "generic_name" {
		name = p.Nth(name, 0)
	}
	return binder.TypeAt(made).Member(p.TextAt(name)), p.Kind(name) == "identifier"
}
