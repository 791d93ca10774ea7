// Package lineage follows uses over several hops, and types to what they extend.
package lineage

import (
	"cmp"
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parallel"
)

// A Direction is which way lineage goes.
type Direction string

// The directions.
const (
	Upstream   Direction = "upstream"   // who reaches the symbol
	Downstream Direction = "downstream" // what it reaches
)

// directions are all names of directions.
var directions = map[string]Direction{
	"upstream": Upstream, "callers": Upstream, "incoming": Upstream, "used_by": Upstream,
	"downstream": Downstream, "callees": Downstream, "outgoing": Downstream, "uses": Downstream,
}

// ParseDirection finds a direction by any of its names. Others are
// fault.InvalidRequest.
func ParseDirection(s string) (Direction, error) {
	if d, ok := directions[s]; ok {
		return d, nil
	}
	return "", fault.New(fault.InvalidRequest,
		"direction %q is none: use upstream (or callers, incoming, used_by) or downstream (or callees, outgoing, uses)", s)
}

// Options bound a lineage and choose among its items.
type Options struct {
	Depth      int                // hops, 0: DefaultDepth
	MaxResults int                // items, 0: DefaultResults
	Hub        int                // neighbours beyond which a symbol is not followed, 0: DefaultHub
	Edges      []string           // kinds that are followed, nil: all but imports
	Keep       func(Reached) bool // which are items, nil: all; what is between is followed all the same
	Recursion  bool               // whether a start that calls itself is an item
	Also       []resolve.SymbolID // others that are followed with the start: prototypes of it
	Away       int                // hops that the start and those count as already
	Outer      bool               // whether calls are followed through interfaces of modules that are not indexed
}

// Defaults of LineageOptions.
const (
	defaultDepth   = 3
	defaultResults = 50
	DefaultHub     = 200
)

// maxVisited bounds the symbols that a lineage looks at.
const maxVisited = 20_000

// A Reached is a symbol that lineage came to, by a shortest way.
type Reached struct {
	Def        overlay.Def // ID is "" for the code at the top of a file
	File       string      // where the last step is in the text
	Line       int
	Column     int
	Depth      int // hops from the start
	Edge       string
	Tier       resolve.Tier  // of the last step
	Sites      []Site        // all places of the last step, in order, up to some
	Path       []overlay.Def // from the start to this one, both included
	Confidence float32       // the product of the edges on the way
}

// A Result is what reaches a symbol, or what it reaches.
type Result struct {
	Items []Reached     // by depth, path and position
	Total int           // how many were found; a lower bound if Cut
	Hubs  []overlay.Def // items or symbols between that were not followed, having too many neighbours
	Cut   bool          // the search itself was ended early
}

// A node is a symbol that was reached.
type node struct {
	symbol     resolve.SymbolID
	parent     *node
	at         hop
	depth      int
	confidence float32
	tier       resolve.Tier // the weakest on the way
}

// A hop leads to a neighbour. Index -1 of its symbol is the top of a file.
type hop struct {
	symbol       resolve.SymbolID
	file         resolve.FileID
	line, column uint32
	kind         uint8
	tier         resolve.Tier
	confidence   float32
	more         []place // where it is said again
}

// Follow follows calls, reads, writes, uses of types, extends and implements
// from a symbol, breadth first. A method is also reached through what it
// implements or overrides. What a field, a constant of an enumeration and the
// like refer to counts as their type's, and they are where downstream ends.
// Symbols are followed once, so cycles end.
func Follow(ctx context.Context, v *overlay.View, start overlay.Def, dir Direction, o Options) (Result, error) {
	o = o.withDefaults()
	t := traversal{
		v: v, o: o, dir: dir, most: maxVisited, seen: map[resolve.SymbolID]bool{},
	}
	root := &node{symbol: start.Symbol, depth: o.Away, confidence: 1}
	t.seen[start.Symbol] = true
	level := []*node{root}
	for _, s := range o.Also {
		t.seen[s] = true
		level = append(level, &node{symbol: s, depth: o.Away, confidence: 1})
	}
	for depth := o.Away + 1; depth <= o.Depth && len(level) > 0 && !t.out.Cut; depth++ {
		next, err := t.expand(ctx, level)
		if err != nil {
			return Result{}, err
		}
		for _, n := range next {
			t.take(n)
		}
		level = next
	}
	return t.out, nil
}

// maxReaching bounds the symbols that Reaching looks at, whatever the number of
// starts.
const maxReaching = 50_000

// A Reach is what Reaching starts from.
type Reach struct {
	Starts []Start
	Away   int // hops that these count as already; from 1 on they are yielded, too
	Hops   int // how many at most
	// Free, if not nil, tells which symbols are followed behind the last hop, too: helpers
	// of tests, which only tests use.
	Free func(overlay.Def) bool
	// Beyond, if not nil, tells which of the symbols are followed that use one with too many
	// neighbours to follow all.
	Beyond func(overlay.Def) bool
}

// A Start is a symbol, and the weakest tier by which that is known to be one.
type Start struct {
	overlay.Def

	Tier resolve.Tier
}

// An Arrival is a symbol, or the code at the top of a file, that comes to a start, and how:
// by the surest of the shortest ways.
type Arrival struct {
	overlay.Def // ID is "" for the code at the top of a file

	Depth int
	Tier  resolve.Tier // the weakest on the way; 0 where it is a start of which none is told
}

// Reaching calls yield for each symbol from which a lineage comes to one of some
// symbols, and for the code at the top of a file; once for each, the
// nearest ones first. It is what the upstream lineages of
// all of them find together, at the cost of one, calls through interfaces of other modules
// among them. cut tells that more is reached than was looked at.
func Reaching(ctx context.Context, v *overlay.View, from Reach, yield func(Arrival)) (cut bool, err error) {
	t := traversal{v: v, o: Options{Outer: true}.withDefaults(), dir: Upstream, most: maxReaching, beyond: from.Beyond}
	t.seen = make(map[resolve.SymbolID]bool, len(from.Starts))
	var level []*node
	for _, d := range from.Starts {
		if !t.seen[d.Symbol] {
			t.seen[d.Symbol] = true
			n := &node{symbol: d.Symbol, depth: from.Away, confidence: 1, tier: d.Tier}
			level = append(level, n)
			if from.Away > 0 {
				yield(n.arrival(d.Def))
			}
		}
	}
	for depth := from.Away + 1; len(level) > 0 && !t.out.Cut; depth++ {
		if depth > from.Hops {
			level = slices.DeleteFunc(level, func(n *node) bool { return from.Free == nil || !from.Free(defOf(v, n.symbol)) })
		}
		if level, err = t.expand(ctx, level); err != nil {
			return false, err
		}
		for _, n := range level {
			yield(n.arrival(defOf(v, n.symbol)))
		}
	}
	return t.out.Cut, nil
}

func (n *node) arrival(d overlay.Def) Arrival {
	return Arrival{Def: d, Depth: n.depth, Tier: n.tier}
}

// Next are the symbols one hop away in the order of a lineage, of which o has what edges are
// followed and the hops before. Where the lineage starts what is inside of a symbol counts
// as its own, and it is among them if it calls itself.
func Next(ctx context.Context, v *overlay.View, d overlay.Def, dir Direction, o Options) (all []Reached) {
	if d.Symbol.Index < 0 {
		return nil
	}
	for _, h := range neighbours(ctx, v, &node{symbol: d.Symbol, depth: o.Away, confidence: 1}, dir, o) {
		all = append(all, reached(v, &node{symbol: h.symbol, at: h, depth: 1, confidence: h.confidence}))
	}
	return all
}

func (o Options) withDefaults() Options {
	o.Depth = cmp.Or(o.Depth, defaultDepth)
	o.MaxResults = cmp.Or(o.MaxResults, defaultResults)
	o.Hub = cmp.Or(o.Hub, DefaultHub)
	return o
}

// A traversal is a lineage on its way.
type traversal struct {
	v    *overlay.View
	o    Options
	dir  Direction
	most int // symbols that are looked at
	out  Result
	seen map[resolve.SymbolID]bool
	// beyond tells which neighbours of a hub are followed, nil: none
	beyond func(overlay.Def) bool
}

// expand finds the neighbours of a level that are new, in order of place.
func (t *traversal) expand(ctx context.Context, level []*node) ([]*node, error) {
	var next []*node
	made := map[resolve.SymbolID]*node{}
	var around [][]hop // of some of the level
	for i, n := range level {
		if at := i % expandedAtOnce; at == 0 {
			var err error
			if around, err = t.around(ctx, level[i:min(i+expandedAtOnce, len(level))]); err != nil {
				return nil, err
			}
		}
		hops := around[i%expandedAtOnce]
		if n.depth > 0 && len(hops) > t.o.Hub {
			t.out.Hubs = append(t.out.Hubs, t.v.World().Def(n.symbol))
			if t.beyond == nil {
				continue
			}
			hops = slices.DeleteFunc(hops, func(h hop) bool { return !t.beyond(defOf(t.v, h.symbol)) })
		}
		for _, h := range hops {
			tier := max(n.tier, h.tier)
			if again := made[h.symbol]; again != nil {
				again.tier = min(again.tier, tier)
			}
			if t.seen[h.symbol] && (h.symbol != n.symbol || !t.o.Recursion) {
				continue
			}
			if len(t.seen) >= t.most {
				t.out.Cut = true
				return next, nil
			}
			t.seen[h.symbol] = true
			made[h.symbol] = &node{
				symbol: h.symbol, parent: n, at: h, depth: n.depth + 1,
				confidence: n.confidence * h.confidence, tier: tier,
			}
			next = append(next, made[h.symbol])
		}
	}
	slices.SortFunc(next, func(a, b *node) int { return compareHops(a.at, b.at) })
	return next, nil
}

// Of how many symbols neighbours are found before they are gone through, and from how many
// on that is done side by side.
const (
	expandedAtOnce = 64
	manyExpanded   = 8
)

// around are the neighbours of each of some nodes.
func (t *traversal) around(ctx context.Context, some []*node) ([][]hop, error) {
	all, atOnce := make([][]hop, len(some)), 1
	if len(some) >= manyExpanded {
		atOnce = parallel.Processors()
	}
	type place struct {
		*node
		hops *[]hop
	}
	places := make([]place, len(some))
	for i, n := range some {
		places[i] = place{n, &all[i]}
	}
	return all, parallel.Each(ctx, atOnce, places, func(ctx context.Context, p place) error {
		// Nothing reaches the top of a file; what calls itself was followed.
		if p.symbol.Index >= 0 && (p.parent == nil || p.parent.symbol != p.symbol) {
			*p.hops = neighbours(ctx, t.v, p.node, t.dir, t.o)
		}
		return ctx.Err()
	})
}

// take adds a node to the items if it is wanted and there is room.
func (t *traversal) take(n *node) {
	full := len(t.out.Items) >= t.o.MaxResults
	if full && t.o.Keep == nil {
		t.out.Total++
		return
	}
	item := reached(t.v, n)
	if t.o.Keep != nil && !t.o.Keep(item) {
		return
	}
	if t.out.Total++; !full {
		t.out.Items = append(t.out.Items, item)
	}
}

func reached(v *overlay.View, n *node) Reached {
	r := Reached{
		Def: defOf(v, n.symbol), File: v.World().Path(n.at.file), Line: int(n.at.line), Column: int(n.at.column),
		Depth: n.depth, Edge: graph.Kinds[n.at.kind], Tier: n.at.tier, Confidence: n.confidence,
		Sites: sites(v, n.at),
	}
	for ; n != nil; n = n.parent {
		r.Path = append(r.Path, defOf(v, n.symbol))
	}
	slices.Reverse(r.Path)
	return r
}

// defOf is a symbol, or the top of a file.
func defOf(v *overlay.View, s resolve.SymbolID) overlay.Def {
	if s.Index < 0 {
		return overlay.Def{File: v.World().Path(s.File), Symbol: s}
	}
	return v.World().Def(s)
}

// compareHops orders by path and position of the place, then by symbol.
func compareHops(a, b hop) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column),
		graph.CompareSymbols(a.symbol, b.symbol), cmp.Compare(a.kind, b.kind))
}
