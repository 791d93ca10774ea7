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

// objectsIn is how many types without a name are among those.
func objectsIn(p *walker, n binder.At) (objects int) {
	parts(p, n, func(c binder.At) {
		if p.Kind(c) == "object_type" {
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
		if p.Kind(c) != "object_type" || p.BySpot[int(p.Nodes[c].Start)] != nil {
			ownParts(p, c, s)
			return
		}
		one := p.DeclareSymbol(c, c, "type", s)
		one.Name, one.Qualified, one.Kind = "{", s.Qualified, "type"
		one.Params, one.BoundSources = s.Params, s.BoundSources
		p.owned[c] = one
	})
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
