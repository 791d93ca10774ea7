// Package usage tells what uses a symbol, what stands at a place, and what is
// used most.
package usage

import (
	"cmp"
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Use is a place that refers to a symbol.
type Use struct {
	File         string
	Line, Column int
	Edge         string // imports, calls, uses_type, extends, implements, reads, writes
	Tier         string // see resolve.Tier
	Confidence   float32
	Candidates   []string    // ids of the symbols that it may be a use of, when it is not known of which
	In           overlay.Def // the symbol around the place; ID is "" at the top of a file
}

// A Usage is who uses a symbol.
type Usage struct {
	Def   overlay.Def
	Uses  []Use // in order of file and position, those of files that come last behind the others
	Total int   // how many there are altogether
	Last  int   // how many of these are in files that come last
	// Of a method: what it implements or overrides, and what implements or
	// overrides it. Uses of those are not among Uses, though they may run it.
	Via, Implementations []overlay.Def
	ViaUses              int // uses of Via
}

// Options say which uses are wanted.
type Options struct {
	Limit int      // how many, 0: all
	Edges []string // of which kinds, nil: all
	// Keep, if not nil, says which are wanted.
	Keep func(Use) bool
	// Last, if not nil, says of which files uses come behind those of the others.
	Last func(file string) bool
}

// Of finds who uses a symbol. Declarations, comments and strings are no uses.
func Of(ctx context.Context, v *overlay.View, d overlay.Def, o Options) Usage {
	u := Usage{Def: d}
	edges := v.UsesOf(ctx, d.Symbol)
	last := func(resolve.FileID) bool { return false }
	if o.Last != nil {
		last = memoized(v, o.Last)
		edges = slices.Clone(edges)
		slices.SortStableFunc(edges, func(a, b graph.Edge) int { return order(last(a.File)) - order(last(b.File)) })
	}
	for _, e := range edges {
		if o.Edges != nil && !slices.Contains(o.Edges, graph.Kinds[e.Kind]) {
			continue
		}
		full := o.Limit > 0 && len(u.Uses) >= o.Limit
		if full && o.Keep == nil {
			u.Total++
			u.Last += order(last(e.File))
			continue
		}
		use := use(v, e, d.Symbol)
		if o.Keep != nil && !o.Keep(use) {
			continue
		}
		u.Last += order(last(e.File))
		if u.Total++; !full {
			u.Uses = append(u.Uses, use)
		}
	}
	linked(ctx, v, &u)
	return u
}

// memoized asks something of the path of each file once.
func memoized(v *overlay.View, ask func(file string) bool) func(resolve.FileID) bool {
	known := map[resolve.FileID]bool{}
	return func(f resolve.FileID) bool {
		answer, ok := known[f]
		if !ok {
			answer = ask(v.World().Path(f))
			known[f] = answer
		}
		return answer
	}
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

// use is an edge as a use of one of its targets.
func use(v *overlay.View, e graph.Edge, of resolve.SymbolID) Use {
	use := Use{
		File: v.World().Path(e.File), Line: int(e.Line), Column: int(e.Column),
		Edge: graph.Kinds[e.Kind], Tier: e.Tier.String(), Confidence: e.Confidence,
	}
	if len(e.To) > 1 {
		for _, to := range someOf(e.To, of) {
			use.Candidates = append(use.Candidates, v.World().Def(to).ID)
		}
	}
	if e.From >= 0 {
		use.In = v.World().Def(resolve.SymbolID{File: e.File, Index: e.From})
	}
	return use
}

// someOf are up to three of the targets of an edge, in order, one of which is
// among them.
func someOf(targets []resolve.SymbolID, one resolve.SymbolID) []resolve.SymbolID {
	if i := slices.Index(targets, one); i >= overlay.MaxCandidates {
		return append(slices.Clone(targets[:overlay.MaxCandidates-1]), one)
	}
	return targets[:min(len(targets), overlay.MaxCandidates)]
}

// linked adds what a method is linked to.
func linked(ctx context.Context, v *overlay.View, u *Usage) {
	if !graph.IsCode(u.Def.Kind) {
		return
	}
	for _, l := range v.LinksFrom(u.Def.Symbol) {
		u.Via = append(u.Via, v.World().Def(l.To))
		u.ViaUses += len(v.UsesOf(ctx, l.To))
	}
	u.Implementations = Implementations(ctx, v, u.Def)
}

// Dispatched are the places that call a method, it may be, through a type of another module
// which its own is made from. They are no uses.
func Dispatched(ctx context.Context, v *overlay.View, d overlay.Def) (places []Place) {
	for _, e := range v.DispatchedTo(ctx, d.Symbol) {
		places = append(places, Place{v.World().Path(e.File), int(e.Line), int(e.Column)})
	}
	return places
}

// Implementations are what implements or overrides a method, or satisfies an
// interface without saying so, in order of path and position.
func Implementations(ctx context.Context, v *overlay.View, d overlay.Def) []overlay.Def {
	var all []overlay.Def
	for _, l := range v.LinksTo(ctx, d.Symbol) {
		all = append(all, v.World().Def(l.From))
	}
	return all
}

// A Place is where a name is in the text.
type Place struct {
	File         string
	Line, Column int
}

// Places are where a name is declared or referred to, resolved or not, in order
// of file and position. Elsewhere it is in a comment, in a string, or the name
// of something local.
func Places(v *overlay.View, name string) []Place {
	var all []Place
	for _, s := range v.World().Defs(name) {
		d := v.World().Def(s)
		all = append(all, Place{d.File, d.Line, d.Column})
	}
	for _, f := range v.FilesWith(name) {
		refs := v.World().File(f).Refs
		for i := range refs {
			if refs[i].Name == name {
				all = append(all, Place{v.World().Path(f), refs[i].Line, refs[i].Column})
			}
		}
	}
	slices.SortFunc(all, comparePlaces)
	return slices.Compact(all)
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// A Reference is a place in a file that uses symbols.
type Reference struct {
	Line, Column int
	Edge         string
	To           []overlay.Def
	Choice       bool // it uses one of them, and which is not known
}

// References are the places in a file that use symbols, in order. Imports of
// files are none.
func References(v *overlay.View, file string) (all []Reference) {
	f, ok := v.World().ByPath(file)
	if !ok {
		return nil
	}
	for _, e := range v.EdgesIn(f) {
		r := Reference{Line: int(e.Line), Column: int(e.Column), Edge: graph.Kinds[e.Kind], Choice: e.Tier == resolve.TierF}
		for _, to := range e.To {
			if to.Index >= 0 {
				r.To = append(r.To, v.World().Def(to))
			}
		}
		if len(r.To) > 0 {
			all = append(all, r)
		}
	}
	return all
}
