package scala

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// wildcardValue is what "_" stands for: a parameter of the function that it makes.
func wildcardValue(p *walker, n binder.At) facts.Expr {
	f := functionOfWildcard(p, n)
	if f < 0 {
		return facts.Unknown
	}
	at := 0
	for c := f; c < n; c++ {
		if p.Kind(c) == "wildcard" && functionOfWildcard(p, c) == f {
			at++
		}
	}
	return binder.Param(contextOf(p, f), at)
}

// functionOfWildcard is the expression that a "_" makes a function, or none.
func functionOfWildcard(p *walker, n binder.At) binder.At {
	for at, up := n, p.Parent(n); up >= 0; at, up = up, p.Parent(up) {
		switch p.Kind(up) {
		case "arguments", "block", "parenthesized_expression", "val_definition", "tuple_expression", "lambda_expression",
			"indented_block", "function_definition":
			if at == n { // "f(_)" is a function of what is around
				continue
			}
			return at
		case "template_body", "case_clause", "type_arguments":
			return binder.None
		}
	}
	return binder.None
}

// contextOf is what an expression is expected to be, a value, by where it stands.
func contextOf(p *walker, n binder.At) facts.Expr {
	up := p.Parent(n)
	switch p.Kind(up) {
	case "arguments", "call_expression", "infix_expression":
		return argumentContext(p, up, n)
	case "parenthesized_expression":
		return contextOf(p, up)
	case "block", "indented_block":
		if p.Last(up) == n {
			return contextOf(p, up)
		}
	case "colon_argument":
		if p.Child(up, "lambda_start") >= 0 {
			return binder.Call(contextOf(p, up))
		}
		return contextOf(p, up)
	case "val_definition", "var_definition":
		if p.Field(n) == "value" {
			return binder.ValueOf(p.TypeOf(p.Child(up, "type")))
		}
	case "function_definition":
		if p.Field(n) == "body" {
			return binder.ValueOf(p.TypeOf(p.Child(up, "return_type")))
		}
	case "ascription_expression":
		return binder.ValueOf(p.TypeOf(p.Last(up)))
	case "assignment_expression":
		if p.Field(n) == "right" && p.Kind(p.Parent(up)) != "arguments" {
			return p.Expr(p.Child(up, "left"))
		}
	case "if_expression":
		if p.Field(n) != "condition" {
			return contextOf(p, up)
		}
	case "case_clause":
		if p.Field(n) == "body" {
			if block := p.Parent(up); p.Kind(p.Parent(block)) == "match_expression" {
				return contextOf(p, p.Parent(block))
			} else {
				return binder.Call(contextOf(p, block))
			}
		}
	case "catch_clause":
		return contextOf(p, p.Parent(up))
	case "lambda_expression":
		if p.Last(up) == n {
			return binder.Call(contextOf(p, up))
		}
	}
	return facts.Unknown
}

// argumentContext is contextOf for an argument of a call.
func argumentContext(p *walker, up, n binder.At) facts.Expr {
	call := up
	if p.Kind(up) == "arguments" {
		call = p.Parent(up)
	}
	if k := p.Kind(call); k == "call_expression" && p.Field(n) == "function" ||
		k == "infix_expression" && !slices.Contains(argumentsOf(p, call), n) {
		return facts.Unknown
	}
	all := argumentsOf(p, call)
	at := max(slices.Index(all, n), 0)
	var e facts.Expr
	var passed []facts.Expr
	switch p.Kind(call) {
	case "instance_expression":
		e = constructed(p, call)
	case "infix_expression":
		of := p.Child(call, "left")
		if of == n {
			of = p.Child(call, "right")
		}
		e = binder.Member(p.Expr(of), facts.MemberNamed(p.Plain(p.Child(call, "operator"))))
	case "call_expression":
		callee := p.Child(call, "function")
		for p.Kind(callee) == "call_expression" {
			before := argumentsOf(p, callee)
			at += len(before)
			passed = passedArguments(p, callee)
			callee = p.Child(callee, "function")
		}
		switch p.Kind(callee) {
		case "instance_expression":
			e = constructed(p, callee)
		case "generic_function":
			e = calleeOf(p, p.Child(callee, "function"))
		default:
			e = calleeOf(p, callee)
		}
	default:
		return facts.Unknown
	}
	return binder.Inside(e, func(e facts.Expr) facts.Expr {
		if passed != nil {
			if with := facts.ParamWith(e, at, facts.Unknown, passed...); with.Known() {
				return with
			}
		}
		return e.Param(at)
	})
}
