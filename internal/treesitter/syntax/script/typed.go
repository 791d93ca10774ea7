package script

import (
	"strconv"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// Typed is the expression of a type of TypeScript.
func (p *walker) Typed(n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "type_annotation", "parenthesized_type", "readonly_type", "optional_type", "rest_type", "opting_type_annotation",
		"omitting_type_annotation":
		return p.TypeOf(p.Last(n))
	case "type_predicate_annotation":
		return p.TypeOf(p.First(n, "type_predicate"))
	case "type_predicate":
		return predicate(p, n)
	case "type_identifier", "identifier":
		return typeNamed(p, n)
	case "nested_type_identifier", "nested_identifier", "member_expression":
		return binder.Member(p.TypeOf(p.Nth(n, 0)), p.TextAt(p.Last(n)))
	case "generic_type":
		name := p.Child(n, "name")
		return applied(p, p.TextAt(name), p.Child(n, "type_arguments"), func() facts.Expr { return p.TypeOf(name) })
	case "array_type":
		return facts.List(p.TypeOf(p.Nth(n, 0)))
	case "tuple_type":
		return tuple(p, n)
	case "union_type", "intersection_type":
		if p.Kind(n) == "union_type" && isAny(p, n) {
			return facts.External
		}
		return oneOrBoth(p.TypeOf(p.Nth(n, 0)), p.TypeOf(p.Nth(n, 1)), p.Kind(n) == "intersection_type")
	case "conditional_type":
		return conditional(p, n)
	case "infer_type":
		if p.matching {
			return facts.Name(p.TextAt(p.Nth(n, 0)))
		}
		return inferred(p, n)
	case "function_type", "constructor_type":
		return functionType(p, n)
	case "object_type":
		if s := p.owned[n]; s != nil {
			return inPlace(p, n, s)
		}
		if m := p.First(n, "index_signature"); m >= 0 && p.Kind(p.Nth(m, 0)) == "mapped_type_clause" {
			return mapped(p, m)
		} else if m >= 0 {
			return facts.Map(facts.External, p.TypeOf(p.Child(m, "type")))
		}
		return facts.External
	case "type_query":
		return binder.AsType(query(p, p.Nth(n, 0)))
	case "lookup_type":
		return lookup(p, n)
	case "this_type", "this":
		return binder.AsType(receiver(p, n))
	case "predefined_type", "literal_type", "index_type_query", "template_literal_type", "asserts",
		"asserts_annotation", "unique_symbol":
		return facts.External
	}
	return facts.Unknown
}

// typeNamed is the type that a name stands for.
func typeNamed(p *walker, n binder.At) facts.Expr {
	if i := spaceImported(p, n); i >= 0 {
		return binder.Member(facts.ModuleAt(i), p.Imports[i].Name)
	}
	switch p.TextAt(n) {
	case "Function", "Date", "RegExp", "Object", "Symbol", "Error":
		if v, _ := p.ScopeOf(n).Find(p.TextAt(n), true); v == nil {
			return facts.External
		}
	}
	return p.Bare(n, true)
}

// isAny reports whether a type is any or unknown, or a union with one of these.
func isAny(p *walker, n binder.At) bool {
	switch p.Kind(n) {
	case "predefined_type":
		return p.TextAt(n) == "any" || p.TextAt(n) == "unknown"
	case "union_type":
		return isAny(p, p.Nth(n, 0)) || isAny(p, p.Nth(n, 1))
	}
	return false
}

// tuple is the type of a tuple, of which the parts may have names.
func tuple(p *walker, n binder.At) facts.Expr {
	var all []facts.Expr
	for c := range p.Named(n) {
		if p.Kind(c) == "required_parameter" || p.Kind(c) == "optional_parameter" {
			c = p.Child(c, "type")
		}
		all = append(all, p.TypeOf(c))
	}
	return facts.Tuple(all...)
}

// predicate is the result of a type guard: that one of its parameters is of a type.
func predicate(p *walker, n binder.At) facts.Expr {
	name, t := p.Child(n, "name"), p.TypeOf(p.Child(n, "type"))
	if !t.Known() {
		return facts.External
	}
	if p.TextAt(name) == "this" {
		return facts.Predicate("this", t)
	}
	up := p.Parent(n)
	for up >= 0 && p.Child(up, "parameters") < 0 {
		up = p.Parent(up)
	}
	i := 0
	for c := range p.Named(p.Child(up, "parameters")) {
		if p.TextAt(p.Child(c, "pattern")) == p.TextAt(name) {
			return facts.Predicate(strconv.Itoa(i), t)
		}
		i++
	}
	return facts.External
}

// functionType is a function type with what its parameters are. What a
// constructor gives is a result as well.
func functionType(p *walker, n binder.At) facts.Expr {
	var args []facts.Expr
	for c := range p.Named(p.Child(n, "parameters")) {
		if p.Kind(p.Child(c, "pattern")) != "this" {
			args = append(args, p.TypeOf(p.Child(c, "type")))
		}
	}
	result := p.TypeOf(max(p.Child(n, "return_type"), p.Child(n, "type")))
	if full := facts.FuncWith(result, args...); len(args) > 0 && full != facts.TooLong {
		return full
	}
	return facts.Func(result)
}

// mapped is a type that is made of another one's members, or a map.
func mapped(p *walker, n binder.At) facts.Expr {
	if e, ok := keyOf(p, p.Parent(n)); ok {
		return e
	}
	return facts.Map(facts.External, p.TypeOf(p.Child(n, "type")))
}

// libraryTypes are generic types of well-known libraries that have the members
// of their first argument.
var libraryTypes = map[string]bool{
	"Except": true, "SetOptional": true, "SetRequired": true, "Simplify": true, "DeepPartial": true, "Mutable": true,
	"Writable":    true,
	"PartialDeep": true, "ReadonlyDeep": true, "Nullable": true, "Draft": true, "StrictOmit": true, "DeepReadonly": true,
	"DistributedOmit": true,
}

// chosen is a type with the keys that a node says, or without them, by the name of the
// generic type; all of it where they are not written as literals.
func chosen(p *walker, name string, t facts.Expr, keys binder.At) facts.Expr {
	of := facts.Omit
	switch name {
	case "Pick":
		of = facts.Pick
	case "Omit", "StrictOmit", "Except", "DistributedOmit":
	default:
		return t
	}
	var names []string
	written := true
	parts(p, keys, func(n binder.At) {
		key := p.Nth(n, 0)
		if p.Kind(n) != "literal_type" || p.Kind(key) != "string" || !binder.PlainName(p.Plain(key)) {
			written = false
			return
		}
		names = append(names, p.Plain(key))
	})
	if !written || len(names) == 0 || !t.Known() || t.IsExternal() {
		return t
	}
	if e := of(t, names...); e != facts.TooLong {
		return e
	}
	return t
}

// query is what typeof is asked about.
func query(p *walker, n binder.At) facts.Expr {
	if p.Kind(n) == "subscript_expression" {
		return binder.Elem(query(p, p.Nth(n, 0)))
	}
	return p.Expr(n)
}

func lookup(p *walker, n binder.At) facts.Expr {
	t, i := p.TypeOf(p.Nth(n, 0)), p.Nth(n, 1)
	if p.Kind(i) == "literal_type" && p.Kind(p.Nth(i, 0)) == "string" {
		if name := p.Plain(p.Nth(i, 0)); isMemberName(name) {
			return binder.AsType(binder.Member(binder.ValueOf(t), name))
		}
	}
	if key := typeParameter(p, i); key != facts.Nothing {
		return binder.AsType(binder.Member(binder.ValueOf(t), "["+key.String()+"]"))
	}
	return binder.AsType(binder.Elem(binder.ValueOf(t)))
}

// applied is a generic type with its arguments, or what one of the library
// stands for.
func applied(p *walker, name string, args binder.At, base func() facts.Expr) facts.Expr {
	all := p.TypeArguments(args)
	if len(all) == 0 {
		return base()
	}
	if isComponentType(p, args, name) {
		return facts.FuncWith(facts.External, all[0])
	}
	if name == "UnionToIntersection" { // the members of all: repositories copy it
		return all[0]
	}
	if v, sc := p.ScopeOf(args).Find(name, true); v != nil && libraryTypes[name] && sc == p.Top && v.Symbol == nil {
		return chosen(p, name, all[0], p.Nth(args, 1))
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
	case "Pick", "Omit":
		return chosen(p, name, all[0], p.Nth(args, 1))
	case "Promise", "PromiseLike", "Awaited", "Partial", "Required", "Readonly", "NonNullable", "Extract", "Exclude",
		"ThisType", "NoInfer", "WeakRef":
		return all[0]
	case "ReturnType":
		return binder.AsType(binder.Call(binder.ValueOf(all[0])))
	case "InstanceType":
		return binder.AsType(binder.Call(binder.ValueOf(all[0])))
	}
	return withTypes(base(), all)
}
