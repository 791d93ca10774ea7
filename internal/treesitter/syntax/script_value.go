package syntax

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
)

// value is the expression of what an expression of JavaScript gives. What is
// promised counts as given.
func (p *script) value(n at) facts.Expr {
	switch p.kind(n) {
	case "identifier", "shorthand_property_identifier":
		if p.text(n) == "undefined" {
			return facts.External
		}
		return p.bare(n, true)
	case "member_expression":
		if p.text(n) == "module.exports" {
			return p.eval(p.whole)
		}
		return member(p.expr(p.child(n, "object")), p.text(p.child(n, "property")))
	case "subscript_expression":
		if i := p.child(n, "index"); p.kind(i) == "string" && plainName(p.plain(i)) {
			return member(p.expr(p.child(n, "object")), p.plain(i))
		}
		if key := p.keyName(p.child(n, "index")); key != "" {
			return member(p.expr(p.child(n, "object")), key)
		}
		return elem(p.expr(p.child(n, "object")))
	case "call_expression":
		return p.called(n)
	case "new_expression":
		return p.created(n)
	case "await_expression", "parenthesized_expression", "non_null_expression", "spread_element", "sequence_expression":
		return p.expr(p.last(n))
	case "as_expression", "satisfies_expression":
		if t := p.last(n); p.nth(n, 1) >= 0 {
			return valueOf(p.typeOf(t))
		}
		return p.expr(p.nth(n, 0)) // as const
	case "type_assertion":
		return p.expr(p.last(n))
	case "ternary_expression":
		return unionOf(p.expr(p.child(n, "consequence")), p.expr(p.child(n, "alternative")))
	case "binary_expression":
		return p.either(n)
	case "assignment_expression":
		return p.expr(p.child(n, "right"))
	case "object":
		return p.literal(n)
	case "array":
		return p.array(n)
	case "arrow_function", "function_expression", "function":
		return p.functionValue(n)
	case "class":
		return p.symbolAt(n)
	case "this":
		return p.this(n)
	case "super":
		if c := p.classAround(n); c != nil {
			return c.expr().Super().Value()
		}
	case "string", "template_string", "number", "regex", "true", "false", "null", "undefined", "unary_expression",
		"update_expression",
		"jsx_element", "jsx_self_closing_element", "jsx_fragment":
		return facts.External
	}
	return facts.Unknown
}

// literal is an object literal: what it declares itself, else what it is to be.
func (p *script) literal(n at) facts.Expr {
	if s := p.owned[n]; s != nil {
		return facts.TypeAt(s.index).Value()
	}
	if c, ok := p.ctx[n]; ok {
		if e := p.eval(c); e.Known() {
			return e
		}
	}
	return facts.External
}

func (p *script) array(n at) facts.Expr {
	var all []facts.Expr
	for c := range p.named(n) {
		e := p.expr(c)
		if p.kind(c) == "spread_element" {
			e = elem(e)
		}
		if all = append(all, e); len(all) > most {
			break
		}
	}
	return list(all...)
}

func (p *script) symbolAt(n at) facts.Expr {
	if name := p.child(n, "name"); name >= 0 {
		n = name
	}
	if s := p.bySpot[int(p.Nodes[n].Start)]; s != nil {
		return s.expr()
	}
	return facts.Unknown
}

// functionValue is a function as a value, with what it returns.
func (p *script) functionValue(n at) facts.Expr {
	result := asType(p.returns(n))
	if r := p.child(n, "return_type"); r >= 0 {
		result = p.typeOf(r)
	}
	var args []facts.Expr
	known := false
	for c := range p.named(p.child(n, "parameters")) {
		t := facts.Unknown
		if typ := p.child(c, "type"); typ >= 0 {
			t, known = p.typeOf(typ), true
		}
		args = append(args, t)
	}
	if full := facts.FuncWith(result, args...).Value(); known && full != facts.TooLong {
		return full
	}
	return facts.Func(result).Value()
}

// returns is what a function without a written result returns.
func (p *script) returns(n at) facts.Expr {
	if r := p.child(n, "return_type"); r >= 0 {
		return valueOf(p.typeOf(r))
	}
	body := p.child(n, "body")
	if p.kind(body) != "statement_block" {
		return p.expr(body)
	}
	var all []facts.Expr
	for i := body + 1; i < p.Nodes[body].Next; i++ {
		switch k := p.kind(i); {
		case isFunctionNode(k) || k == "function_declaration" || k == "class_body":
			i = p.Nodes[i].Next - 1
		case k == "return_statement" && p.nth(i, 0) >= 0 && len(all) < most:
			all = append(all, p.expr(p.nth(i, 0)))
		}
	}
	return unionOf(all...)
}

// this is what this is where a node stands.
func (p *script) this(n at) facts.Expr {
	for sc := p.scopeAround(n); sc != nil; sc = sc.parent {
		if v := sc.names["this"]; v != nil {
			return p.bare(n, true)
		}
		switch {
		case sc.self == markNone:
		case sc.self == markSelf:
			return sc.symbol.expr().Value()
		case sc.self == markClass && sc.symbol != nil && sc.symbol.parent != nil:
			return sc.symbol.parent.expr()
		case sc.self == markOwner && sc.symbol != nil && sc.symbol.parent != nil:
			return facts.TypeAt(sc.symbol.parent.index).Value()
		default:
			return facts.Unknown
		}
	}
	return facts.Unknown
}

func (p *script) created(n at) facts.Expr {
	c := p.child(n, "constructor")
	args := p.child(n, "type_arguments")
	if p.kind(c) == "identifier" {
		switch p.text(c) {
		case "Map", "WeakMap", "Set", "WeakSet", "Array":
			if args >= 0 {
				return valueOf(p.applied(p.text(c), args, func() facts.Expr { return facts.Name(p.text(c)) }))
			}
			if first := p.nth(p.child(n, "arguments"), 0); first >= 0 && p.text(c) == "Set" {
				return list(elem(p.expr(first)))
			}
			return facts.External
		case "Promise":
			if args >= 0 {
				return valueOf(p.typeOf(p.nth(args, 0)))
			}
			return facts.Unknown
		}
	}
	e := p.expr(c)
	if args >= 0 && e.Known() {
		e = e.Generic(p.arguments(args)...)
	}
	return call(e)
}

// arguments are type arguments.
func (p *script) arguments(n at) []facts.Expr {
	var all []facts.Expr
	for c := range p.named(n) {
		all = append(all, p.typeOf(c))
	}
	return all
}

func (p *script) called(n at) facts.Expr {
	f, args := p.child(n, "function"), p.child(n, "arguments")
	first := p.nth(args, 0)
	switch {
	case p.kind(f) == "import" || p.text(f) == "require":
		if i := p.importAt(first); p.kind(first) == "string" && i >= 0 {
			return facts.ModuleAt(i)
		}
		return facts.Unknown
	case p.kind(f) == "super":
		return facts.External
	case isFunctionNode(p.kind(inner(p.Tree, f))):
		return p.returns(inner(p.Tree, f))
	case p.kind(f) == "member_expression":
		if e := p.libraryMethod(f, args, first); e != facts.Nothing {
			return e
		}
	}
	if e := p.component(n, f, first); e != facts.Nothing {
		return e
	}
	if e := p.hook(n, f, first); e != facts.Nothing {
		return e
	}
	return inside(p.callee(n), func(e facts.Expr) facts.Expr {
		if given := p.given(n, args); given != nil {
			if with := e.CallWith(0, given...); with != facts.TooLong {
				return with
			}
		}
		return e.Call(0)
	})
}

// callee is what is called or constructed, with its type arguments.
func (p *script) callee(n at) facts.Expr {
	f := p.child(n, "function")
	if f < 0 {
		f = p.child(n, "constructor")
	}
	e := p.expr(f)
	if t := p.child(n, "type_arguments"); t >= 0 && e.Known() {
		e = e.Generic(p.arguments(t)...)
	}
	return e
}

// longestGiven is how long the expressions of arguments are in bytes, together,
// that are kept to find out type parameters.
const longestGiven = 80

// given are the values that a function is called with, if they may say what its
// type parameters are, else nil.
func (p *script) given(n, args at) []facts.Expr {
	if p.child(n, "type_arguments") >= 0 {
		return nil
	}
	var all []facts.Expr
	useful, size := false, 0
	for c := range p.named(args) {
		e := facts.External
		if p.kind(c) != "spread_element" && !isFunctionNode(p.kind(c)) && p.ctx[c] == (source{}) {
			e = p.expr(c)
		}
		useful = useful || e != facts.External && e.Known()
		all = append(all, e)
		size += e.Size() + 1
	}
	if !useful || size > longestGiven {
		return nil
	}
	return all
}

func inner(t *Tree, n at) at {
	for t.kind(n) == "parenthesized_expression" {
		n = t.nth(n, 0)
	}
	return n
}

// libraryMethod is the result of methods of the language's library that depends on
// what they are given, or "".
func (p *script) libraryMethod(f, args, first at) facts.Expr {
	object, prop := p.child(f, "object"), p.text(p.child(f, "property"))
	switch p.text(object) {
	case "Object", "Array", "Promise":
		e := p.expr(first)
		switch prop {
		case "values", "from", "of":
			return list(elem(e))
		case "entries":
			return facts.List(facts.Tuple(facts.External, asType(elem(e)))).Value()
		case "assign":
			return unionOf(e, p.expr(p.nth(args, 1)))
		case "freeze", "create", "seal", "resolve":
			return e
		case "keys", "isArray":
			return facts.External
		case "all", "allSettled", "race":
			return e
		}
	}
	if !isFunctionNode(p.kind(first)) {
		return facts.Nothing
	}
	switch prop {
	case "map":
		return list(p.returns(first))
	case "flatMap":
		return list(elem(p.returns(first)))
	case "then":
		return p.returns(first)
	case "catch", "finally":
		return p.expr(object)
	case "reduce":
		return p.expr(p.nth(args, 1))
	}
	return facts.Nothing
}

// either is the value of a binary expression: one of its sides, or a number.
func (p *script) either(n at) facts.Expr {
	switch p.text(p.child(n, "operator")) {
	case "||", "??":
		return unionOf(p.expr(p.child(n, "left")), p.expr(p.child(n, "right")))
	case "&&":
		return p.expr(p.child(n, "right"))
	}
	return facts.External
}
