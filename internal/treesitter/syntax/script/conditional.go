package script

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// conditional is a conditional type. What asks for the length of a list of
// types that is a type parameter is decided where that is known, and what asks whether a
// type is unknown where it is not; of others, and
// where it is not known, it is one of both.
func conditional(p *walker, n binder.At) facts.Expr {
	yes, no := p.TypeOf(p.Child(n, "consequence")), p.TypeOf(p.Child(n, "alternative"))
	if of, is := asked(p, p.Child(n, "left"), p.Child(n, "right")); of != facts.Nothing {
		if e := facts.Cond(of, is, yes, no); e.Known() {
			return e
		}
	}
	return oneOrBoth(yes, no, false)
}

// asked is the type parameter whose length a conditional type asks for, or the type that
// may be unknown, and what it is compared with, as facts.Cond takes them.
func asked(p *walker, left, right binder.At) (of, is facts.Expr) {
	if p.Kind(left) == "predefined_type" && p.TextAt(left) == "number" && p.Kind(right) == "lookup_type" &&
		asksLength(p, p.Nth(right, 1)) {
		return typeParameter(p, p.Nth(right, 0)), facts.List(facts.External)
	}
	if p.TextAt(left) == "unknown" {
		if t := p.TypeOf(right); t.Known() && !t.IsExternal() {
			return t, facts.External
		}
	}
	if p.Kind(right) != "tuple_type" {
		return facts.Nothing, facts.Nothing
	}
	for c := range p.Named(right) {
		if k := p.Kind(c); k != "rest_type" && k != "optional_type" {
			return typeParameter(p, left), facts.Tuple(facts.External)
		}
	}
	if p.Nth(right, 0) >= 0 {
		return facts.Nothing, facts.Nothing
	}
	return typeParameter(p, left), facts.Tuple()
}

// asksLength reports whether a key is 'length', or that and a key of the type.
func asksLength(p *walker, key binder.At) bool {
	if p.Kind(key) == "intersection_type" {
		key = p.Nth(key, 0)
	}
	return p.Kind(key) == "literal_type" && p.Kind(p.Nth(key, 0)) == "string" && p.Plain(p.Nth(key, 0)) == "length"
}

// typeParameter is a type parameter; nothing of any other type.
func typeParameter(p *walker, n binder.At) facts.Expr {
	if p.Kind(n) != "type_identifier" || p.TypeOf(n) != facts.Name(p.TextAt(n)) {
		return facts.Nothing
	}
	v, sc := p.ScopeOf(n).Find(p.TextAt(n), true)
	if v == nil || sc == p.Top {
		return facts.Nothing
	}
	return facts.Name(p.TextAt(n))
}

// inferred is what "infer X" stands for in a conditional type: the part of the type
// that is asked about which is in its place.
func inferred(p *walker, n binder.At) facts.Expr {
	c := p.Up(n, "conditional_type")
	of, in := p.TypeOf(p.Child(c, "left")), p.Child(c, "right")
	for of.Known() && !of.IsExternal() && in != n {
		value := binder.ValueOf(of)
		switch p.Kind(in) {
		case "parenthesized_type", "readonly_type", "type_annotation", "optional_type":
			in = p.Last(in)
			continue
		case "object_type":
			m := holding(p, in, n)
			if p.Kind(m) != "property_signature" || !binder.PlainName(p.Plain(p.Child(m, "name"))) {
				return facts.External
			}
			of, in = binder.AsType(binder.Member(value, p.Plain(p.Child(m, "name")))), p.Child(m, "type")
		case "function_type":
			if r := p.Child(in, "return_type"); holding(p, in, n) == r {
				of, in = binder.AsType(binder.Call(value)), r
				continue
			}
			of, in = parameterOf(p, in, n, value)
		case "array_type":
			of, in = binder.AsType(binder.Elem(value)), p.Nth(in, 0)
		case "generic_type":
			p.matching = true
			pattern := p.TypeOf(in)
			p.matching = false
			if !pattern.Known() {
				return facts.External
			}
			return facts.Infer(of, pattern, p.TextAt(p.Nth(n, 0)))
		default:
			return facts.External
		}
	}
	return of
}

// holding is the child of a node that is or has another one.
func holding(p *walker, n, inner binder.At) binder.At {
	for c := range p.Named(n) {
		if c <= inner && inner < p.Nodes[c].Next {
			return c
		}
	}
	return binder.None
}

// parameterOf is the type of a function's parameter that has a node, with its place;
// External where that takes all that follow.
func parameterOf(p *walker, f, n binder.At, function facts.Expr) (facts.Expr, binder.At) {
	i := 0
	for c := range p.Named(p.Child(f, "parameters")) {
		if c <= n && n < p.Nodes[c].Next && p.Kind(p.Child(c, "pattern")) == "identifier" {
			return binder.AsType(binder.Param(function, i)), p.Child(c, "type")
		}
		i++
	}
	return facts.External, n
}
