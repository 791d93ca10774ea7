package joint

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A ForeignKin is a related symbol: with up, in the other view with the index
// Other.
type ForeignKin struct {
	lineage.Related

	Other int
}

// Below finds what in the home implements, extends or overrides a symbol of the
// other view with that index, directly, in order of path and position.
func (j *Joint) Below(ctx context.Context, other int, d overlay.Def) []ForeignKin {
	part := &j.w.parts[other+1]
	target := resolve.SymbolID{File: part.first + d.Symbol.File, Index: d.Symbol.Index}
	var all []graph.Link
	if graph.IsType(d.Kind) {
		all = j.declaredBelow(ctx, d, target)
	}
	for _, s := range j.candidates(part.view, d) {
		if ctx.Err() != nil {
			break
		}
		for _, l := range j.linksOf(s) {
			if l.To == target {
				all = append(all, l)
			}
		}
	}
	var kin []ForeignKin
	for _, l := range distinctLinks(all, func(l graph.Link) resolve.SymbolID { return l.From }) {
		kin = append(kin, ForeignKin{lineage.Related{
			Def: j.home().World().Def(l.From), Edge: graph.Kinds[l.Kind], Tier: l.Tier.String(),
			Confidence: l.Confidence, Depth: 1,
		}, other})
	}
	return kin
}

// declaredBelow are the links that the text says: types that extend or implement
// the symbol.
func (j *Joint) declaredBelow(ctx context.Context, d overlay.Def, target resolve.SymbolID) (all []graph.Link) {
	for _, name := range j.names(d.Name) {
		for _, e := range j.usesNamed(ctx, name)[target] {
			if e.From < 0 || !lineage.Says(e) {
				continue
			}
			from := j.home().World().Lift(resolve.SymbolID{File: e.File, Index: e.From})
			if graph.IsType(j.home().World().Kind(from)) {
				all = append(all, graph.Link{From: from, To: target, Kind: e.Kind, Tier: e.Tier, Confidence: e.Confidence})
			}
		}
	}
	return all
}

// linksOf are the links of a symbol of the home. Each of the many symbols of one
// name in the other views asks for those of all of that name here.
func (j *Joint) linksOf(s resolve.SymbolID) []graph.Link {
	if known, ok := j.linked.Load(s); ok {
		return known.([]graph.Link)
	}
	links := overlay.LinksOf(j.r, j.w, s)
	j.linked.Store(s, links)
	return links
}

// candidates are the symbols of the home that may be linked to one of another
// view without saying so: methods of its name, or types in the folders of methods
// that have the name of its first member.
func (j *Joint) candidates(of *overlay.View, d overlay.Def) (all []resolve.SymbolID) {
	home := j.home()
	if !graph.IsType(d.Kind) {
		for _, s := range home.World().Defs(d.Name) {
			if graph.CanOverride(home.World().Symbol(s)) {
				all = append(all, s)
			}
		}
		return all
	}
	member := ""
	for i := d.Symbol.Index + 1; int(i) < of.World().Symbols(d.Symbol.File) && member == ""; i++ {
		s := resolve.SymbolID{File: d.Symbol.File, Index: i}
		if of.World().Parent(s) == d.Symbol.Index && graph.IsCode(of.World().Kind(s)) {
			member = of.World().Symbol(s).Name
		}
	}
	folders := map[string]bool{}
	for _, s := range home.World().Defs(member) {
		folders[overlay.FolderOf(home.World().Path(s.File))] = true
	}
	for dir := range folders {
		for _, f := range home.World().Folder(dir) {
			symbols := home.World().Declared(f).Symbols
			for i := range symbols {
				if graph.CanHaveBases(&symbols[i]) {
					all = append(all, resolve.SymbolID{File: f, Index: int32(i)})
				}
			}
		}
	}
	return all
}

// Above finds what a symbol of the home implements, extends or overrides in other
// views, directly, in their order.
func (j *Joint) Above(d overlay.Def) []ForeignKin {
	links := slices.Clone(j.linksOf(d.Symbol))
	refs, meant := j.w.File(d.Symbol.File).Refs, overlay.RefsOf(j.r, d.Symbol.File)
	for i := range refs {
		if graph.IsType(d.Kind) && refs[i].In >= 0 &&
			j.home().World().Lift(resolve.SymbolID{File: d.Symbol.File, Index: int32(refs[i].In)}) == d.Symbol {
			if e, ok := j.resolve(d.Symbol.File, i, meant(i)); ok && lineage.Says(e) {
				for _, to := range e.To {
					links = append(links, graph.Link{From: d.Symbol, To: to, Kind: e.Kind, Tier: e.Tier, Confidence: e.Confidence})
				}
			}
		}
	}
	var kin []ForeignKin
	for _, l := range distinctLinks(links, func(l graph.Link) resolve.SymbolID { return l.To }) {
		n := j.w.partOf(l.To.File)
		if n == 0 {
			continue
		}
		p := &j.w.parts[n]
		def := p.view.World().Def(resolve.SymbolID{File: l.To.File - p.first, Index: l.To.Index})
		kin = append(kin, ForeignKin{lineage.Related{
			Def: def, Edge: graph.Kinds[l.Kind], Tier: l.Tier.String(), Confidence: l.Confidence,
			Depth: 1,
		}, n - 1})
	}
	return kin
}

// distinctLinks are links, one for each end, in their order.
func distinctLinks(all []graph.Link, end func(graph.Link) resolve.SymbolID) []graph.Link {
	slices.SortStableFunc(all, func(a, b graph.Link) int { return graph.CompareSymbols(end(a), end(b)) })
	return slices.CompactFunc(all, func(a, b graph.Link) bool { return end(a) == end(b) })
}

// A ForeignReached is what a hop of a lineage leads to: in the other view with the
// index Other downstream, else in the home.
type ForeignReached struct {
	lineage.Reached

	Other int
}

// Upstream are the symbols of the home from which one hop leads to a symbol of the
// other view with that index, in order of place.
func (j *Joint) Upstream(ctx context.Context, other int, d overlay.Def) (all []ForeignReached) {
	for _, use := range j.Uses(ctx, other, d) {
		from := use.In
		if from.ID != "" {
			from = j.home().World().Def(j.home().World().Lift(from.Symbol))
		} else if f, ok := j.home().World().ByPath(use.File); ok {
			from = overlay.Def{File: use.File, Symbol: resolve.SymbolID{File: f, Index: -1}}
		}
		all = append(all, ForeignReached{lineage.Reached{
			Def: from, File: use.File, Line: use.Line, Column: use.Column, Depth: 1, Edge: use.Edge,
			Confidence: use.Confidence,
		}, other})
	}
	if graph.IsType(d.Kind) {
		for _, k := range j.Below(ctx, other, d) {
			all = append(all, ForeignReached{k.reached(k.Def), other})
		}
	}
	return all
}

// Downstream are the symbols of others to which one hop leads from a symbol of the
// home, in order of place.
func (j *Joint) Downstream(d overlay.Def, start bool) (all []ForeignReached) {
	home, s := j.home(), d.Symbol
	if s.Index < 0 || !start && home.World().Lift(s) != s {
		return nil
	}
	own := map[int]bool{}
	for _, part := range home.World().StandsFor(s, start) {
		own[int(part.Index)] = true
	}
	refs := j.w.File(s.File).Refs
	for i := range refs {
		ref := &refs[i]
		if !own[ref.In] || ref.Kind == facts.Imported || j.settled(s.File, i) {
			continue
		}
		for _, m := range j.meanings(s.File, i) {
			all = append(all, ForeignReached{lineage.Reached{
				Def: m.Def, File: d.File, Line: ref.Line, Column: ref.Column, Depth: 1, Edge: m.Edge, Confidence: m.Confidence,
			}, m.Other})
		}
	}
	if graph.IsType(d.Kind) {
		for _, k := range j.Above(d) {
			all = append(all, ForeignReached{k.reached(d), k.Other})
		}
	}
	return all
}

// reached is a related symbol as a hop leads to it; the place is where the one is
// declared that implements the other.
func (k ForeignKin) reached(implementing overlay.Def) lineage.Reached {
	return lineage.Reached{
		Def: k.Def, File: implementing.File, Line: implementing.Line, Column: implementing.Column, Depth: 1, Edge: k.Edge,
		Confidence: k.Confidence,
	}
}

// Overridden are the methods of others that reach a method of the home when they
// are called.
func (j *Joint) Overridden(d overlay.Def) (all []ForeignReached) {
	if !graph.IsType(d.Kind) {
		for _, k := range j.Above(d) {
			all = append(all, ForeignReached{k.reached(d), k.Other})
		}
	}
	return all
}

// Overriding are the methods of the home that a call of a method of the other view
// with that index reaches.
func (j *Joint) Overriding(ctx context.Context, other int, d overlay.Def) (all []ForeignReached) {
	if !graph.IsType(d.Kind) {
		for _, k := range j.Below(ctx, other, d) {
			all = append(all, ForeignReached{k.reached(k.Def), other})
		}
	}
	return all
}
