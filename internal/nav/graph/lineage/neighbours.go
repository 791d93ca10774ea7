package lineage

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// neighbours are the symbols one hop away, each by the first place that leads
// to it, in order of place. The start of a downstream lineage that has members
// inside of it stands for them too, and it is among them if it calls itself.
// Of edges only the kinds are followed that are named, if any are.
func neighbours(ctx context.Context, v *overlay.View, n *node, dir Direction, o Options) []hop {
	var hops []hop
	if dir == Upstream {
		hops = upstream(ctx, v, n, o.Outer)
	} else {
		hops = downstream(ctx, v, n.symbol, n.depth == 0, o.Outer)
	}
	if o.Edges != nil {
		hops = slices.DeleteFunc(hops, func(h hop) bool { return !slices.Contains(o.Edges, graph.Kinds[h.kind]) })
	}
	recursive := n.depth == 0 && !graph.IsType(v.World().Kind(n.symbol))
	return merged(slices.DeleteFunc(hops, func(h hop) bool {
		return h.symbol == n.symbol && (!recursive || graph.Kinds[h.kind] != string(facts.Call))
	}))
}

func upstream(ctx context.Context, v *overlay.View, n *node, outer bool) []hop {
	var hops []hop
	s, implied := n.symbol, resolve.ByConstruction
	switch {
	case outer && n.parent == nil:
		implied = resolve.ByLanguage
	case outer:
		implied = resolve.ByValue // else what compares or shows values, far away, would reach all that has some
	}
	hops = fromUses(v, hops, v.UsesOf(ctx, s))
	hops = fromUses(v, hops, v.UsesImplied(ctx, s, implied))
	if outer {
		hops = fromUses(v, hops, v.DispatchedTo(ctx, s))
	}
	// Whoever reaches an interface's method reaches what implements it; a type
	// that satisfies an interface depends on it.
	return linked(ctx, v, s, hops, graph.IsType(v.World().Kind(s)))
}

// fromUses adds where uses are to hops.
func fromUses(v *overlay.View, hops []hop, uses []graph.Edge) []hop {
	hops = slices.Grow(hops, len(uses))
	for i := range uses {
		e := &uses[i]
		if e.Kind == graph.KindImports {
			continue
		}
		from := resolve.SymbolID{File: e.File, Index: e.From}
		if e.From >= 0 {
			from = v.World().Lift(from)
		}
		hops = append(hops, hop{
			symbol: from, file: e.File, line: e.Line, column: e.Column, kind: e.Kind, tier: e.Tier,
			confidence: e.Confidence,
		})
	}
	return hops
}

func downstream(ctx context.Context, v *overlay.View, s resolve.SymbolID, start, outer bool) []hop {
	if !start && v.World().Lift(s) != s {
		return nil
	}
	var hops []hop
	for _, part := range v.World().StandsFor(s, start) {
		uses := v.UsedBy(part)
		if outer {
			uses = slices.Concat(uses, v.DispatchedBy(part))
		}
		for _, e := range uses {
			if e.Kind == graph.KindImports {
				continue
			}
			for _, to := range v.Defined(e.To) {
				hops = append(hops, hop{
					symbol: to, file: e.File, line: e.Line, column: e.Column, kind: e.Kind, tier: e.Tier,
					confidence: e.Confidence,
				})
			}
		}
	}
	return linked(ctx, v, s, hops, !graph.IsType(v.World().Kind(s)))
}

// linked adds what links to s, or what s links to, to hops.
func linked(ctx context.Context, v *overlay.View, s resolve.SymbolID, hops []hop, to bool) []hop {
	if to {
		for _, l := range v.LinksTo(ctx, s) {
			hops = append(hops, linkHop(v, l, l.From))
		}
		return hops
	}
	for _, l := range v.LinksFrom(s) {
		hops = append(hops, linkHop(v, l, l.To))
	}
	return hops
}

// linkHop is a hop to one end of a link. The place is where the implementing
// side is declared.
func linkHop(v *overlay.View, l graph.Link, to resolve.SymbolID) hop {
	d := v.World().Def(l.From)
	return hop{
		symbol: to, file: l.From.File, line: uint32(d.Line), column: uint32(d.Column), kind: l.Kind, tier: l.Tier,
		confidence: l.Confidence,
	}
}
