package swift

import (
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// literals are the types of what is written out.
var literals = map[string]string{
	"line_string_literal": "String", "multi_line_string_literal": "String", "raw_string_literal": "String",
	"integer_literal": "Int", "hex_literal": "Int", "bin_literal": "Int", "oct_literal": "Int", "real_literal": "Double",
	"boolean_literal": "Bool", "equality_expression": "Bool", "comparison_expression": "Bool",
	"conjunction_expression": "Bool", "disjunction_expression": "Bool", "check_expression": "Bool",
}

// valueAt is the expression of an expression.
func valueAt(p *walker, n binder.At) facts.Expr {
	if t := literals[p.Kind(n)]; t != "" {
		return facts.Name(t).Value()
	}
	switch p.Kind(n) {
	case "simple_identifier":
		if p.TextAt(n) == "Self" {
			return facts.This
		}
		return bareValue(p, n, p.Plain(n))
	case "self_expression":
		return binder.ValueOf(selfType(p, n))
	case "super_expression":
		return binder.SuperOf(selfType(p, n))
	case "navigation_expression":
		return navigationValue(p, n)
	case "call_expression":
		return callValue(p, n)
	case "constructor_expression":
		return binder.ValueOf(p.TypeOf(p.Child(n, "constructed_type")))
	case "prefix_expression":
		if isImplicit(p, n) {
			return binder.Member(binder.AsType(contextOf(p, n)), p.Plain(p.Child(n, "target")))
		}
		return p.Expr(p.Child(n, "target"))
	case "postfix_expression":
		return p.Expr(p.Nth(n, 0))
	case "try_expression", "await_expression":
		return p.Expr(p.Child(n, "expr"))
	case "as_expression":
		return binder.ValueOf(p.TypeOf(p.Child(n, "name")))
	case "nil_coalescing_expression":
		return binder.UnionOf(p.Expr(p.Child(n, "value")), p.Expr(p.Child(n, "if_nil")))
	case "ternary_expression":
		return binder.UnionOf(p.Expr(p.Child(n, "if_true")), p.Expr(p.Child(n, "if_false")))
	case "tuple_expression":
		return tupleValue(p, n)
	case "array_literal", "dictionary_literal":
		return collection(p, n)
	case "lambda_literal":
		if r := closureGives(p, n); r.Known() {
			return facts.Func(binder.AsType(r)).Value()
		}
	case "user_type", "array_type", "dictionary_type", "optional_type", "tuple_type":
		return p.TypeOf(n)
	case "directly_assignable_expression":
		return p.Expr(p.Nth(n, 0))
	case "value_argument":
		return p.Expr(p.Child(n, "value"))
	case "key_path_expression", "selector_expression", "range_expression", "additive_expression",
		"multiplicative_expression":
		return facts.External
	}
	return facts.Unknown
}

// collection is a list or dictionary that is written out.
func collection(p *walker, n binder.At) facts.Expr {
	if p.Kind(n) == "dictionary_literal" {
		if v := p.Child(n, "value"); v >= 0 {
			if t := binder.AsType(p.Expr(v)); t.Known() {
				return facts.Map(facts.External, t).Value()
			}
		}
		return facts.External
	}
	var all []facts.Expr
	for c := range p.Named(n) {
		all = append(all, p.Expr(c))
		if len(all) == mostElements {
			break
		}
	}
	return binder.List(all...)
}

// mostElements is how many elements of a list that is written out are looked at.
const mostElements = 3

// bareValue is what a name stands for by itself; name may have labels.
func bareValue(p *walker, n binder.At, name string) facts.Expr {
	plain, _, _ := facts.Labels(name)
	if m := p.Resolve(n, plain, true); !m.Bare {
		return m.Expr
	}
	return facts.Name(name)
}

// isImplicit reports whether an expression is a member of a type that is not written: ".a".
func isImplicit(p *walker, n binder.At) bool {
	return p.Kind(n) == "prefix_expression" && strings.HasPrefix(p.TextAt(n), ".") &&
		p.Kind(p.Child(n, "target")) == "simple_identifier"
}

func tupleValue(p *walker, n binder.At) facts.Expr {
	var all []facts.Expr
	for c := range p.Named(n) {
		if p.Field(c) == "value" {
			all = append(all, p.Expr(c))
		}
	}
	switch len(all) {
	case 0:
		return facts.External
	case 1:
		return all[0]
	}
	for i, e := range all {
		if all[i] = binder.AsType(e); !e.Known() {
			all[i] = facts.External
		}
	}
	return facts.Tuple(all...).Value()
}

func navigationValue(p *walker, n binder.At) facts.Expr {
	target := p.Child(n, "target")
	suffix := p.Child(p.Child(n, "suffix"), "suffix")
	switch {
	case p.Kind(target) == "key_path_expression":
		return facts.External
	case p.Kind(suffix) == "integer_literal":
		i, err := strconv.Atoi(p.TextAt(suffix))
		if err != nil {
			return facts.Unknown
		}
		return binder.Taken(p.Expr(target), i)
	case p.TextAt(suffix) == "self":
		return p.Expr(target)
	case p.TextAt(suffix) == "Type":
		return facts.Class(p.Expr(target))
	}
	return binder.Member(p.Expr(target), p.Plain(suffix))
}

// callValue is what a call gives, or taking an element.
func callValue(p *walker, n binder.At) facts.Expr {
	if isSubscript(p, n) {
		return binder.Elem(p.Expr(p.Nth(n, 0)))
	}
	callee := p.Nth(n, 0)
	switch p.Kind(callee) {
	case "navigation_expression":
		if p.TextAt(p.Child(p.Child(callee, "suffix"), "suffix")) == "init" {
			return binder.ValueOf(typeIn(p.Expr(p.Child(callee, "target"))))
		}
	case "prefix_expression":
		if isImplicit(p, callee) && p.TextAt(p.Child(callee, "target")) == "init" {
			return contextOf(p, n)
		}
	case "simple_identifier":
		if p.TextAt(callee) == "type" && strings.Join(labelsOf(p, n), "") == "of" {
			return facts.TypeOf(p.Expr(argumentsOf(p, n)[0]))
		}
	case "array_literal", "dictionary_literal": // [T]()
		if c := p.Nth(callee, 0); c >= 0 && p.Kind(callee) == "array_literal" {
			return facts.List(typeIn(p.Expr(c))).Value()
		}
		return facts.External
	case "lambda_literal":
		return closureGives(p, callee)
	}
	e := calleeOf(p, n)
	if args := passedArguments(p, n); args != nil {
		return binder.Inside(e, func(e facts.Expr) facts.Expr {
			if with := e.CallWith(0, args...); with.Known() {
				return with
			}
			return e.Call(0)
		})
	}
	return binder.Call(e)
}

// typeIn is the type that an expression is, of a value its type.
func typeIn(e facts.Expr) facts.Expr {
	if t, ok := e.OfValue(); ok {
		return t
	}
	return e
}

// passedArguments are the arguments of a call if they say what type parameters are: types, and what
// is of a type that is known; nil if none does.
func passedArguments(p *walker, n binder.At) (args []facts.Expr) {
	says := false
	for _, a := range argumentsOf(p, n) {
		arg := facts.Unknown
		v := p.Child(a, "value")
		if p.Kind(a) == "lambda_literal" {
			v = a
		}
		switch p.Kind(v) {
		case "navigation_expression":
			if strings.HasSuffix(p.TextAt(v), ".self") {
				if t := p.Expr(v); t.Known() && t.Size() <= longestPassed {
					arg, says = facts.List(t).Value(), true
				}
				break
			}
			fallthrough
		case "lambda_literal":
			if e := p.Expr(v); e.Known() && e.Size() <= longestPassed {
				arg, says = e, true
			}
		case "simple_identifier", "call_expression", "self_expression", "constructor_expression":
			if e := p.Expr(v); e.Known() && !e.IsExternal() && e.Size() <= longestPassed {
				arg, says = e, true
			}
		}
		args = append(args, arg)
	}
	if !says || len(args) > mostArguments {
		return nil
	}
	return args
}

// mostArguments is of how many arguments of a call it is told what they are, longestPassed
// how long an expression of one may be, in bytes.
const (
	mostArguments = 4
	longestPassed = 60
)

// closureGives is what a closure returns: its one expression, or what its returns say.
func closureGives(p *walker, n binder.At) facts.Expr {
	t := p.Child(n, "type")
	if r := p.Child(t, "name"); r >= 0 && p.Kind(t) == "lambda_function_type" {
		return binder.ValueOf(p.TypeOf(r))
	}
	body := p.First(n, "statements")
	if only := p.Nth(body, 0); only >= 0 && only == p.Last(body) && p.Kind(only) != "control_transfer_statement" {
		return p.Expr(only)
	}
	var all []facts.Expr
	for c := range p.Named(body) {
		if p.Kind(c) == "control_transfer_statement" {
			if r := p.Child(c, "result"); r >= 0 {
				all = append(all, p.Expr(r))
			}
		}
	}
	return binder.UnionOf(all...)
}
