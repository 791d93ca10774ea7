package overlay

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A view of files as they were before an edit is asked who used what is gone. All references
// of a common name take seconds to resolve in thousands of files, and most of them stand for
// something that has nothing to do with the edit, before it as behind it.

// successors are what references may stand for once something of a name is gone from
// files.
type successors struct {
	v         *View
	from      map[resolve.FileID]bool // the files
	hidden    []resolve.SymbolID      // members of bases, which it hid
	qualified map[string]bool         // its qualified names: it may have moved
}

func successorsOf(v *View, name string) *successors {
	x := &successors{v: v, from: map[resolve.FileID]bool{}, qualified: map[string]bool{}}
	for _, p := range v.gone {
		if f, ok := v.w.ByPath(p); ok {
			x.from[f] = true
		}
	}
	for _, s := range v.w.Defs(name) {
		if _, changed := v.w.changed[s.File]; !changed && !x.from[s.File] {
			continue
		}
		x.hidden = append(x.hidden, v.r.Hides(s)...)
		x.qualified[v.w.Symbol(s).Qualified] = true
	}
	return x
}

// spare reports whether a reference stands for what it does in the graph: its file did not
// change, and it surely leads to other such files, from which nothing is gone, and to none of
// the successors.
func (x *successors) spare(f resolve.FileID, ref *facts.Ref) bool {
	return slices.ContainsFunc(x.v.stored(f, ref), func(e graph.Edge) bool {
		return e.Tier.Follows() && !slices.ContainsFunc(e.To, func(to resolve.SymbolID) bool {
			now, same := x.v.w.now(to.File)
			return !same || x.from[now] || slices.Contains(x.hidden, resolve.SymbolID{File: now, Index: to.Index}) ||
				x.qualified[x.v.g.Facts.Declared(to.File).Symbols[to.Index].Qualified]
		})
	})
}
