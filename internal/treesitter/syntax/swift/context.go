package swift

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// contextOf is what an expression is expected to be, a value, by where it stands. A chain
// that begins with an implicit member is expected to give what its last call gives.
func contextOf(p *walker, n binder.At) facts.Expr {
	if s, ok := p.subjects[n]; ok {
		return p.Eval(s)
	}
	up := p.Parent(n)
	if p.Field(n) == "default_value" {
		return defaultedType(p, up, n)
	}
	switch p.Kind(up) {
	case "value_argument":
		return parameterAt(p, up)
	case "call_suffix": // a closure behind the brackets
		return parameterAt(p, n)
	case "prefix_expression":
		if isImplicit(p, up) {
			return contextOf(p, up)
		}
	case "navigation_expression", "call_expression", "try_expression", "await_expression", "postfix_expression",
		"directly_assignable_expression":
		return contextOf(p, up)
	case "property_declaration":
		return declaredAs(p, up, n)
	case "assignment":
		if p.Field(n) == "result" {
			return p.Expr(p.Child(up, "target"))
		}
	case "equality_expression", "comparison_expression":
		other := p.Child(up, "lhs")
		if other == n {
			other = p.Child(up, "rhs")
		}
		return p.Expr(other)
	case "ternary_expression":
		if p.Field(n) != "condition" {
			return contextOf(p, up)
		}
	case "nil_coalescing_expression":
		if p.Field(n) == "if_nil" {
			if e := p.Expr(p.Child(up, "value")); e.Known() {
				return e
			}
		}
		return contextOf(p, up)
	case "attribute":
		return attributeArgument(p, up, n)
	case "as_expression":
		return binder.ValueOf(p.TypeOf(p.Child(up, "name")))
	case "control_transfer_statement":
		if strings.HasPrefix(p.TextAt(up), "return") {
			return returnedHere(p, up)
		}
	case "statements":
		if p.Nth(up, 0) == n && p.Last(up) == n {
			return returnedHere(p, n)
		}
	}
	return elementContext(p, up, n)
}

// elementContext is contextOf for what is in a collection or tuple that is written out.
func elementContext(p *walker, up, n binder.At) facts.Expr {
	switch p.Kind(up) {
	case "array_literal":
		e := contextOf(p, up)
		if e.Root() == facts.OpList {
			return binder.Elem(e)
		}
		return binder.Param(binder.Member(e, facts.Labelled("init", []string{"arrayLiteral"})), 0)
	case "dictionary_literal":
		if p.Field(n) == "value" {
			return binder.Elem(contextOf(p, up))
		}
		return binder.Key(contextOf(p, up))
	case "tuple_expression":
		return inTuple(p, up, n)
	}
	return facts.Unknown
}

// declaredAs is the type that a property or variable is declared with whose value is at n.
func declaredAs(p *walker, decl, n binder.At) facts.Expr {
	t := binder.None
	for c := range p.All(decl) {
		if c >= n {
			break
		}
		if p.Kind(c) == "type_annotation" {
			t = p.Child(c, "name")
		}
	}
	return binder.ValueOf(p.TypeOf(t))
}

// defaultedType is the type of the parameter whose default is at n.
func defaultedType(p *walker, function, n binder.At) facts.Expr {
	parameter := binder.None
	for c := range p.All(function) {
		if c >= n {
			break
		}
		if p.Kind(c) == "parameter" {
			parameter = c
		}
	}
	return binder.ValueOf(p.TypeOf(p.Last(parameter)))
}

func inTuple(p *walker, up, n binder.At) facts.Expr {
	at, count := 0, 0
	for c := range p.Named(up) {
		if c == n {
			at = count
		}
		if p.Field(c) == "value" {
			count++
		}
	}
	if count == 1 {
		return contextOf(p, up)
	}
	return binder.Taken(contextOf(p, up), at)
}

// returnedHere is what the function, accessor or closure around a node returns.
func returnedHere(p *walker, n binder.At) facts.Expr {
	around := p.Up(n, "function_declaration", "lambda_literal", "computed_property", "subscript_declaration",
		"init_declaration", "if_statement", "switch_entry")
	switch p.Kind(around) {
	case "if_statement", "switch_entry":
		if p.Kind(n) == "control_transfer_statement" {
			return returnedHere(p, around)
		}
	case "function_declaration", "subscript_declaration":
		return binder.ValueOf(p.TypeOf(resultOf(p, around)))
	case "init_declaration":
		return binder.ValueOf(selfType(p, around))
	case "computed_property":
		if up := p.Parent(around); p.Kind(up) == "subscript_declaration" {
			return binder.ValueOf(p.TypeOf(resultOf(p, up)))
		}
		return declaredAs(p, p.Parent(around), around)
	case "lambda_literal":
		if t := p.Child(around, "type"); p.Kind(t) == "lambda_function_type" && p.Child(t, "name") >= 0 {
			return binder.ValueOf(p.TypeOf(p.Child(t, "name")))
		}
		if p.Kind(p.Parent(around)) == "call_expression" { // { … }()
			return contextOf(p, p.Parent(around))
		}
		return binder.Call(contextOf(p, around))
	}
	return facts.Unknown
}

// parameterAt is what the parameter is that an argument or closure of a call is given for.
func parameterAt(p *walker, a binder.At) facts.Expr {
	call := p.Up(a, "call_expression", "constructor_expression")
	all := argumentsOf(p, call)
	at := slices.Index(all, a)
	if at < 0 {
		return facts.Unknown
	}
	if isSubscript(p, call) {
		return binder.Param(binder.Member(p.Expr(p.Nth(call, 0)), facts.Labelled("subscript", labelsOf(p, call))), at)
	}
	if other := comparedWith(p, call, all, at); other >= 0 {
		return p.Expr(other)
	}
	init, of := initializerOf(p, call)
	e := facts.Unknown
	if p.Kind(call) == "call_expression" && !isInit(p, call) {
		e = binder.Inside(calleeOf(p, call), func(e facts.Expr) facts.Expr {
			if args := passedArguments(p, call); args != nil {
				if with := facts.ParamWith(e, at, facts.Unknown, args...); with.Known() {
					return with
				}
			}
			return e.Param(at)
		})
	}
	if p.TextAt(p.Child(a, "name")) == "forKey:" || p.TextAt(p.Child(a, "name")) == "forKey" {
		e = binder.UnionOf(e, facts.Name("CodingKeys").Value())
	}
	if init == facts.Nothing {
		return e
	}
	return initializedWith(e, init, of, at, p.Plain(p.Child(a, "name")))
}

// initializedWith is what the parameter of an initializer is, or the property that it is given for
// where a struct has the initializer by its properties, or else e.
func initializedWith(e, init, of facts.Expr, at int, label string) facts.Expr {
	e = binder.UnionOf(e, binder.Param(init, at))
	if label != "" && of.Known() {
		e = binder.UnionOf(e, binder.Member(binder.ValueOf(of), label))
	}
	return e
}

// isInit reports whether a call is of an initializer by its name.
func isInit(p *walker, call binder.At) bool {
	callee := p.Nth(call, 0)
	return p.Kind(callee) == "prefix_expression" && p.TextAt(p.Child(callee, "target")) == "init" ||
		p.Kind(callee) == "navigation_expression" && p.TextAt(p.Child(p.Child(callee, "suffix"), "suffix")) == "init"
}

// comparedWith is the argument that another one is compared with, of functions that tests have for
// that, or none.
func comparedWith(p *walker, call binder.At, all []binder.At, at int) binder.At {
	switch p.TextAt(p.Nth(call, 0)) {
	case "XCTAssertEqual", "XCTAssertNotEqual", "XCTAssertIdentical":
		if at < 2 && len(all) > 1 && isChained(p, p.Child(all[at], "value")) && !isChained(p, p.Child(all[1-at], "value")) {
			return p.Child(all[1-at], "value")
		}
	}
	return binder.None
}

// isChained reports whether an expression begins with an implicit member.
func isChained(p *walker, n binder.At) bool {
	for !isImplicit(p, n) {
		switch p.Kind(n) {
		case "navigation_expression", "call_expression", "postfix_expression", "array_literal":
			n = p.Nth(n, 0)
		default:
			return false
		}
	}
	return true
}

// attributeArgument is what an argument of an attribute is given for.
func attributeArgument(p *walker, attribute, n binder.At) facts.Expr {
	var labels []string
	at, label, mine := -1, "_", ""
	if decl := p.Parent(p.Parent(attribute)); p.Kind(decl) == "property_declaration" && p.Child(decl, "value") >= 0 {
		labels = append(labels, "wrappedValue")
	}
	for c := range p.Named(attribute) {
		switch {
		case p.Kind(c) == "user_type":
		case p.Kind(c) == "simple_identifier" && strings.HasPrefix(textBehind(p, c), ":"):
			label = p.Plain(c)
		default:
			if c == n {
				at, mine = len(labels), label
			}
			labels, label = append(labels, label), "_"
		}
	}
	if at < 0 {
		return facts.Unknown
	}
	of := p.TypeOf(p.First(attribute, "user_type"))
	return initializedWith(facts.Unknown, binder.Member(of, facts.Labelled("init", labels)), of, at, mine)
}
