package lineage

import (
	"cmp"
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Related symbol implements, extends or overrides another one, or is what
// that implements, extends or overrides.
type Related struct {
	overlay.Def

	Edge       string // extends or implements; of methods also for what they override
	Tier       string
	Confidence float32 // the product of the edges on the way
	Depth      int     // 1: it says so itself, or satisfies the interface by its methods
}

// Hierarchy finds what implements or extends a type or method, directly or
// through others, or with up what it implements and extends. They come by
// depth, then in order of path and position, each once; behind them what is no symbol.
func Hierarchy(ctx context.Context, v *overlay.View, d overlay.Def, up bool) ([]Related, error) {
	seen := map[resolve.SymbolID]bool{d.Symbol: true}
	var all []Related
	level := []Related{{Def: d, Confidence: 1}}
	for len(level) > 0 {
		var next []Related
		if up && len(all) == 0 {
			next = keyed(v, d, seen)
		}
		for _, from := range level {
			if from.Symbol.Index < 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, l := range kin(ctx, v, from.Symbol, up) {
				to := l.From
				if up {
					to = l.To
				}
				if seen[to] {
					continue
				}
				seen[to] = true
				next = append(next, Related{
					Def: v.World().Def(to), Edge: graph.Kinds[l.Kind], Tier: l.Tier.String(),
					Confidence: from.Confidence * l.Confidence, Depth: from.Depth + 1,
				})
			}
		}
		slices.SortFunc(next, func(a, b Related) int { return graph.CompareSymbols(a.Symbol, b.Symbol) })
		all, level = append(all, next...), next
	}
	if up || d.Symbol.Index < 0 {
		return all, nil
	}
	objects, err := literals(ctx, v, append([]Related{{Def: d, Confidence: 1}}, all...))
	return append(all, objects...), err
}

// kin are the links to a symbol, or with up from it, also those that a place in
// the text says.
func kin(ctx context.Context, v *overlay.View, s resolve.SymbolID, up bool) []graph.Link {
	links := v.LinksTo(ctx, s)
	if up {
		links = v.LinksFrom(s)
	}
	if graph.IsType(v.World().Kind(s)) { // what the text says counts before what the methods do
		return append(declared(ctx, v, s, up), links...)
	}
	return links
}

// declared are the links of a type that the text says: the types that extend or
// implement it, or those that it extends or implements.
func declared(ctx context.Context, v *overlay.View, s resolve.SymbolID, up bool) []graph.Link {
	var links []graph.Link
	add := func(e graph.Edge, from, to resolve.SymbolID) {
		if Says(e) && graph.IsType(v.World().Kind(from)) && graph.IsType(v.World().Kind(to)) && from != to {
			links = append(links, graph.Link{From: from, To: to, Kind: e.Kind, Tier: e.Tier, Confidence: e.Confidence})
		}
	}
	if !up {
		for _, e := range v.UsesOf(ctx, s) {
			if !Says(e) {
				continue
			}
			if class, ok := nameless(v, e); ok {
				add(e, class, s)
			} else if e.From >= 0 {
				add(e, v.World().Lift(resolve.SymbolID{File: e.File, Index: e.From}), s)
			}
		}
		return links
	}
	for _, part := range v.World().StandsFor(s, false) {
		for _, e := range v.UsedBy(part) {
			for _, to := range e.To {
				add(e, s, to)
			}
		}
	}
	return links
}

// nameless is the class without a name of TypeScript or JavaScript that an edge is said of: its
// references are those of what is around it, and what it is made from is the next of them.
func nameless(v *overlay.View, e graph.Edge) (class resolve.SymbolID, ok bool) {
	if e.From >= 0 && graph.IsType(v.World().Kind(resolve.SymbolID{File: e.File, Index: e.From})) {
		return class, false
	}
	file := v.World().Declared(e.File)
	if !facts.Script(file.Language) {
		return class, false
	}
	var last *facts.Symbol
	for i := range file.Symbols {
		s := &file.Symbols[i]
		if s.Kind != "class" || s.Name != "class" || cmp.Or(s.Line-int(e.Line), s.Column-int(e.Column)) >= 0 {
			continue
		}
		if last == nil || cmp.Or(s.Line-last.Line, s.Column-last.Column) > 0 {
			last, class = s, resolve.SymbolID{File: e.File, Index: int32(i)} //nolint:gosec // an index
		}
	}
	return class, last != nil
}

// Says reports whether an edge is one of a declaration that extends or
// implements something.
func Says(e graph.Edge) bool {
	return e.Kind == graph.KindImplements || graph.Kinds[e.Kind] == string(facts.Extends)
}

// A Site is where a step of a lineage is in the text.
type Site struct {
	File         string
	Line, Column int
}

// maxSites is how many places of one step are named.
const maxSites = 20

// merged are hops, each symbol once, by its first place, with its other places.
func merged(hops []hop) []hop {
	slices.SortFunc(hops, compareHops)
	at := make(map[resolve.SymbolID]int, len(hops))
	kept := hops[:0]
	for _, h := range hops {
		if i, again := at[h.symbol]; again {
			if first := &kept[i]; len(first.more) < maxSites &&
				(h.file != first.file || h.line != first.line || h.column != first.column) {
				first.more = append(first.more, place{h.file, h.line, h.column})
			}
			continue
		}
		at[h.symbol] = len(kept)
		kept = append(kept, h)
	}
	return kept
}

// A place is a position in a file.
type place struct {
	file         resolve.FileID
	line, column uint32
}

// sites are all places of a step, in order.
func sites(v *overlay.View, h hop) []Site {
	sites := []Site{{v.World().Path(h.file), int(h.line), int(h.column)}}
	for _, p := range h.more {
		sites = append(sites, Site{v.World().Path(p.file), int(p.line), int(p.column)})
	}
	slices.SortFunc(sites, func(a, b Site) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.Compact(sites)
}
