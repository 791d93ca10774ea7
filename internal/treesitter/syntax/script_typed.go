package syntax

import (
	"github.com/ragnav/ragnav/internal/nav/facts"
)

// typed is the expression of a type of TypeScript.
func (p *script) typed(n at) facts.Expr {
	switch p.kind(n) {
	case "type_annotation", "parenthesized_type", "readonly_type", "optional_type", "rest_type", "opting_type_annotation",
		"omitting_type_annotation":
		return p.typeOf(p.last(n))
	case "type_identifier", "identifier":
		switch p.text(n) {
		case "Function", "Date", "RegExp", "Object", "Symbol", "Error":
			if v, _ := p.scopeOf(n).find(p.text(n), true); v == nil {
				return facts.External
			}
		}
		return p.bare(n, true)
	case "nested_type_identifier", "nested_identifier", "member_expression":
		return member(p.typeOf(p.nth(n, 0)), p.text(p.last(n)))
	case "generic_type":
		name := p.child(n, "name")
		return p.applied(p.text(name), p.child(n, "type_arguments"), func() facts.Expr { return p.typeOf(name) })
	case "array_type":
		return facts.List(p.typeOf(p.nth(n, 0)))
	case "tuple_type":
		var all []facts.Expr
		for c := range p.named(n) {
			if p.kind(c) == "required_parameter" || p.kind(c) == "optional_parameter" {
				c = p.child(c, "type")
			}
			all = append(all, p.typeOf(c))
		}
		return facts.Tuple(all...)
	case "union_type", "intersection_type":
		return oneOrBoth(p.typeOf(p.nth(n, 0)), p.typeOf(p.nth(n, 1)))
	case "conditional_type":
		return p.conditional(n)
	case "function_type", "constructor_type":
		return p.functionType(n)
	case "object_type":
		if s := p.owned[n]; s != nil {
			return facts.TypeAt(s.index)
		}
		if m := p.first(n, "index_signature"); m >= 0 && p.kind(p.nth(m, 0)) == "mapped_type_clause" {
			return p.mapped(m)
		} else if m >= 0 {
			return facts.Map(facts.External, p.typeOf(p.child(m, "type")))
		}
		return facts.External
	case "type_query":
		return asType(p.query(p.nth(n, 0)))
	case "lookup_type":
		return p.lookup(n)
	case "this_type", "this":
		return asType(p.this(n))
	case "predefined_type", "literal_type", "index_type_query", "template_literal_type", "type_predicate",
		"type_predicate_annotation", "asserts", "asserts_annotation", "unique_symbol":
		return facts.External
	}
	return facts.Unknown
}

// functionType is a function type with what its parameters are. What a
// constructor gives is a result as well.
func (p *script) functionType(n at) facts.Expr {
	var args []facts.Expr
	for c := range p.named(p.child(n, "parameters")) {
		if p.kind(p.child(c, "pattern")) != "this" {
			args = append(args, p.typeOf(p.child(c, "type")))
		}
	}
	result := p.typeOf(max(p.child(n, "return_type"), p.child(n, "type")))
	if full := facts.FuncWith(result, args...); len(args) > 0 && full != facts.TooLong {
		return full
	}
	return facts.Func(result)
}

// mapped is a type that is made of another one's members, or a map.
func (p *script) mapped(n at) facts.Expr {
	if e, ok := p.keyOf(p.parent(n)); ok {
		return e
	}
	return facts.Map(facts.External, p.typeOf(p.child(n, "type")))
}

// libraryTypes are generic types of well-known libraries that have the members
// of their first argument.
var libraryTypes = map[string]bool{
	"Except": true, "SetOptional": true, "SetRequired": true, "Simplify": true, "DeepPartial": true, "Mutable": true,
	"Writable":    true,
	"PartialDeep": true, "ReadonlyDeep": true, "Nullable": true, "Draft": true, "StrictOmit": true, "DeepReadonly": true,
	"DistributedOmit": true,
}

// query is what typeof is asked about.
func (p *script) query(n at) facts.Expr {
	if p.kind(n) == "subscript_expression" {
		return elem(p.query(p.nth(n, 0)))
	}
	return p.expr(n)
}

func (p *script) lookup(n at) facts.Expr {
	t, i := p.typeOf(p.nth(n, 0)), p.nth(n, 1)
	if p.kind(i) == "literal_type" && p.kind(p.nth(i, 0)) == "string" {
		if name := p.plain(p.nth(i, 0)); plainName(name) {
			return asType(member(valueOf(t), name))
		}
	}
	return asType(elem(valueOf(t)))
}

// applied is a generic type with its arguments, or what one of the library
// stands for.
func (p *script) applied(name string, args at, base func() facts.Expr) facts.Expr {
	var all []facts.Expr
	for c := range p.named(args) {
		all = append(all, p.typeOf(c))
	}
	if len(all) == 0 {
		return base()
	}
	if p.isComponentType(args, name) {
		return facts.FuncWith(facts.External, all[0])
	}
	if name == "UnionToIntersection" { // the members of all: repositories copy it
		return all[0]
	}
	if v, sc := p.scopeOf(args).find(name, true); v != nil && libraryTypes[name] && sc == p.top && v.symbol == nil {
		return all[0]
	} else if v != nil {
		return withTypes(base(), all)
	}
	last := all[len(all)-1]
	switch name {
	case "Array", "ReadonlyArray", "Set", "ReadonlySet", "WeakSet", "Iterable", "Iterator", "IterableIterator",
		"AsyncIterable", "AsyncIterator",
		"AsyncIterableIterator", "Generator", "AsyncGenerator", "ArrayLike":
		return facts.List(all[0])
	case "Map", "ReadonlyMap", "WeakMap", "Record":
		return facts.Map(all[0], last)
	case "Promise", "PromiseLike", "Awaited", "Partial", "Required", "Readonly", "NonNullable", "Pick", "Omit", "Extract",
		"Exclude", "ThisType", "NoInfer", "WeakRef":
		return all[0]
	case "ReturnType":
		return asType(call(valueOf(all[0])))
	case "InstanceType":
		return asType(call(valueOf(all[0])))
	}
	return withTypes(base(), all)
}
