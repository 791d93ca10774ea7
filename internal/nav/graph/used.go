package graph

import (
	"cmp"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Use is a place that refers to a symbol.
type Use struct {
	File         string
	Line, Column int
	Edge         string // imports, calls, uses_type, extends, implements, reads, writes
	Tier         string // see resolve.Tier
	Confidence   float32
	Candidates   []string // ids of the symbols that it may be a use of, when it is not known of which
	In           Def      // the symbol around the place; ID is "" at the top of a file
}

// A Usage is who uses a symbol.
type Usage struct {
	Def   Def
	Uses  []Use // in order of file and position, those of files that come last behind the others
	Total int   // how many there are altogether
	Last  int   // how many of these are in files that come last
	// Of a method: what it implements or overrides, and what implements or
	// overrides it. Uses of those are not among Uses, though they may run it.
	Via, Implementations []Def
	ViaUses              int // uses of Via
}

// Truncated tells whether uses were left out.
func (u *Usage) Truncated() bool { return u.Total > len(u.Uses) }

// UseOptions say which uses are wanted.
type UseOptions struct {
	Limit int      // how many, 0: all
	Edges []string // of which kinds, nil: all
	// Keep, if not nil, says which are wanted.
	Keep func(Use) bool
	// Last, if not nil, says of which files uses come behind those of the others.
	Last func(file string) bool
}

// Uses finds who uses a symbol. Declarations, comments and strings are no uses.
func (v *View) Uses(d Def, o UseOptions) Usage {
	u := Usage{Def: d}
	edges := v.uses(d.symbol)
	last := func(resolve.FileID) bool { return false }
	if o.Last != nil {
		last = v.memoized(o.Last)
		edges = slices.Clone(edges)
		slices.SortStableFunc(edges, func(a, b edge) int { return order(last(a.file)) - order(last(b.file)) })
	}
	for _, e := range edges {
		if o.Edges != nil && !slices.Contains(o.Edges, kinds[e.kind]) {
			continue
		}
		full := o.Limit > 0 && len(u.Uses) >= o.Limit
		if full && o.Keep == nil {
			u.Total++
			u.Last += order(last(e.file))
			continue
		}
		use := v.use(e, d.symbol)
		if o.Keep != nil && !o.Keep(use) {
			continue
		}
		u.Last += order(last(e.file))
		if u.Total++; !full {
			u.Uses = append(u.Uses, use)
		}
	}
	v.linked(&u)
	return u
}

// memoized asks something of the path of each file once.
func (v *View) memoized(ask func(file string) bool) func(resolve.FileID) bool {
	known := map[resolve.FileID]bool{}
	return func(f resolve.FileID) bool {
		answer, ok := known[f]
		if !ok {
			answer = ask(v.w.Path(f))
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
func (v *View) use(e edge, of resolve.SymbolID) Use {
	use := Use{
		File: v.w.Path(e.file), Line: int(e.line), Column: int(e.column),
		Edge: kinds[e.kind], Tier: e.tier.String(), Confidence: e.confidence,
	}
	if len(e.to) > 1 {
		for _, to := range someOf(e.to, of) {
			use.Candidates = append(use.Candidates, v.def(to).ID)
		}
	}
	if e.from >= 0 {
		use.In = v.def(resolve.SymbolID{File: e.file, Index: e.from})
	}
	return use
}

// someOf are up to three of the targets of an edge, in order, one of which is
// among them.
func someOf(targets []resolve.SymbolID, one resolve.SymbolID) []resolve.SymbolID {
	if i := slices.Index(targets, one); i >= maxCandidates {
		return append(slices.Clone(targets[:maxCandidates-1]), one)
	}
	return targets[:min(len(targets), maxCandidates)]
}

// linked adds what a method is linked to.
func (v *View) linked(u *Usage) {
	if !isCode(u.Def.Kind) {
		return
	}
	for _, l := range v.linksFrom(u.Def.symbol) {
		u.Via = append(u.Via, v.def(l.to))
		u.ViaUses += len(v.uses(l.to))
	}
	u.Implementations = v.Implementations(u.Def)
}

// Implementations are what implements or overrides a method, or satisfies an
// interface without saying so, in order of path and position.
func (v *View) Implementations(d Def) []Def {
	var all []Def
	for _, l := range v.linksTo(d.symbol) {
		all = append(all, v.def(l.from))
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
func (v *View) Places(name string) []Place {
	var all []Place
	for _, s := range v.w.Defs(name) {
		d := v.def(s)
		all = append(all, Place{d.File, d.Line, d.Column})
	}
	for _, f := range v.filesWith(name) {
		refs := v.w.File(f).Refs
		for i := range refs {
			if refs[i].Name == name {
				all = append(all, Place{v.w.Path(f), refs[i].Line, refs[i].Column})
			}
		}
	}
	slices.SortFunc(all, comparePlaces)
	return slices.Compact(all)
}

// filesWith are the files with references of a name, and all changed ones.
func (v *View) filesWith(name string) []resolve.FileID {
	files := v.w.changedFiles()
	if n, ok := v.g.name(name); ok {
		for _, old := range rows(v.g.refStarts, v.g.refFiles, int(n)) {
			if f, same := v.w.now(old); same {
				files = append(files, f)
			}
		}
	}
	return files
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// A Reference is a place in a file that uses symbols.
type Reference struct {
	Line, Column int
	Edge         string
	To           []Def
	Choice       bool // it uses one of them, and which is not known
}

// References are the places in a file that use symbols, in order. Imports of
// files are none.
func (v *View) References(file string) (all []Reference) {
	f, ok := v.w.ByPath(file)
	if !ok {
		return nil
	}
	var edges []edge
	if v.affected(f) {
		edges, _ = usesOf(v.r, v.w, f)
	} else {
		stored := v.g.edges(v.w.old(f))
		for n := range stored.list {
			edges = append(edges, stored.edge(f, n))
		}
	}
	for _, e := range edges {
		r := Reference{Line: int(e.line), Column: int(e.column), Edge: kinds[e.kind], Choice: e.tier == resolve.TierF}
		if !v.affected(f) {
			e.to = v.moved(e.to)
		}
		for _, to := range e.to {
			if to.Index >= 0 {
				r.To = append(r.To, v.def(to))
			}
		}
		if len(r.To) > 0 {
			all = append(all, r)
		}
	}
	return all
}
