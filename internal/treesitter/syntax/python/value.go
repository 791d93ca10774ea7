package python

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Value is the expression of what an expression of Python gives.
func (p *walker) Value(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "identifier":
		return p.Bare(n, false)
	case "attribute":
		if p.TextAt(p.Child(n, "attribute")) == "__class__" {
			return typeOf(p.Expr(p.Child(n, "object")))
		}
		return binder.Member(p.Expr(p.Child(n, "object")), p.TextAt(p.Child(n, "attribute")))
	case "dotted_name":
		return dotted(p, n)
	case "call":
		return called(p, n)
	case "subscript":
		return element(p, n)
	case "await", "parenthesized_expression", "expression_statement", "case_pattern", "class_pattern":
		return p.Expr(p.Nth(n, 0))
	case "named_expression":
		return p.Expr(p.Child(n, "value"))
	case "conditional_expression":
		return binder.UnionOf(p.Expr(p.Nth(n, 0)), p.Expr(p.Nth(n, 2)))
	case "boolean_operator":
		return binder.UnionOf(p.Expr(p.Child(n, "left")), p.Expr(p.Child(n, "right")))
	case "list", "set":
		return binder.List(each(p, n)...)
	case "tuple", "expression_list":
		return tuple(p, n)
	case "dictionary":
		return dictionary(p, n)
	case "list_comprehension", "set_comprehension", "generator_expression":
		return binder.List(p.Expr(p.Child(n, "body")))
	case "dictionary_comprehension":
		pair := p.Child(n, "body")
		return mapOf([]facts.Expr{p.Expr(p.Child(pair, "key"))}, []facts.Expr{p.Expr(p.Child(pair, "value"))})
	case "string", "concatenated_string", "integer", "float", "true", "false", "none", "comparison_operator",
		"not_operator", "ellipsis":
		return facts.External
	case "binary_operator":
		return operated(p, n)
	case "lambda":
		return facts.Func(binder.AsType(p.Expr(p.Child(n, "body")))).Value()
	case "list_splat":
		return binder.Elem(p.Expr(p.Nth(n, 0)))
	case "class_definition", "function_definition":
		if s := p.BySpot[int(p.Nodes[p.Child(n, "name")].Start)]; s != nil {
			return s.Expr()
		}
	}
	return facts.Unknown
}

func each(p *walker, n binder.At) []facts.Expr {
	var all []facts.Expr
	for c := range p.Named(n) {
		if all = append(all, p.Expr(c)); len(all) > binder.Most {
			break
		}
	}
	return all
}

func tuple(p *walker, n binder.At) facts.Expr {
	all := each(p, n)
	if len(all) > 8 {
		return binder.List(all...)
	}
	for i, e := range all {
		all[i] = binder.AsType(e)
	}
	return facts.Tuple(all...).Value()
}

func dictionary(p *walker, n binder.At) facts.Expr {
	var keys, values []facts.Expr
	for c := range p.Named(n) {
		if p.Kind(c) == "pair" && len(keys) < binder.Most {
			keys, values = append(keys, p.Expr(p.Child(c, "key"))), append(values, p.Expr(p.Child(c, "value")))
		}
	}
	return mapOf(keys, values)
}

func mapOf(keys, values []facts.Expr) facts.Expr {
	k, v := binder.AsType(binder.UnionOf(keys...)), binder.AsType(binder.UnionOf(values...))
	if !v.Known() {
		return facts.External
	}
	return facts.Map(k, v).Value()
}

// typeOf is the class of an object.
func typeOf(e facts.Expr) facts.Expr {
	return binder.Inside(binder.AsType(e), func(t facts.Expr) facts.Expr { return t })
}

// operators are the methods behind them.
var operators = map[string]string{
	"+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "//": "__floordiv__", "%": "__mod__",
	"|": "__or__", "&": "__and__",
	"@": "__matmul__", "**": "__pow__", "<<": "__lshift__", ">>": "__rshift__", "^": "__xor__",
}

func operated(p *walker, n binder.At) facts.Expr {
	if isAlias(p, n) {
		return p.TypeOf(n)
	}
	left := p.Expr(p.Child(n, "left"))
	if left.Root() == facts.OpList {
		return left
	}
	m := operators[p.TextAt(p.Child(n, "operator"))]
	if m == "" {
		return facts.Unknown
	}
	return binder.Call(binder.Member(left, m))
}

// element is what a subscript gives: an element, or a slice.
func element(p *walker, n binder.At) facts.Expr {
	if isAlias(p, n) {
		return p.TypeOf(n)
	}
	e := p.Expr(p.Child(n, "value"))
	i := p.Child(n, "subscript")
	switch p.Kind(i) {
	case "slice":
		return e
	case "integer":
		if len(p.TextAt(i)) == 1 && e.Root() == facts.OpTuple {
			return binder.Taken(e, int(p.TextAt(i)[0]-'0'))
		}
	}
	return binder.Elem(e)
}

// called is the result of a call.
func called(p *walker, n binder.At) facts.Expr {
	f, args := p.Child(n, "function"), p.Child(n, "arguments")
	first := p.Nth(args, 0)
	if p.Kind(f) == "identifier" {
		if v, _ := p.ScopeAround(n).Find(p.TextAt(f), false); v == nil {
			if e := builtin(p, n, p.TextAt(f), args, first); e != facts.Nothing {
				return e
			}
		}
	}
	switch name := p.TextAt(f); {
	case (name == "typing.cast" || name == "t.cast" || name == "cast") && first >= 0:
		return binder.ValueOf(p.TypeOf(first))
	case lastPart(name) == "TypeVar":
		if bound := boundOf(p, args); bound >= 0 {
			return p.TypeOf(bound)
		}
		return facts.External
	case name == "asyncio.gather":
		return tuple(p, args)
	case name == "copy.copy" || name == "copy.deepcopy" || name == "deepcopy" || name == "weakref.proxy" ||
		name == "asyncio.wait_for":
		return p.Expr(first)
	}
	if p.Kind(f) == "attribute" && first < 0 {
		// views of a map and the like
		object := p.Expr(p.Child(f, "object"))
		if p.TextAt(p.Child(f, "attribute")) == "items" && object.Root() == facts.OpMap {
			return facts.List(facts.Tuple(facts.TypeOf(object.Key()), facts.TypeOf(object.Elem()))).Value()
		}
	}
	if p.Kind(f) == "attribute" {
		object := p.Expr(p.Child(f, "object"))
		m := p.TextAt(p.Child(f, "attribute"))
		if object.Root() == facts.OpMap || object.Root() == facts.OpList {
			switch m {
			case "get", "pop", "setdefault", "popleft":
				return binder.Elem(object)
			case "copy":
				return object
			case "values":
				return binder.List(binder.Elem(object))
			case "keys":
				return binder.List(binder.Key(object))
			}
		}
	}
	return binder.Call(p.Expr(f))
}

// builtin is the result of a call of a builtin function, or "".
func builtin(p *walker, n binder.At, name string, args, first binder.At) facts.Expr {
	switch name {
	case "super":
		if c := classAround(p, n); c != nil {
			return c.Expr().Super().Value()
		}
	case "type":
		if first >= 0 && p.Nth(args, 1) < 0 {
			return typeOf(p.Expr(first))
		}
	case "property": // of what its getter gives
		return binder.Call(p.Expr(first))
	case "isinstance", "issubclass", "len", "str", "int", "repr", "bool", "float", "print", "hasattr", "callable", "id",
		"hash", "bytes", "sum", "any", "all", "range", "open", "input", "ord", "chr", "dir", "vars":
		return facts.External
	case "list", "set", "sorted", "reversed", "iter", "frozenset", "tuple":
		if first >= 0 {
			return binder.List(binder.Elem(p.Expr(first)))
		}
		return facts.External
	case "filter":
		return binder.List(binder.Elem(p.Expr(p.Nth(args, 1))))
	case "map":
		return binder.List(binder.Call(p.Expr(first)))
	case "next":
		return binder.Elem(p.Expr(first))
	case "min", "max":
		if first >= 0 && (p.Nth(args, 1) < 0 || p.Kind(p.Nth(args, 1)) == "keyword_argument") {
			return binder.Elem(p.Expr(first))
		}
		return p.Expr(first)
	case "enumerate":
		return facts.List(facts.Tuple(facts.External, binder.AsType(binder.Elem(p.Expr(first))))).Value()
	case "zip":
		var all []facts.Expr
		for _, e := range each(p, args) {
			all = append(all, binder.AsType(binder.Elem(e)))
		}
		return facts.List(facts.Tuple(all...)).Value()
	case "getattr":
		return facts.Unknown
	}
	return facts.Nothing
}
