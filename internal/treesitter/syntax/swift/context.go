package swift

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Argument is what the parameter is that a closure is given for.
func (p *walker) Argument(n binder.At) facts.Expr { return p.context(n) }

// context is what an expression is expected to be, a value, by where it stands. A chain
// that begins with an implicit member is expected to give what its last call gives.
func (p *walker) context(n binder.At) facts.Expr {
	if s, ok := p.subjects[n]; ok {
		return p.Eval(s)
	}
	up := p.Parent(n)
	switch p.Kind(up) {
	case "value_argument":
		return p.parameterAt(up)
	case "call_suffix": // a closure behind the brackets
		return p.parameterAt(n)
	case "prefix_expression":
		if p.isImplicit(up) {
			return p.context(up)
		}
	case "navigation_expression", "call_expression", "try_expression", "await_expression", "postfix_expression",
		"directly_assignable_expression":
		return p.context(up)
	case "property_declaration":
		return p.declaredAs(up, n)
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
			return p.context(up)
		}
	case "nil_coalescing_expression":
		if p.Field(n) == "if_nil" {
			if e := p.Expr(p.Child(up, "value")); e.Known() {
				return e
			}
		}
		return p.context(up)
	case "attribute":
		return p.attributed(up, n)
	case "array_literal":
		if e := p.context(up); e.Root() == facts.OpList {
			return binder.Elem(e)
		} else { //nolint:revive // beside the other
			return binder.Param(binder.Member(e, facts.Labelled("init", []string{"arrayLiteral"})), 0)
		}
	case "dictionary_literal":
		if p.Field(n) == "value" {
			return binder.Elem(p.context(up))
		}
		return binder.Key(p.context(up))
	case "tuple_expression":
		return p.inTuple(up, n)
	case "as_expression":
		return binder.ValueOf(p.TypeOf(p.Child(up, "name")))
	case "control_transfer_statement":
		if strings.HasPrefix(p.TextAt(up), "return") {
			return p.returned(up)
		}
	case "statements":
		if p.Nth(up, 0) == n && p.Last(up) == n {
			return p.returned(n)
		}
	}
	if p.Field(n) == "default_value" {
		return p.defaulted(up, n)
	}
	return facts.Unknown
}

// declaredAs is the type that a property or variable is declared with whose value is at n.
func (p *walker) declaredAs(decl, n binder.At) facts.Expr {
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

// defaulted is the type of the parameter whose default is at n.
func (p *walker) defaulted(function, n binder.At) facts.Expr {
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

func (p *walker) inTuple(up, n binder.At) facts.Expr {
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
		return p.context(up)
	}
	return binder.Taken(p.context(up), at)
}

// returned is what the function, accessor or closure around a node returns.
func (p *walker) returned(n binder.At) facts.Expr {
	around := p.Up(n, "function_declaration", "lambda_literal", "computed_property", "subscript_declaration",
		"init_declaration", "if_statement", "switch_entry")
	switch p.Kind(around) {
	case "if_statement", "switch_entry":
		if p.Kind(n) == "control_transfer_statement" {
			return p.returned(around)
		}
	case "function_declaration", "subscript_declaration":
		return binder.ValueOf(p.TypeOf(p.result(around)))
	case "init_declaration":
		return binder.ValueOf(p.selfType(around))
	case "computed_property":
		if up := p.Parent(around); p.Kind(up) == "subscript_declaration" {
			return binder.ValueOf(p.TypeOf(p.result(up)))
		}
		return p.declaredAs(p.Parent(around), around)
	case "lambda_literal":
		if t := p.Child(around, "type"); p.Kind(t) == "lambda_function_type" && p.Child(t, "name") >= 0 {
			return binder.ValueOf(p.TypeOf(p.Child(t, "name")))
		}
		if p.Kind(p.Parent(around)) == "call_expression" { // { … }()
			return p.context(p.Parent(around))
		}
		return binder.Call(p.context(around))
	}
	return facts.Unknown
}

// parameterAt is what the parameter is that an argument or closure of a call is given for.
func (p *walker) parameterAt(a binder.At) facts.Expr {
	call := p.Up(a, "call_expression", "constructor_expression")
	all := p.arguments(call)
	at := slices.Index(all, a)
	if at < 0 {
		return facts.Unknown
	}
	if p.isSubscript(call) {
		return binder.Param(binder.Member(p.Expr(p.Nth(call, 0)), facts.Labelled("subscript", p.labels(call))), at)
	}
	if other := p.compared(call, all, at); other >= 0 {
		return p.Expr(other)
	}
	init, of := p.made(call)
	e := facts.Unknown
	if callee := p.callee(call); p.Kind(call) == "call_expression" && !p.isInit(call) {
		e = binder.Inside(callee, func(e facts.Expr) facts.Expr {
			if args := p.passed(call); args != nil {
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
	return p.initialized(e, init, of, at, p.Plain(p.Child(a, "name")))
}

// initialized is what the parameter of an initializer is, or the property that it is given for
// where a struct has the initializer by its properties, or else e.
func (p *walker) initialized(e, init, of facts.Expr, at int, label string) facts.Expr {
	e = binder.UnionOf(e, binder.Param(init, at))
	if label != "" && of.Known() {
		e = binder.UnionOf(e, binder.Member(binder.ValueOf(of), label))
	}
	return e
}

// isInit reports whether a call is of an initializer by its name.
func (p *walker) isInit(call binder.At) bool {
	callee := p.Nth(call, 0)
	return p.Kind(callee) == "prefix_expression" && p.TextAt(p.Child(callee, "target")) == "init" ||
		p.Kind(callee) == "navigation_expression" && p.TextAt(p.Child(p.Child(callee, "suffix"), "suffix")) == "init"
}

// compared is the argument that another one is compared with, of functions that tests have for
// that, or none.
func (p *walker) compared(call binder.At, all []binder.At, at int) binder.At {
	switch p.TextAt(p.Nth(call, 0)) {
	case "XCTAssertEqual", "XCTAssertNotEqual", "XCTAssertIdentical":
		if at < 2 && len(all) > 1 && p.isChained(p.Child(all[at], "value")) && !p.isChained(p.Child(all[1-at], "value")) {
			return p.Child(all[1-at], "value")
		}
	}
	return binder.None
}

// isChained reports whether an expression begins with an implicit member.
func (p *walker) isChained(n binder.At) bool {
	for !p.isImplicit(n) {
		switch p.Kind(n) {
		case "navigation_expression", "call_expression", "postfix_expression", "array_literal":
			n = p.Nth(n, 0)
		default:
			return false
		}
	}
	return true
}

// attributed is what an argument of an attribute is given for.
func (p *walker) attributed(attribute, n binder.At) facts.Expr {
	var labels []string
	at, label, mine := -1, "_", ""
	if decl := p.Parent(p.Parent(attribute)); p.Kind(decl) == "property_declaration" && p.Child(decl, "value") >= 0 {
		labels = append(labels, "wrappedValue")
	}
	for c := range p.Named(attribute) {
		switch {
		case p.Kind(c) == "user_type":
		case p.Kind(c) == "simple_identifier" && strings.HasPrefix(p.behind(c), ":"):
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
	return p.initialized(facts.Unknown, binder.Member(of, facts.Labelled("init", labels)), of, at, mine)
}
