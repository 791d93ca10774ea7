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

// Options say which uses are wanted.
type Options struct {
	Edges []string // of which kinds, nil: all
	// Keep, if not nil, says in which files.
	Keep func(file string) bool
	// Last, if not nil, says of which files uses come behind those of the others.
	Last func(file string) bool
}

// A List is the uses of a symbol that are wanted, in order of file and position, those of files
// that come last behind the others. What there is to say of one is found when it is asked for.
type List struct {
	v    *overlay.View
	of   resolve.SymbolID
	uses overlay.Uses
	at   []int32 // of the uses, those that are wanted

	Last int // how many are in files that come last
}

// Find finds the uses of a symbol. Declarations, comments and strings are no uses.
func Find(ctx context.Context, v *overlay.View, d overlay.Def, o Options) List {
	l := List{v: v, of: d.Symbol, uses: v.Uses(ctx, d.Symbol)}
	l.at = make([]int32, 0, l.uses.Len())
	var last []int32
	keeps, isLast := memoized(v, o.Keep, true), memoized(v, o.Last, false)
	for i := range l.uses.Len() {
		f := l.uses.File(i)
		switch {
		case !keeps(f) || o.Edges != nil && !slices.Contains(o.Edges, graph.Kinds[l.uses.At(i).Kind]):
		case isLast(f):
			last = append(last, int32(i)) //nolint:gosec // edges have numbers of 32 bits
		default:
			l.at = append(l.at, int32(i)) //nolint:gosec // edges have numbers of 32 bits
		}
	}
	l.at, l.Last = append(l.at, last...), len(last)
	return l
}

// Len is how many there are.
func (l *List) Len() int { return len(l.at) }

// At is the i-th one.
func (l *List) At(i int) Use { return use(l.v, l.uses.At(int(l.at[i])), l.of) }

// Drop leaves out those that drop says.
func (l *List) Drop(drop func(overlay.UseKey) bool) {
	first := len(l.at) - l.Last
	kept := l.at[:0]
	for i, n := range l.at {
		if !drop(l.uses.Key(int(n))) {
			kept = append(kept, n)
		} else if i >= first {
			l.Last--
		}
	}
	l.at = kept
}

// Files are those with uses, some more than once.
func (l *List) Files(yield func(file string) bool) {
	before := resolve.FileID(-1)
	for _, n := range l.at {
		if f := l.uses.File(int(n)); f != before {
			if before = f; !yield(l.v.World().Path(f)) {
				return
			}
		}
	}
}

// memoized asks something of the path of each file once; without a question all are the same.
func memoized(v *overlay.View, ask func(file string) bool, otherwise bool) func(resolve.FileID) bool {
	if ask == nil {
		return func(resolve.FileID) bool { return otherwise }
	}
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

// Via is what a method implements or overrides, and how often that is used, which may run it.
func Via(ctx context.Context, v *overlay.View, d overlay.Def) (via []overlay.Def, uses int) {
	if !graph.IsCode(d.Kind) {
		return nil, 0
	}
	for _, l := range v.LinksFrom(d.Symbol) {
		via, uses = append(via, v.World().Def(l.To)), uses+v.Uses(ctx, l.To).Len()
	}
	return via, uses
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
