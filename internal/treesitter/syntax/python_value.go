package syntax

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
)

// value is the expression of what an expression of Python gives.
func (p *python) value(n at) facts.Expr {
	switch p.kind(n) {
	case "identifier":
		return p.bare(n, false)
	case "attribute":
		return member(p.expr(p.child(n, "object")), p.text(p.child(n, "attribute")))
	case "dotted_name":
		return p.dotted(n)
	case "call":
		return p.called(n)
	case "subscript":
		return p.element(n)
	case "await", "parenthesized_expression", "expression_statement", "case_pattern", "class_pattern":
		return p.expr(p.nth(n, 0))
	case "named_expression":
		return p.expr(p.child(n, "value"))
	case "conditional_expression":
		return unionOf(p.expr(p.nth(n, 0)), p.expr(p.nth(n, 2)))
	case "boolean_operator":
		return unionOf(p.expr(p.child(n, "left")), p.expr(p.child(n, "right")))
	case "list", "set":
		return list(p.each(n)...)
	case "tuple", "expression_list":
		return p.tuple(n)
	case "dictionary":
		return p.dictionary(n)
	case "list_comprehension", "set_comprehension", "generator_expression":
		return list(p.expr(p.child(n, "body")))
	case "dictionary_comprehension":
		pair := p.child(n, "body")
		return p.mapOf([]facts.Expr{p.expr(p.child(pair, "key"))}, []facts.Expr{p.expr(p.child(pair, "value"))})
	case "string", "concatenated_string", "integer", "float", "true", "false", "none", "comparison_operator",
		"not_operator", "ellipsis":
		return facts.External
	case "binary_operator":
		return p.operated(n)
	case "lambda":
		return facts.Func(asType(p.expr(p.child(n, "body")))).Value()
	case "list_splat":
		return elem(p.expr(p.nth(n, 0)))
	case "class_definition", "function_definition":
		if s := p.bySpot[int(p.Nodes[p.child(n, "name")].Start)]; s != nil {
			return s.expr()
		}
	}
	return facts.Unknown
}

func (p *python) each(n at) []facts.Expr {
	var all []facts.Expr
	for c := range p.named(n) {
		if all = append(all, p.expr(c)); len(all) > most {
			break
		}
	}
	return all
}

func (p *python) tuple(n at) facts.Expr {
	all := p.each(n)
	if len(all) > 8 {
		return list(all...)
	}
	for i, e := range all {
		all[i] = asType(e)
	}
	return facts.Tuple(all...).Value()
}

func (p *python) dictionary(n at) facts.Expr {
	var keys, values []facts.Expr
	for c := range p.named(n) {
		if p.kind(c) == "pair" && len(keys) < most {
			keys, values = append(keys, p.expr(p.child(c, "key"))), append(values, p.expr(p.child(c, "value")))
		}
	}
	return p.mapOf(keys, values)
}

func (p *python) mapOf(keys, values []facts.Expr) facts.Expr {
	k, v := asType(unionOf(keys...)), asType(unionOf(values...))
	if !v.Known() {
		return facts.External
	}
	return facts.Map(k, v).Value()
}

// operators are the methods behind them.
var operators = map[string]string{
	"+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__",
	"|": "__or__", "&": "__and__",
	"@": "__matmul__", "**": "__pow__", "<<": "__lshift__", ">>": "__rshift__", "^": "__xor__",
}

func (p *python) operated(n at) facts.Expr {
	left := p.expr(p.child(n, "left"))
	if left.Root() == facts.OpList {
		return left
	}
	m := operators[p.text(p.child(n, "operator"))]
	if m == "" {
		return facts.Unknown
	}
	return call(member(left, m))
}

// element is what a subscript gives: an element, or a slice.
func (p *python) element(n at) facts.Expr {
	e := p.expr(p.child(n, "value"))
	i := p.child(n, "subscript")
	switch p.kind(i) {
	case "slice":
		return e
	case "integer":
		if len(p.text(i)) == 1 && e.Root() == facts.OpTuple {
			return taken(e, int(p.text(i)[0]-'0'))
		}
	}
	return elem(e)
}

// called is the result of a call.
func (p *python) called(n at) facts.Expr {
	f, args := p.child(n, "function"), p.child(n, "arguments")
	first := p.nth(args, 0)
	if p.kind(f) == "identifier" {
		if v, _ := p.scopeAround(n).find(p.text(f), false); v == nil {
			if e := p.builtin(n, p.text(f), args, first); e != facts.Nothing {
				return e
			}
		}
	}
	switch name := p.text(f); {
	case (name == "typing.cast" || name == "t.cast" || name == "cast") && first >= 0:
		return valueOf(p.typeOf(first))
	case name == "asyncio.gather":
		return p.tuple(args)
	case name == "copy.copy" || name == "copy.deepcopy" || name == "deepcopy" || name == "weakref.proxy" ||
		name == "asyncio.wait_for":
		return p.expr(first)
	}
	if p.kind(f) == "attribute" && first < 0 {
		// views of a map and the like
		object := p.expr(p.child(f, "object"))
		if p.text(p.child(f, "attribute")) == "items" && object.Root() == facts.OpMap {
			return facts.List(facts.Tuple(facts.TypeOf(object.Key()), facts.TypeOf(object.Elem()))).Value()
		}
	}
	if p.kind(f) == "attribute" {
		object := p.expr(p.child(f, "object"))
		m := p.text(p.child(f, "attribute"))
		if object.Root() == facts.OpMap || object.Root() == facts.OpList {
			switch m {
			case "get", "pop", "setdefault", "popleft":
				return elem(object)
			case "copy":
				return object
			case "values":
				return list(elem(object))
			case "keys":
				return list(key(object))
			}
		}
	}
	return call(p.expr(f))
}

// builtin is the result of a call of a builtin function, or "".
func (p *python) builtin(n at, name string, args, first at) facts.Expr {
	switch name {
	case "super":
		if c := p.classAround(n); c != nil {
			return c.expr().Super().Value()
		}
	case "type":
		if e := p.expr(first); first >= 0 && p.nth(args, 1) < 0 {
			return inside(asType(e), func(t facts.Expr) facts.Expr { return t })
		}
	case "isinstance", "issubclass", "len", "str", "int", "repr", "bool", "float", "print", "hasattr", "callable", "id",
		"hash", "bytes", "sum", "any", "all", "range", "open", "input", "ord", "chr", "dir", "vars":
		return facts.External
	case "list", "set", "sorted", "reversed", "iter", "frozenset", "tuple":
		if first >= 0 {
			return list(elem(p.expr(first)))
		}
		return facts.External
	case "filter":
		return list(elem(p.expr(p.nth(args, 1))))
	case "map":
		return list(call(p.expr(first)))
	case "next":
		return elem(p.expr(first))
	case "min", "max":
		if first >= 0 && (p.nth(args, 1) < 0 || p.kind(p.nth(args, 1)) == "keyword_argument") {
			return elem(p.expr(first))
		}
		return p.expr(first)
	case "enumerate":
		return facts.List(facts.Tuple(facts.External, asType(elem(p.expr(first))))).Value()
	case "zip":
		var all []facts.Expr
		for _, e := range p.each(args) {
			all = append(all, asType(elem(e)))
		}
		return facts.List(facts.Tuple(all...)).Value()
	case "getattr":
		return facts.Unknown
	}
	return facts.Nothing
}
