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
	case "array_literal":
		return binder.Elem(p.context(up))
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

// fromEnd is what is taken from the index of a parameter that is counted from the last one.
const fromEnd = binder.MostParts

// parameterAt is what the parameter is that an argument or closure of a call is given for.
func (p *walker) parameterAt(a binder.At) facts.Expr {
	call := p.Up(a, "call_expression", "constructor_expression", "attribute")
	all := p.arguments(call)
	if p.Kind(call) == "attribute" {
		return facts.Unknown
	}
	at := slices.Index(all, a)
	if at < 0 {
		return facts.Unknown
	}
	if p.isSubscript(call) {
		return binder.Param(binder.Member(p.Expr(p.Nth(call, 0)), facts.Labelled("subscript", p.labels(call))), at)
	}
	if p.Kind(a) == "lambda_literal" {
		at = fromEnd - (len(all) - 1 - at)
	}
	init, of := p.made(call)
	if init == facts.Nothing {
		e := p.callee(call)
		return binder.Inside(e, func(e facts.Expr) facts.Expr {
			if args := p.passed(call); args != nil {
				if with := facts.ParamWith(e, at, facts.Unknown, args...); with.Known() {
					return with
				}
			}
			return e.Param(at)
		})
	}
	e := binder.Param(init, at)
	if l := p.Child(a, "name"); l >= 0 && of.Known() { // the initializer that a struct has by its properties
		e = binder.UnionOf(e, binder.Member(binder.ValueOf(of), p.TextAt(l)))
	}
	return e
}
