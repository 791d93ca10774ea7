package script

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Value is the expression of what an expression of JavaScript gives. What is
// promised counts as given.
func (p *walker) Value(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "identifier", "shorthand_property_identifier":
		if p.TextAt(n) == "undefined" {
			return facts.External
		}
		if e := ownModule(p, n); e != facts.Nothing {
			return e
		}
		return narrowed(p, n, p.Bare(n, true))
	case "member_expression":
		return memberValue(p, n)
	case "subscript_expression":
		if i := p.Child(n, "index"); p.Kind(i) == "string" && isMemberName(p.Plain(i)) {
			return binder.Member(p.Expr(p.Child(n, "object")), p.Plain(i))
		}
		if key := keyName(p, p.Child(n, "index")); key != "" {
			return binder.Member(p.Expr(p.Child(n, "object")), key)
		}
		return binder.Elem(p.Expr(p.Child(n, "object")))
	case "call_expression":
		return called(p, n)
	case "new_expression":
		return created(p, n)
	case "await_expression", "parenthesized_expression", "non_null_expression", "spread_element", "sequence_expression":
		return p.Expr(p.Last(n))
	case "as_expression", "satisfies_expression":
		return asserted(p, p.Nth(n, 0), p.Nth(n, 1))
	case "type_assertion":
		return asserted(p, p.Last(n), p.Nth(p.Nth(n, 0), 0))
	case "ternary_expression":
		return binder.UnionOf(p.Expr(p.Child(n, "consequence")), p.Expr(p.Child(n, "alternative")))
	case "binary_expression":
		return either(p, n)
	case "assignment_expression":
		return p.Expr(p.Child(n, "right"))
	case "object":
		return literal(p, n)
	case "array":
		return array(p, n)
	case "arrow_function", "function_expression", "function":
		return functionValue(p, n)
	case "class":
		return symbolAt(p, n)
	case "this":
		return this(p, n)
	case "super":
		if c := classAround(p, n); c != nil {
			return c.Expr().Super().Value()
		}
	case "string", "template_string", "number", "regex", "true", "false", "null", "undefined", "unary_expression",
		"update_expression", "import", "meta_property",
		"jsx_element", "jsx_self_closing_element", "jsx_fragment":
		return facts.External
	}
	return facts.Unknown
}

// asserted is a value that is said to be of a type, or constant.
func asserted(p *walker, val, typ binder.At) facts.Expr {
	if typ < 0 || p.TextAt(typ) == "const" {
		return p.Expr(val)
	}
	return binder.ValueOf(p.TypeOf(typ))
}

// memberValue is the value of a member, of a local object what its key is given.
func memberValue(p *walker, n binder.At) facts.Expr {
	if p.TextAt(n) == "module.exports" {
		if e := p.Eval(p.whole); e != facts.Unknown || p.self == 0 {
			return e
		}
		return facts.ModuleAt(p.self - 1)
	}
	if p.TextAt(p.Child(n, "property")) == "prototype" { // it has what values of the class have
		return binder.Call(p.Expr(p.Child(n, "object")))
	}
	switch own := keyOfLiteral(p, n); {
	case p.Kind(own) == "method_definition":
		return functionValue(p, own)
	case own >= 0:
		return narrowed(p, n, p.Expr(own))
	}
	return narrowed(p, n, binder.Member(p.Expr(p.Child(n, "object")), p.TextAt(p.Child(n, "property"))))
}

// ownModule is the module of the file where that is what a name means: exports.
func ownModule(p *walker, n binder.At) facts.Expr {
	if p.self == 0 || p.TextAt(n) != "exports" {
		return facts.Nothing
	}
	if v, _ := p.ScopeOf(n).Find("exports", true); v != nil {
		return facts.Nothing
	}
	return facts.ModuleAt(p.self - 1)
}

func array(p *walker, n binder.At) facts.Expr {
	var all []facts.Expr
	for c := range p.Named(n) {
		e := p.Expr(c)
		if p.Kind(c) == "spread_element" {
			e = binder.Elem(e)
		}
		if all = append(all, e); len(all) > binder.Most {
			break
		}
	}
	return binder.List(all...)
}

func symbolAt(p *walker, n binder.At) facts.Expr {
	if name := p.Child(n, "name"); name >= 0 {
		n = name
	}
	if s := p.BySpot[int(p.Nodes[n].Start)]; s != nil {
		return s.Expr()
	}
	return facts.Unknown
}

// functionValue is a function as a value, with what it returns.
func functionValue(p *walker, n binder.At) facts.Expr {
	result := binder.AsType(returns(p, n))
	if r := p.Child(n, "return_type"); r >= 0 {
		result = p.TypeOf(r)
	}
	var args []facts.Expr
	known := false
	for c := range p.Named(p.Child(n, "parameters")) {
		t := facts.Unknown
		if typ := p.Child(c, "type"); typ >= 0 {
			t, known = p.TypeOf(typ), true
		}
		args = append(args, t)
	}
	if full := facts.FuncWith(result, args...).Value(); known && full != facts.TooLong {
		return full
	}
	return facts.Func(result).Value()
}

// returns is what a function without a written result returns.
func returns(p *walker, n binder.At) facts.Expr {
	if r := p.Child(n, "return_type"); r >= 0 {
		return binder.ValueOf(p.TypeOf(r))
	}
	body := p.Child(n, "body")
	if p.Kind(body) != "statement_block" {
		return p.Expr(body)
	}
	var all []facts.Expr
	for i := body + 1; i < p.Nodes[body].Next; i++ {
		switch k := p.Kind(i); {
		case isFunctionNode(k) || k == "function_declaration" || k == "class_body":
			i = p.Nodes[i].Next - 1
		case k == "return_statement" && p.Nth(i, 0) >= 0 && len(all) < binder.Most:
			all = append(all, p.Expr(p.Nth(i, 0)))
		}
	}
	return binder.UnionOf(all...)
}

// this is what this is where a node stands.
func this(p *walker, n binder.At) facts.Expr {
	for sc := p.ScopeAround(n); sc != nil; sc = sc.Parent {
		if v := sc.Names["this"]; v != nil {
			return p.Bare(n, true)
		}
		switch {
		case sc.Self == binder.MarkNone:
		case sc.Self == binder.MarkSelf:
			return sc.Symbol.Expr().Value()
		case sc.Self == binder.MarkClass && sc.Symbol != nil && sc.Symbol.Enclosing != nil:
			return sc.Symbol.Enclosing.Expr()
		case sc.Self == binder.MarkOwner:
			return thisObject(p, n, sc)
		default:
			return facts.Unknown
		}
	}
	return facts.Unknown
}

// receiver is this where it is a result or a type: the type that a member is asked
// of, which may be made from the one that declares it.
func receiver(p *walker, n binder.At) facts.Expr {
	for sc := p.ScopeAround(n); sc != nil; sc = sc.Parent {
		switch {
		case sc.Names["this"] != nil:
			return this(p, n)
		case sc.Self == binder.MarkSelf:
			return facts.This.Value()
		case sc.Self != binder.MarkNone:
			return this(p, n)
		}
	}
	return this(p, n)
}

func created(p *walker, n binder.At) facts.Expr {
	c := p.Child(n, "constructor")
	args := p.Child(n, "type_arguments")
	if p.Kind(c) == "identifier" {
		switch p.TextAt(c) {
		case "Map", "WeakMap", "Set", "WeakSet", "Array":
			if args >= 0 {
				return binder.ValueOf(applied(p, p.TextAt(c), args, func() facts.Expr { return facts.Name(p.TextAt(c)) }))
			}
			if first := p.Nth(p.Child(n, "arguments"), 0); first >= 0 && p.TextAt(c) == "Set" {
				return binder.List(binder.Elem(p.Expr(first)))
			}
			return facts.External
		case "Promise":
			if args >= 0 {
				return binder.ValueOf(p.TypeOf(p.Nth(args, 0)))
			}
			return facts.Unknown
		}
	}
	e := p.Expr(c)
	if args >= 0 && e.Known() {
		e = e.Generic(p.TypeArguments(args)...)
	}
	return binder.Call(e)
}

// TypeArguments are type arguments. Literals say what they are: the keys of members.
func (p *walker) TypeArguments(n binder.At) []facts.Expr {
	var all []facts.Expr
	for c := range p.Named(n) {
		t := p.TypeOf(c)
		if p.Kind(c) == "literal_type" && p.Kind(p.Nth(c, 0)) == "string" {
			if key := literalOf(p, p.Nth(c, 0)); key != facts.Nothing {
				t = key
			}
		}
		all = append(all, t)
	}
	return all
}

func called(p *walker, n binder.At) facts.Expr {
	f, args := p.Child(n, "function"), p.Child(n, "arguments")
	first := p.Nth(args, 0)
	switch {
	case p.Kind(f) == "import" || p.TextAt(f) == "require":
		if i := binder.ImportAt(p.Builder, first); p.Kind(first) == "string" && i >= 0 {
			return facts.ModuleAt(i)
		}
		return facts.Unknown
	case p.Kind(f) == "super":
		return facts.External
	case isFunctionNode(p.Kind(inner(p.Tree, f))):
		return returns(p, inner(p.Tree, f))
	case p.Kind(f) == "member_expression":
		if e := libraryMethod(p, f, args, first); e != facts.Nothing {
			return e
		}
	}
	if e := component(p, n, f, first); e != facts.Nothing {
		return e
	}
	if e := hook(p, n, f, first); e != facts.Nothing {
		return e
	}
	return binder.Inside(calleeOf(p, n), func(e facts.Expr) facts.Expr {
		if given := givenOf(p, n, args); given != nil {
			if with := e.CallWith(0, given...); with != facts.TooLong {
				return with
			}
		}
		return e.Call(0)
	})
}

// calleeOf is what is called or constructed, with its type arguments.
func calleeOf(p *walker, n binder.At) facts.Expr {
	f := p.Child(n, "function")
	if f < 0 {
		f = p.Child(n, "constructor")
	}
	e := p.Expr(f)
	if p.Kind(f) == "super" {
		e, _ = e.OfValue() // the constructor of what the class is made from
	}
	if t := p.Child(n, "type_arguments"); t >= 0 && e.Known() {
		e = e.Generic(p.TypeArguments(t)...)
	}
	return e
}

// Argument is what the parameter is that an argument is given for, by what else it is
// called with and what it is to give.
func (p *walker) Argument(n binder.At) facts.Expr {
	args := p.Parent(n)
	call := p.Parent(args)
	i := 0
	for c := range p.Named(args) {
		if c == n {
			break
		}
		i++
	}
	i = min(i, binder.MostParts)
	return binder.Inside(calleeOf(p, call), func(e facts.Expr) facts.Expr {
		given, result := givenOf(p, call, args), p.wanted(call)
		if given != nil || result.Known() {
			if with := facts.ParamWith(e, i, result, given...); with.Known() && with.Size() <= longestWith {
				return with
			}
		}
		return e.Param(i)
	})
}

// wanted is the type that a call is to give by what is written around it, Unknown where
// nothing is, or the call says itself what its type parameters are.
func (p *walker) wanted(call binder.At) facts.Expr {
	from, ok := p.ctx[call]
	if !ok || p.Child(call, "type_arguments") >= 0 {
		return facts.Unknown
	}
	if args := p.Parent(call); p.Kind(args) == "arguments" {
		outer := p.Parent(args)
		if p.Child(outer, "type_arguments") < 0 && p.Kind(p.Child(outer, "function")) != "call_expression" {
			return facts.Unknown
		}
	}
	if e := p.Eval(from); e.Known() && !e.IsExternal() {
		return binder.AsType(e)
	}
	return facts.Unknown
}

// Bound is what a type parameter with a constraint must be, and what it is where no
// argument is given.
func (p *walker) Bound(n binder.At) facts.Expr {
	bound, given := p.TypeOf(p.Nth(p.Child(n, "constraint"), 0)), p.TypeOf(p.Nth(p.Child(n, "value"), 0))
	if !given.Known() || given.IsExternal() || given == bound {
		return bound
	}
	if both := facts.Default(bound, given); both != facts.TooLong {
		return both
	}
	return bound
}

// longestWith is how long a parameter is in bytes with what its function is called with:
// what is taken from it must have a place, too.
const longestWith = 120

// longestGiven is how long the expressions of arguments are in bytes, together,
// that are kept to find out type parameters.
const longestGiven = 80

// givenOf are the values that a function is called with, if they may say what its
// type parameters are, else nil.
func givenOf(p *walker, n, args binder.At) []facts.Expr {
	if p.Child(n, "type_arguments") >= 0 {
		return nil
	}
	var all []facts.Expr
	useful, size := false, 0
	for c := range p.Named(args) {
		e := facts.External
		switch k := p.Kind(c); {
		case k == "string" && p.Kind(p.Child(n, "function")) == "member_expression": // the key of a member, maybe
			if key := literalOf(p, c); key != facts.Nothing {
				e = key
			}
		case k != "spread_element" && !isFunctionNode(k) && k != "object":
			e = p.Expr(c)
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

func inner(t *binder.Tree, n binder.At) binder.At {
	for t.Kind(n) == "parenthesized_expression" {
		n = t.Nth(n, 0)
	}
	return n
}

// libraryMethod is the result of methods of the language's library that depends on
// what they are given, or "".
func libraryMethod(p *walker, f, args, first binder.At) facts.Expr {
	object, prop := p.Child(f, "object"), p.TextAt(p.Child(f, "property"))
	switch p.TextAt(object) {
	case "Object", "Array", "Promise":
		e := p.Expr(first)
		switch prop {
		case "values", "from", "of":
			return binder.List(binder.Elem(e))
		case "entries":
			return facts.List(facts.Tuple(facts.External, binder.AsType(binder.Elem(e)))).Value()
		case "assign":
			return binder.UnionOf(e, p.Expr(p.Nth(args, 1)))
		case "freeze", "create", "seal", "resolve":
			return e
		case "keys", "isArray":
			return facts.External
		case "all", "allSettled", "race":
			return e
		}
	}
	switch prop {
	case "filter", "find", "findLast":
		return guardedElements(p, object, first, prop == "filter")
	}
	if !isFunctionNode(p.Kind(first)) {
		return facts.Nothing
	}
	switch prop {
	case "map":
		return binder.List(returns(p, first))
	case "flatMap":
		return binder.List(binder.Elem(returns(p, first)))
	case "then":
		return returns(p, first)
	case "catch", "finally":
		return p.Expr(object)
	case "reduce", "reduceRight":
		if typ := p.Nth(p.Child(p.Parent(f), "type_arguments"), 0); typ >= 0 {
			return binder.ValueOf(p.TypeOf(typ))
		}
		return p.Expr(p.Nth(args, 1))
	}
	return facts.Nothing
}

// either is the value of a binary expression: one of its sides, or a number.
func either(p *walker, n binder.At) facts.Expr {
	switch p.TextAt(p.Child(n, "operator")) {
	case "||", "??":
		return binder.UnionOf(p.Expr(p.Child(n, "left")), p.Expr(p.Child(n, "right")))
	case "&&":
		return p.Expr(p.Child(n, "right"))
	}
	return facts.External
}

// Choose is the one of several declarations of a name that it means where it stands: a
// namespace before a dot in a type, else a type in a type, and what is none elsewhere.
func (p *walker) Choose(n binder.At, usual *binder.Symbol, all []*binder.Symbol) *binder.Symbol {
	fits := func(s *binder.Symbol) bool { return s.Kind != "type" && s.Kind != "interface" }
	switch up := p.Parent(n); {
	case p.Kind(up) == "nested_type_identifier" && p.Nth(up, 0) == n:
		fits = func(s *binder.Symbol) bool { return s.Kind == "namespace" || s.Kind == "enum" }
	case p.Kind(n) == "type_identifier":
		fits = func(s *binder.Symbol) bool { return binder.Types[s.Kind] }
	}
	if fits(usual) {
		return usual
	}
	if i := slices.IndexFunc(all, fits); i >= 0 {
		return all[i]
	}
	return usual
}
