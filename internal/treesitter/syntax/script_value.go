package syntax

import (
	"strconv"
	"strings"
)

// value is the expression of what an expression of JavaScript gives. What is
// promised counts as given.
func (p *script) value(n at) string {
	switch p.kind(n) {
	case "identifier", "shorthand_property_identifier":
		if p.text(n) == "undefined" {
			return external
		}
		return p.bare(n, true)
	case "member_expression":
		if p.text(n) == "module.exports" {
			return p.eval(p.whole)
		}
		return then(p.expr(p.child(n, "object")), "."+p.text(p.child(n, "property")))
	case "subscript_expression":
		if i := p.child(n, "index"); p.kind(i) == "string" && plainName(p.plain(i)) {
			return then(p.expr(p.child(n, "object")), "."+p.plain(i))
		}
		if key := p.keyName(p.child(n, "index")); key != "" {
			return then(p.expr(p.child(n, "object")), "."+key)
		}
		return then(p.expr(p.child(n, "object")), "[]")
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
		return unionOf([]string{p.expr(p.child(n, "consequence")), p.expr(p.child(n, "alternative"))})
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
			return caret(c) + "!{}"
		}
	case "string", "template_string", "number", "regex", "true", "false", "null", "undefined", "unary_expression", "update_expression",
		"jsx_element", "jsx_self_closing_element", "jsx_fragment":
		return external
	}
	return unknown
}

// literal is an object literal: what it declares itself, else what it is to be.
func (p *script) literal(n at) string {
	if s := p.owned[n]; s != nil {
		return "@" + strconv.Itoa(s.index) + "{}"
	}
	if c, ok := p.ctx[n]; ok {
		if e := p.eval(c); e != unknown {
			return e
		}
	}
	return external
}

func (p *script) array(n at) string {
	var all []string
	for c := range p.named(n) {
		e := p.expr(c)
		if p.kind(c) == "spread_element" {
			e = then(e, "[]")
		}
		if all = append(all, e); len(all) > most {
			break
		}
	}
	return list(all...)
}

func (p *script) symbolAt(n at) string {
	if name := p.child(n, "name"); name >= 0 {
		n = name
	}
	if s := p.bySpot[int(p.Nodes[n].Start)]; s != nil {
		return caret(s)
	}
	return unknown
}

// functionValue is a function as a value, with what it returns.
func (p *script) functionValue(n at) string {
	result := asType(p.returns(n))
	if r := p.child(n, "return_type"); r >= 0 {
		result = p.typeOf(r)
	}
	var args []string
	known := false
	for c := range p.named(p.child(n, "parameters")) {
		t := unknown
		if typ := p.child(c, "type"); typ >= 0 {
			t, known = p.typeOf(typ), true
		}
		args = append(args, t)
	}
	if full := "~func<" + result + ";~args<" + strings.Join(args, ";") + ">>{}"; known && bounded(full) != unknown {
		return full
	}
	return bounded("~func<" + result + ">{}")
}

// returns is what a function without a written result returns.
func (p *script) returns(n at) string {
	if r := p.child(n, "return_type"); r >= 0 {
		return valueOf(p.typeOf(r))
	}
	body := p.child(n, "body")
	if p.kind(body) != "statement_block" {
		return p.expr(body)
	}
	var all []string
	for i := body + 1; i < p.Nodes[body].Next; i++ {
		switch k := p.kind(i); {
		case isFunctionNode(k) || k == "function_declaration" || k == "class_body":
			i = p.Nodes[i].Next - 1
		case k == "return_statement" && p.nth(i, 0) >= 0 && len(all) < most:
			all = append(all, p.expr(p.nth(i, 0)))
		}
	}
	return unionOf(all)
}

// this is what this is where a node stands.
func (p *script) this(n at) string {
	for sc := p.scopeAround(n); sc != nil; sc = sc.parent {
		if v := sc.names["this"]; v != nil {
			return p.bare(n, true)
		}
		switch {
		case sc.self == "":
		case sc.self == markSelf:
			return caret(sc.symbol) + "{}"
		case sc.self == markClass && sc.symbol != nil && sc.symbol.parent != nil:
			return caret(sc.symbol.parent)
		case sc.self == markOwner && sc.symbol != nil && sc.symbol.parent != nil:
			return "@" + strconv.Itoa(sc.symbol.parent.index) + "{}"
		default:
			return unknown
		}
	}
	return unknown
}

func (p *script) created(n at) string {
	c := p.child(n, "constructor")
	args := p.child(n, "type_arguments")
	if p.kind(c) == "identifier" {
		switch p.text(c) {
		case "Map", "WeakMap", "Set", "WeakSet", "Array":
			if args >= 0 {
				return valueOf(p.applied(p.text(c), args, func() string { return p.text(c) }))
			}
			if first := p.nth(p.child(n, "arguments"), 0); first >= 0 && p.text(c) == "Set" {
				return list(then(p.expr(first), "[]"))
			}
			return external
		case "Promise":
			if args >= 0 {
				return valueOf(p.typeOf(p.nth(args, 0)))
			}
			return unknown
		}
	}
	e := p.expr(c)
	if args >= 0 && e != unknown {
		e = bounded(e + p.arguments(args))
	}
	return then(e, "()")
}

// arguments are type arguments in angle brackets.
func (p *script) arguments(n at) string {
	s, sep := "<", ""
	for c := range p.named(n) {
		s += sep + p.typeOf(c)
		sep = ";"
	}
	return s + ">"
}

func (p *script) called(n at) string {
	f, args := p.child(n, "function"), p.child(n, "arguments")
	first := p.nth(args, 0)
	switch {
	case p.kind(f) == "import" || p.text(f) == "require":
		if i := p.importAt(first); p.kind(first) == "string" && i >= 0 {
			return "#" + strconv.Itoa(i)
		}
		return unknown
	case p.kind(f) == "super":
		return external
	case isFunctionNode(p.kind(inner(p.Tree, f))):
		return p.returns(inner(p.Tree, f))
	case p.kind(f) == "member_expression":
		if e := p.method1(f, args, first); e != "" {
			return e
		}
	}
	if e := p.component(n, f, first); e != "" {
		return e
	}
	if e := p.hook(n, f, first); e != "" {
		return e
	}
	return then(p.callee(n), "("+p.given(n, args)+")")
}

// callee is what is called or constructed, with its type arguments.
func (p *script) callee(n at) string {
	f := p.child(n, "function")
	if f < 0 {
		f = p.child(n, "constructor")
	}
	e := p.expr(f)
	if t := p.child(n, "type_arguments"); t >= 0 && e != unknown {
		e = bounded(e + p.arguments(t))
	}
	return e
}

// longestGiven is how long the expressions of arguments are that are kept to
// find out type parameters.
const longestGiven = 80

// given is what a function is called with, if that may say what its type
// parameters are: "=A;B", else "".
func (p *script) given(n, args at) string {
	if p.child(n, "type_arguments") >= 0 {
		return ""
	}
	var parts []string
	useful := false
	for c := range p.named(args) {
		e := external
		if p.kind(c) != "spread_element" && !isFunctionNode(p.kind(c)) && p.ctx[c] == (source{}) {
			e = p.expr(c)
		}
		useful = useful || e != external && e != unknown
		parts = append(parts, e)
	}
	if text := "=" + strings.Join(parts, ";"); useful && len(text) <= longestGiven {
		return text
	}
	return ""
}

func inner(t *Tree, n at) at {
	for t.kind(n) == "parenthesized_expression" {
		n = t.nth(n, 0)
	}
	return n
}

// method1 is the result of methods of the language's library that depends on
// what they are given, or "".
func (p *script) method1(f, args, first at) string {
	object, prop := p.child(f, "object"), p.text(p.child(f, "property"))
	switch p.text(object) {
	case "Object", "Array", "Promise":
		e := p.expr(first)
		switch prop {
		case "values", "from", "of":
			return list(then(e, "[]"))
		case "entries":
			return bounded("~list<~tuple<~ext;" + asType(then(e, "[]")) + ">>{}")
		case "assign":
			return unionOf([]string{e, p.expr(p.nth(args, 1))})
		case "freeze", "create", "seal", "resolve":
			return e
		case "keys", "isArray":
			return external
		case "all", "allSettled", "race":
			return e
		}
	}
	if !isFunctionNode(p.kind(first)) {
		return ""
	}
	switch prop {
	case "map":
		return list(p.returns(first))
	case "flatMap":
		return list(then(p.returns(first), "[]"))
	case "then":
		return p.returns(first)
	case "catch", "finally":
		return p.expr(object)
	case "reduce":
		return p.expr(p.nth(args, 1))
	}
	return ""
}

// either is the value of a binary expression: one of its sides, or a number.
func (p *script) either(n at) string {
	switch p.text(p.child(n, "operator")) {
	case "||", "??":
		return unionOf([]string{p.expr(p.child(n, "left")), p.expr(p.child(n, "right"))})
	case "&&":
		return p.expr(p.child(n, "right"))
	}
	return external
}
