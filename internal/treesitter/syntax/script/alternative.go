package script

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// mostAlternatives is how many types without a name of a union are told apart: an
// expression has no place for more.
const mostAlternatives = 12

// parts calls yield with the types that a union is put together from, within
// intersections too.
func parts(p *walker, n binder.At, yield func(binder.At)) {
	switch p.Kind(n) {
	case "union_type", "intersection_type", "parenthesized_type":
		for c := range p.Named(n) {
			parts(p, c, yield)
		}
	default:
		yield(n)
	}
}

// isLong reports whether a union or intersection has no place in one expression. What it
// is put together from is what the alias is made from then.
func isLong(p *walker, n binder.At) bool {
	other := "union_type"
	switch p.Kind(n) {
	case "union_type":
		other = "intersection_type"
	case "intersection_type":
	default:
		return false
	}
	if len(p.TextAt(n)) < facts.MaxExpr/2 {
		return false
	}
	size, plain := 0, true
	parts(p, n, func(c binder.At) {
		size += len("~union<;>") + int(p.Nodes[c].End-p.Nodes[c].Start)
		plain = plain && slices.Contains([]string{"type_identifier", "nested_type_identifier", "generic_type"}, p.Kind(c))
	})
	for c := n; plain && c < p.Nodes[n].Next; c++ {
		plain = p.Kind(c) != other
	}
	return plain && size > facts.MaxExpr
}

// branches calls yield with the types that a conditional type may be.
func branches(p *walker, n binder.At, yield func(binder.At)) {
	if p.Kind(n) == "conditional_type" {
		branches(p, p.Child(n, "consequence"), yield)
		branches(p, p.Child(n, "alternative"), yield)
	} else if p.TextAt(n) != "never" {
		yield(n)
	}
}

// isLongConditional reports whether what a conditional type may be has no place in one
// expression, and of none of its parts it can be told which one it is.
func isLongConditional(p *walker, n binder.At) bool {
	if p.Kind(n) != "conditional_type" || len(p.TextAt(n)) < facts.MaxExpr {
		return false
	}
	for p.Kind(n) == "conditional_type" {
		if k := p.Kind(p.Child(n, "right")); k != "infer_type" && k != "generic_type" && k != "type_identifier" ||
			p.TextAt(p.Child(n, "left")) == "unknown" {
			return false
		}
		yes, no := p.Child(n, "consequence"), p.Child(n, "alternative")
		if n = no; p.Kind(yes) == "conditional_type" {
			n = yes
		}
	}
	return true
}

// objectsIn is how many types without a name are among those.
func objectsIn(p *walker, n binder.At) (objects int) {
	parts(p, n, func(c binder.At) {
		if p.Kind(c) == "object_type" && !isKeyed(p, c) {
			objects++
		}
	})
	return objects
}

// ownAlternatives makes each type without a name of a union or intersection a symbol
// of its own inside of the one that that belongs to, so that they are told apart. Its
// name is where it begins.
func ownAlternatives(p *walker, n binder.At, s *binder.Symbol) {
	parts(p, n, func(c binder.At) {
		if p.Kind(c) != "object_type" || isKeyed(p, c) || p.BySpot[int(p.Nodes[c].Start)] != nil {
			ownParts(p, c, s)
			return
		}
		ownApart(p, c, s)
	})
}

// ownSignature makes the types without a name that a function type takes and gives symbols
// of their own: they are no members of the function.
func ownSignature(p *walker, n binder.At, s *binder.Symbol) {
	switch p.Kind(n) {
	case "object_type":
		if !isKeyed(p, n) && p.BySpot[int(p.Nodes[n].Start)] == nil {
			ownApart(p, n, s)
		}
	case "function_type", "formal_parameters", "required_parameter", "optional_parameter", "type_annotation", "union_type",
		"intersection_type", "parenthesized_type", "readonly_type", "array_type", "generic_type", "type_arguments":
		for c := range p.Named(n) {
			ownSignature(p, c, s)
		}
	}
}

// ownApart makes a type without a name a symbol inside of another one.
func ownApart(p *walker, n binder.At, s *binder.Symbol) {
	one := p.DeclareSymbol(n, n, "type", s)
	one.Name, one.Qualified, one.Kind = "{", s.Qualified, "type"
	one.Params, one.BoundSources = s.Params, s.BoundSources
	p.owned[n] = one
}

// inPlace is the type without a name that a node is, with the type parameters that
// are in it.
func inPlace(p *walker, n binder.At, s *binder.Symbol) facts.Expr {
	e := facts.TypeAt(s.Index)
	if s.Enclosing == nil || len(s.Params) == 0 || s.Name != "{" {
		return e
	}
	args := make([]facts.Expr, len(s.Params))
	for i, name := range s.Params {
		args[i] = facts.Name(name)
	}
	for i := n; i < p.Nodes[n].Next; i++ {
		if p.Kind(i) == "type_identifier" && slices.Contains(s.Params, p.TextAt(i)) {
			return e.Generic(args...)
		}
	}
	return e
}
