package scala

import (
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// literals are the types of what is written out.
var literals = map[string]string{
	"string": "String", "interpolated_string_expression": "String", "integer_literal": "Int", "boolean_literal": "Boolean",
	"floating_point_literal": "Double", "character_literal": "Char",
}

// valueAt is the expression of an expression.
func valueAt(p *walker, n binder.At) facts.Expr {
	if t := literals[p.Kind(n)]; t != "" {
		return facts.Name(t).Value()
	}
	switch p.Kind(n) {
	case "identifier", "operator_identifier", "type_identifier":
		return nameValue(p, n)
	case "wildcard":
		return wildcardValue(p, n)
	case "stable_identifier", "stable_type_identifier":
		return binder.Member(p.Expr(p.Nth(n, 0)), facts.MemberNamed(p.Plain(p.Last(n))))
	case "generic_type": // that takes a value apart
		return p.Expr(p.Child(n, "type"))
	case "field_expression":
		return fieldValue(p, n)
	case "call_expression":
		return callValue(p, n)
	case "generic_function":
		return genericCall(p, n)
	case "instance_expression":
		return binder.ValueOf(constructed(p, n))
	case "infix_expression":
		return infixValue(p, n)
	case "parenthesized_expression", "prefix_expression", "indented_block", "block", "template_body", "finally_clause":
		return p.Expr(p.Last(n))
	case "ascription_expression":
		return binder.ValueOf(p.TypeOf(p.Last(n)))
	case "if_expression":
		return binder.UnionOf(p.Expr(p.Child(n, "consequence")), p.Expr(p.Child(n, "alternative")))
	case "match_expression":
		return casesValue(p, p.Child(n, "body"))
	case "case_block", "indented_cases":
		return facts.Func(binder.AsType(casesValue(p, n))).Value()
	case "case_clause":
		return p.Expr(p.Child(n, "body"))
	case "try_expression":
		return p.Expr(p.Child(n, "body"))
	case "tuple_expression":
		return tupleValue(p, n)
	case "colon_argument":
		if p.Child(n, "lambda_start") < 0 {
			return p.Expr(p.Last(n))
		}
		return facts.Func(binder.AsType(p.Expr(p.Last(n)))).Value()
	case "lambda_expression":
		return facts.Func(binder.AsType(p.Expr(p.Last(n)))).Value()
	case "for_expression":
		return forValue(p, n)
	}
	return facts.Unknown
}

func casesValue(p *walker, block binder.At) facts.Expr {
	var all []facts.Expr
	for c := range p.Named(block) {
		if p.Kind(c) == "case_clause" {
			all = append(all, p.Expr(p.Child(c, "body")))
		}
	}
	return binder.UnionOf(all...)
}

// forValue is what a for expression gives: as what it begins with, of what it yields.
func forValue(p *walker, n binder.At) facts.Expr {
	if !p.Has(n, "yield") {
		return facts.External
	}
	first := p.Nth(p.First(n, "enumerators"), 0)
	of := p.Expr(p.Nth(first, 1))
	yields := binder.AsType(p.Expr(p.Child(n, "body")))
	if !yields.Known() {
		yields = facts.External
	}
	return binder.Inside(binder.Member(of, "map"), func(e facts.Expr) facts.Expr {
		return e.CallWith(0, facts.Func(yields).Value())
	})
}

func tupleValue(p *walker, n binder.At) facts.Expr {
	var all []facts.Expr
	for c := range p.Named(n) {
		e := binder.AsType(p.Expr(c))
		if !e.Known() {
			e = facts.External
		}
		all = append(all, e)
	}
	return facts.Tuple(all...).Value()
}

// nameValue is what a name stands for by itself.
func nameValue(p *walker, n binder.At) facts.Expr {
	switch name := p.Plain(n); name {
	case "this":
		return thisValue(p, n)
	case "super":
		return binder.SuperOf(binder.AsType(thisValue(p, n)))
	default:
		m := p.Resolve(n, name, true)
		if !m.Bare {
			return m.Expr
		}
		e := facts.Name(facts.MemberNamed(name))
		if t := anonymousAround(p, n); t.Known() {
			return binder.UnionOf(binder.Member(binder.ValueOf(t), facts.MemberNamed(name)), e)
		}
		return e
	}
}

// thisValue is the object around: of a class without a name what that is made from.
func thisValue(p *walker, n binder.At) facts.Expr {
	for up := p.Parent(n); up >= 0; up = p.Parent(up) {
		switch p.Kind(up) {
		case "instance_expression":
			body := p.First(up, "template_body")
			if body >= 0 && p.Nodes[n].Start >= p.Nodes[body].Start {
				return binder.ValueOf(constructed(p, up))
			}
		case "given_definition":
			return binder.ValueOf(p.TypeOf(p.Child(up, "return_type")))
		case "object_definition", "package_object":
			return binder.SymbolAt(p.Builder, p.Child(up, "name"))
		case "class_definition", "trait_definition", "enum_definition":
			return binder.ValueOf(binder.SymbolAt(p.Builder, p.Child(up, "name")))
		}
	}
	return facts.Unknown
}

// anonymousAround is what the class without a name around a place is made from, if it is the
// innermost type.
func anonymousAround(p *walker, n binder.At) facts.Expr {
	from := n
	for up := p.Parent(n); up >= 0; from, up = up, p.Parent(up) {
		switch p.Kind(up) {
		case "instance_expression":
			if p.Kind(from) == "template_body" {
				return constructed(p, up)
			}
		case "given_definition":
			if p.Kind(from) == "with_template_body" || p.Kind(from) == "template_body" {
				return p.TypeOf(p.Child(up, "return_type"))
			}
		case "object_definition", "package_object", "class_definition", "trait_definition", "enum_definition":
			return facts.Unknown
		}
	}
	return facts.Unknown
}

// constructed is the type that "new" makes a value of.
func constructed(p *walker, n binder.At) facts.Expr {
	for c := range p.Named(n) {
		switch p.Kind(c) {
		case "arguments", "template_body":
			return facts.External
		}
		return p.TypeOf(c)
	}
	return facts.Unknown
}

func fieldValue(p *walker, n binder.At) facts.Expr {
	field := p.Plain(p.Child(n, "field"))
	value := p.Child(n, "value")
	switch {
	case field == "this":
		return binder.ValueOf(enclosingNamed(p, n, p.Plain(value)))
	case field == "super":
		return binder.SuperOf(enclosingNamed(p, n, p.Plain(value)))
	case len(field) > 1 && field[0] == '_' && binder.IsDigit(field[1]):
		if i, err := strconv.Atoi(field[1:]); err == nil && i > 0 && i < binder.MostParts {
			return binder.Taken(p.Expr(value), i-1)
		}
	}
	return binder.Member(p.Expr(value), facts.MemberNamed(field))
}

// enclosingNamed is the type around of a name.
func enclosingNamed(p *walker, n binder.At, name string) facts.Expr {
	for s := p.ScopeAround(n).Symbol; s != nil; s = s.Enclosing {
		if s.Name == name && binder.Types[s.Kind] {
			return s.Expr()
		}
	}
	return facts.Unknown
}

// callValue is what a call gives.
func callValue(p *walker, n binder.At) facts.Expr {
	callee := p.Child(n, "function")
	switch p.Kind(callee) {
	case "call_expression": // of several lists of arguments the first says what is given, unless that is a value
		return p.Expr(callee)
	case "generic_function":
		return p.Expr(callee)
	case "instance_expression":
		return p.Expr(callee)
	}
	return callOf(p, n, calleeOf(p, callee))
}

// callOf is what calling something with the arguments of a call gives.
func callOf(p *walker, n binder.At, e facts.Expr) facts.Expr {
	args := passedArguments(p, n)
	if args == nil {
		return binder.Call(e)
	}
	return binder.Inside(e, func(e facts.Expr) facts.Expr {
		if with := e.CallWith(0, args...); with.Known() {
			return with
		}
		return e.Call(0)
	})
}

// calleeOf is what is called: of a type or object, its apply.
func calleeOf(p *walker, callee binder.At) facts.Expr {
	e := p.Expr(callee)
	if isTypeLike(p, callee) {
		return binder.Member(e, "apply")
	}
	return e
}

// isTypeLike reports whether an expression is a name that begins with a capital letter.
func isTypeLike(p *walker, n binder.At) bool {
	switch p.Kind(n) {
	case "identifier":
		return binder.IsUpper(p.Plain(n))
	case "field_expression":
		return binder.IsUpper(p.Plain(p.Child(n, "field")))
	}
	return false
}

// genericCall is a function with type arguments, called.
func genericCall(p *walker, n binder.At) facts.Expr {
	f := p.Child(n, "function")
	list := p.Child(n, "type_arguments")
	if p.Kind(f) == "field_expression" && p.TextAt(p.Child(f, "field")) == "asInstanceOf" {
		return binder.ValueOf(p.TypeOf(p.Nth(list, 0)))
	}
	if name := p.TextAt(f); name == "summon" || name == "implicitly" {
		return binder.ValueOf(p.TypeOf(p.Nth(list, 0)))
	}
	var args []facts.Expr
	for c := range p.Named(list) {
		args = append(args, binder.PartType(p.Builder, c))
	}
	e := p.Expr(f)
	if isTypeLike(p, f) {
		name := p.Plain(f)
		switch {
		case lists[name] && len(args) == 1:
			return facts.List(args[0]).Value()
		case maps[name] && len(args) == 2:
			return facts.Map(args[0], args[1]).Value()
		}
		e = binder.Member(e, "apply")
	}
	return binder.Inside(e, func(e facts.Expr) facts.Expr {
		if g := e.Generic(args...); g.Known() {
			return g.Call(0)
		}
		return e.Call(0)
	})
}

func infixValue(p *walker, n binder.At) facts.Expr {
	op := p.Child(n, "operator")
	of := p.Child(n, "left")
	if strings.HasSuffix(p.TextAt(op), ":") {
		of = p.Child(n, "right")
	}
	switch p.TextAt(op) {
	case "==", "!=", "&&", "||", "eq", "ne":
		return facts.Name("Boolean").Value()
	case "::", "++", ":+", "+:", "ensuring":
		return p.Expr(of)
	case "->":
		return tupleOf(p, p.Child(n, "left"), p.Child(n, "right"))
	}
	return callOf(p, n, binder.Member(p.Expr(of), facts.MemberNamed(p.Plain(op))))
}

func tupleOf(p *walker, nodes ...binder.At) facts.Expr {
	var all []facts.Expr
	for _, c := range nodes {
		e := binder.AsType(p.Expr(c))
		if !e.Known() {
			e = facts.External
		}
		all = append(all, e)
	}
	return facts.Tuple(all...).Value()
}

// mostArguments is of how many arguments of a call it is told what they are, longestPassed
// how long an expression of one may be, in bytes.
const (
	mostArguments = 4
	longestPassed = 60
)

// passedArguments are the arguments of a call if they say what type parameters are; nil if none does.
func passedArguments(p *walker, n binder.At) (args []facts.Expr) {
	says := false
	for _, a := range argumentsOf(p, n) {
		arg := facts.Unknown
		switch p.Kind(a) {
		case "identifier", "call_expression", "instance_expression", "lambda_expression", "field_expression", "case_block",
			"infix_expression", "block", "generic_function", "tuple_expression", "colon_argument", "indented_block":
			if e := p.Expr(a); e.Known() && !e.IsExternal() && e.Size() <= longestPassed {
				arg, says = e, true
				if hasWildcard(p, a) {
					arg = facts.Func(binder.AsType(e)).Value()
				}
			}
		}
		args = append(args, arg)
	}
	if !says || len(args) > mostArguments {
		return nil
	}
	return args
}

// hasWildcard reports whether an argument is a function because of a "_" in it.
func hasWildcard(p *walker, a binder.At) bool {
	for n := a; n < p.Nodes[a].Next; n++ {
		if p.Kind(n) == "wildcard" && functionOfWildcard(p, n) == a {
			return true
		}
	}
	return false
}

// argumentsOf are the arguments of a call, in its last brackets; of an infix call what is behind
// the operator, in brackets each.
func argumentsOf(p *walker, n binder.At) (all []binder.At) {
	args := p.Child(n, "arguments")
	if p.Kind(n) == "instance_expression" {
		args = p.First(n, "arguments")
	}
	if p.Kind(n) == "infix_expression" {
		args = p.Child(n, "right")
		if strings.HasSuffix(p.TextAt(p.Child(n, "operator")), ":") {
			args = p.Child(n, "left")
		}
		if p.Kind(args) == "tuple_expression" {
			for c := range p.Named(args) {
				all = append(all, c)
			}
			return all
		}
		return []binder.At{args}
	}
	switch p.Kind(args) {
	case "arguments":
		for c := range p.Named(args) {
			all = append(all, c)
		}
	case "":
	case "block", "indented_block", "colon_argument":
		if only := p.Nth(args, 0); only >= 0 && only == p.Last(args) {
			return []binder.At{only}
		}
		return []binder.At{args}
	default:
		return []binder.At{args}
	}
	return all
}
