package scala

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// typeAt is the expression of a type.
func typeAt(p *walker, n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "type_identifier":
		return namedType(p, n)
	case "stable_type_identifier":
		if p.Last(n) == p.Nth(n, 0) {
			return facts.Unknown
		}
		return binder.Member(termIn(p, p.Nth(n, 0)), facts.TypeNamed(p.Plain(p.Last(n))))
	case "projected_type":
		return binder.Member(p.TypeOf(p.Child(n, "type")), facts.TypeNamed(p.Plain(p.Child(n, "selector"))))
	case "generic_type":
		return genericType(p, n)
	case "compound_type":
		return compoundType(p, n)
	case "infix_type":
		if op := p.Child(n, "operator"); p.TextAt(op) == "&" {
			return facts.Both(binder.PartType(p.Builder, p.Child(n, "left")), binder.PartType(p.Builder, p.Child(n, "right")))
		} else if p.TextAt(op) == "|" {
			return binder.UnionOfTypes(p.TypeOf(p.Child(n, "left")), p.TypeOf(p.Child(n, "right")))
		}
		return facts.External
	case "tuple_type":
		return binder.TupleType(p.Builder, n)
	case "function_type":
		return functionType(p, n)
	case "lazy_parameter_type", "repeated_parameter_type":
		return p.TypeOf(p.Child(n, "type"))
	case "singleton_type":
		return binder.AsType(p.Expr(p.Nth(n, 0)))
	case "annotated_type":
		return p.TypeOf(p.Nth(n, 0))
	}
	return facts.Unknown
}

// termIn is what a type is taken from: a value, though a type stands there.
func termIn(p *walker, n binder.At) facts.Expr {
	switch p.Kind(n) {
	case "identifier":
		if name := p.Plain(n); name != "this" && p.Resolve(n, name, true).Bare {
			return facts.Name(facts.TermNamed(name))
		}
	case "stable_identifier", "stable_type_identifier":
		return binder.Member(termIn(p, p.Nth(n, 0)), facts.MemberNamed(p.Plain(p.Last(n))))
	}
	return p.Expr(n)
}

// namedType is what a type is by its name.
func namedType(p *walker, n binder.At) facts.Expr {
	name := p.Plain(n)
	if m := p.Resolve(n, name, true); !m.Bare {
		return m.Expr
	}
	return facts.Name(name)
}

func genericType(p *walker, n binder.At) facts.Expr {
	of := p.Child(n, "type")
	var args []facts.Expr
	for c := range p.Named(p.First(n, "type_arguments")) {
		args = append(args, binder.PartType(p.Builder, c))
	}
	e := p.TypeOf(of)
	if len(args) == 0 || e.Node().Op != facts.OpName {
		return e.Generic(args...)
	}
	name := p.TextAt(of)
	switch {
	case lists[name]:
		return facts.List(args[0])
	case name == "Function0" || (name == "PartialFunction" || name == "Function1" || name == "Function2") && len(args) > 1:
		return facts.FuncWith(args[len(args)-1], args[:len(args)-1]...)
	case name == "Map" || strings.HasSuffix(name, "Map") && maps[name]:
		if len(args) > 1 {
			return facts.Map(args[0], args[1])
		}
	}
	return e.Generic(args...)
}

var lists = binder.Words(`
List Seq Vector Array Option Some Set Iterator Iterable IndexedSeq Stream LazyList Buffer ArrayBuffer
ListBuffer IterableOnce TraversableOnce Traversable Queue Stack ArraySeq HashSet LinkedHashSet SortedSet TreeSet
ArrayDeque ImmutableSeq`)

var maps = binder.Words(`Map HashMap TreeMap LinkedHashMap SortedMap ListMap TrieMap ConcurrentMap`)

func compoundType(p *walker, n binder.At) facts.Expr {
	e := facts.Nothing
	for _, c := range partsOf(p, n) {
		if e == facts.Nothing {
			e = binder.PartType(p.Builder, c)
		} else {
			e = facts.Both(e, binder.PartType(p.Builder, c))
		}
	}
	return e
}

func functionType(p *walker, n binder.At) facts.Expr {
	params := p.Child(n, "parameter_types")
	if params < 0 {
		params = p.Nth(n, 0)
	}
	var args []facts.Expr
	if k := p.Kind(params); k == "parameter_types" || k == "tuple_type" {
		for c := range p.Named(params) {
			args = append(args, binder.PartType(p.Builder, c))
		}
	} else {
		args = append(args, binder.PartType(p.Builder, params))
	}
	return facts.FuncWith(binder.PartType(p.Builder, p.Child(n, "return_type")), args...)
}
