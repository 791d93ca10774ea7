package graph

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A ForeignKin is a related symbol: with up, in the other view with the index
// Other.
type ForeignKin struct {
	Related

	Other int
}

// Below finds what in the home implements, extends or overrides a symbol of the
// other view with that index, directly, in order of path and position.
func (j *Joint) Below(other int, d Def) []ForeignKin {
	part := &j.w.parts[other+1]
	target := resolve.SymbolID{File: part.first + d.symbol.File, Index: d.symbol.Index}
	var all []link
	if isType(d.Kind) {
		all = j.declaredBelow(d, target)
	}
	for _, s := range j.candidates(part.view, d) {
		for _, l := range linksOf(j.r, j.w, s) {
			if l.to == target {
				all = append(all, l)
			}
		}
	}
	var kin []ForeignKin
	for _, l := range distinctLinks(all, func(l link) resolve.SymbolID { return l.from }) {
		kin = append(kin, ForeignKin{Related{
			Def: j.home().def(l.from), Edge: kinds[l.kind], Tier: l.tier.String(),
			Confidence: l.confidence, Depth: 1,
		}, other})
	}
	return kin
}

// declaredBelow are the links that the text says: types that extend or implement
// the symbol.
func (j *Joint) declaredBelow(d Def, target resolve.SymbolID) (all []link) {
	for _, name := range j.names(d.Name) {
		for _, e := range j.usesNamed(name)[target] {
			if e.from < 0 || !says(e) {
				continue
			}
			from := j.home().lift(resolve.SymbolID{File: e.file, Index: e.from})
			if isType(j.home().kind(from)) {
				all = append(all, link{from: from, to: target, kind: e.kind, tier: e.tier, confidence: e.confidence})
			}
		}
	}
	return all
}

// candidates are the symbols of the home that may be linked to one of another
// view without saying so: methods of its name, or types in the folders of methods
// that have the name of its first member.
func (j *Joint) candidates(of *View, d Def) (all []resolve.SymbolID) {
	home := j.home()
	if !isType(d.Kind) {
		for _, s := range home.w.Defs(d.Name) {
			if canOverride(home.symbol(s)) {
				all = append(all, s)
			}
		}
		return all
	}
	member := ""
	for i := d.symbol.Index + 1; int(i) < of.symbols(d.symbol.File) && member == ""; i++ {
		s := resolve.SymbolID{File: d.symbol.File, Index: i}
		if of.parent(s) == d.symbol.Index && isCode(of.kind(s)) {
			member = of.symbol(s).Name
		}
	}
	folders := map[string]bool{}
	for _, s := range home.w.Defs(member) {
		folders[folderOf(home.w.Path(s.File))] = true
	}
	for dir := range folders {
		for _, f := range home.w.Folder(dir) {
			symbols := home.w.File(f).Symbols
			for i := range symbols {
				if canHaveBases(&symbols[i]) {
					all = append(all, resolve.SymbolID{File: f, Index: int32(i)})
				}
			}
		}
	}
	return all
}

// Above finds what a symbol of the home implements, extends or overrides in other
// views, directly, in their order.
func (j *Joint) Above(d Def) []ForeignKin {
	links := linksOf(j.r, j.w, d.symbol)
	refs := j.w.File(d.symbol.File).Refs
	for i := range refs {
		if isType(d.Kind) && refs[i].In >= 0 &&
			j.home().lift(resolve.SymbolID{File: d.symbol.File, Index: int32(refs[i].In)}) == d.symbol {
			if e, ok := j.resolve(d.symbol.File, i); ok && says(e) {
				for _, to := range e.to {
					links = append(links, link{from: d.symbol, to: to, kind: e.kind, tier: e.tier, confidence: e.confidence})
				}
			}
		}
	}
	var kin []ForeignKin
	for _, l := range distinctLinks(links, func(l link) resolve.SymbolID { return l.to }) {
		n := j.w.partOf(l.to.File)
		if n == 0 {
			continue
		}
		p := &j.w.parts[n]
		def := p.view.def(resolve.SymbolID{File: l.to.File - p.first, Index: l.to.Index})
		kin = append(kin, ForeignKin{Related{
			Def: def, Edge: kinds[l.kind], Tier: l.tier.String(), Confidence: l.confidence,
			Depth: 1,
		}, n - 1})
	}
	return kin
}

// distinctLinks are links, one for each end, in their order.
func distinctLinks(all []link, end func(link) resolve.SymbolID) []link {
	slices.SortStableFunc(all, func(a, b link) int { return compareSymbols(end(a), end(b)) })
	return slices.CompactFunc(all, func(a, b link) bool { return end(a) == end(b) })
}

// A ForeignReached is what a hop of a lineage leads to: in the other view with the
// index Other downstream, else in the home.
type ForeignReached struct {
	Reached

	Other int
}

// Upstream are the symbols of the home from which one hop leads to a symbol of the
// other view with that index, in order of place.
func (j *Joint) Upstream(other int, d Def) (all []ForeignReached) {
	for _, use := range j.Uses(other, d) {
		from := use.In
		if from.ID != "" {
			from = j.home().def(j.home().lift(from.symbol))
		} else if f, ok := j.home().w.ByPath(use.File); ok {
			from = Def{File: use.File, symbol: resolve.SymbolID{File: f, Index: -1}}
		}
		all = append(all, ForeignReached{Reached{
			Def: from, File: use.File, Line: use.Line, Column: use.Column, Depth: 1, Edge: use.Edge,
			Confidence: use.Confidence,
		}, other})
	}
	if isType(d.Kind) {
		for _, k := range j.Below(other, d) {
			all = append(all, ForeignReached{k.reached(k.Def), other})
		}
	}
	return all
}

// Downstream are the symbols of others to which one hop leads from a symbol of the
// home, in order of place.
func (j *Joint) Downstream(d Def, start bool) (all []ForeignReached) {
	home, s := j.home(), d.symbol
	if s.Index < 0 || !start && home.lift(s) != s {
		return nil
	}
	own := map[int]bool{}
	for _, part := range home.standsFor(s, start) {
		own[int(part.Index)] = true
	}
	refs := j.w.File(s.File).Refs
	for i := range refs {
		ref := &refs[i]
		if !own[ref.In] || ref.Kind == facts.Imported || j.settled(s.File, i) {
			continue
		}
		for _, m := range j.meanings(s.File, i) {
			all = append(all, ForeignReached{Reached{
				Def: m.Def, File: d.File, Line: ref.Line, Column: ref.Column, Depth: 1, Edge: m.Edge, Confidence: m.Confidence,
			}, m.Other})
		}
	}
	if isType(d.Kind) {
		for _, k := range j.Above(d) {
			all = append(all, ForeignReached{k.reached(d), k.Other})
		}
	}
	return all
}

// reached is a related symbol as a hop leads to it; the place is where the one is
// declared that implements the other.
func (k ForeignKin) reached(implementing Def) Reached {
	return Reached{
		Def: k.Def, File: implementing.File, Line: implementing.Line, Column: implementing.Column, Depth: 1, Edge: k.Edge,
		Confidence: k.Confidence,
	}
}

// Overridden are the methods of others that reach a method of the home when they
// are called.
func (j *Joint) Overridden(d Def) (all []ForeignReached) {
	if !isType(d.Kind) {
		for _, k := range j.Above(d) {
			all = append(all, ForeignReached{k.reached(d), k.Other})
		}
	}
	return all
}

// Overriding are the methods of the home that a call of a method of the other view
// with that index reaches.
func (j *Joint) Overriding(other int, d Def) (all []ForeignReached) {
	if !isType(d.Kind) {
		for _, k := range j.Below(other, d) {
			all = append(all, ForeignReached{k.reached(k.Def), other})
		}
	}
	return all
}
