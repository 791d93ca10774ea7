package graph

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// neighbours are the symbols one hop away, each by the first place that leads
// to it, in order of place. The start of a downstream lineage that has members
// inside of it stands for them too. Of edges only the kinds are followed that
// are named, if any are.
func (v *View) neighbours(n *node, dir Direction, edges []string) []hop {
	var hops []hop
	if dir == Upstream {
		hops = v.upstream(n.symbol)
	} else {
		hops = v.downstream(n.symbol, n.depth == 0)
	}
	if edges != nil {
		hops = slices.DeleteFunc(hops, func(h hop) bool { return !slices.Contains(edges, kinds[h.kind]) })
	}
	return merged(hops, n.symbol)
}

func (v *View) upstream(s resolve.SymbolID) []hop {
	var hops []hop
	for _, e := range v.uses(s) {
		if e.kind == kindImports {
			continue
		}
		from := resolve.SymbolID{File: e.file, Index: e.from}
		if e.from >= 0 {
			from = v.lift(from)
		}
		hops = append(hops, hop{
			symbol: from, file: e.file, line: e.line, column: e.column, kind: e.kind,
			confidence: e.confidence,
		})
	}
	// Whoever reaches an interface's method reaches what implements it; a type
	// that satisfies an interface depends on it.
	if isType(v.kind(s)) {
		for _, l := range v.linksTo(s) {
			hops = append(hops, v.linkHop(l, l.from))
		}
		return hops
	}
	for _, l := range v.linksFrom(s) {
		hops = append(hops, v.linkHop(l, l.to))
	}
	return hops
}

func (v *View) downstream(s resolve.SymbolID, start bool) []hop {
	if !start && v.lift(s) != s {
		return nil
	}
	var hops []hop
	for _, part := range v.standsFor(s, start) {
		for _, e := range v.usedBy(part) {
			if e.kind == kindImports {
				continue
			}
			for _, to := range e.to {
				hops = append(hops, hop{
					symbol: to, file: e.file, line: e.line, column: e.column, kind: e.kind,
					confidence: e.confidence,
				})
			}
		}
	}
	if isType(v.kind(s)) {
		for _, l := range v.linksFrom(s) {
			hops = append(hops, v.linkHop(l, l.to))
		}
		return hops
	}
	for _, l := range v.linksTo(s) {
		hops = append(hops, v.linkHop(l, l.from))
	}
	return hops
}

// standsFor is a symbol with those inside of it whose uses count as its own: all
// at the start, else the fields of a type.
func (v *View) standsFor(s resolve.SymbolID, start bool) []resolve.SymbolID {
	all := []resolve.SymbolID{s}
	if !start && !isType(v.kind(s)) {
		return all
	}
	for i := s.Index + 1; int(i) < v.symbols(s.File); i++ {
		inner := resolve.SymbolID{File: s.File, Index: i}
		if start && v.within(inner, s) || !start && v.parent(inner) == s.Index && v.lift(inner) == s {
			all = append(all, inner)
		}
	}
	return all
}

// linkHop is a hop to one end of a link. The place is where the implementing
// side is declared.
func (v *View) linkHop(l link, to resolve.SymbolID) hop {
	d := v.def(l.from)
	return hop{
		symbol: to, file: l.from.File, line: uint32(d.Line), column: uint32(d.Column), kind: l.kind,
		confidence: l.confidence,
	}
}

// lift is the type that a field or the like is part of, and any other symbol
// itself.
func (v *View) lift(s resolve.SymbolID) resolve.SymbolID {
	parent := v.parent(s)
	if parent < 0 || isCode(v.kind(s)) || isType(v.kind(s)) {
		return s
	}
	if up := (resolve.SymbolID{File: s.File, Index: parent}); isType(v.kind(up)) {
		return up
	}
	return s
}

// within tells whether a symbol is inside of another one.
func (v *View) within(s, outer resolve.SymbolID) bool {
	for s.Index > outer.Index {
		s.Index = v.parent(s)
	}
	return s.Index == outer.Index
}
