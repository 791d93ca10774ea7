package usage

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// mostTried is how many references of a name Unknown looks at: resolving them
// takes time.
const mostTried = 2000

// An UnknownPlace is a place that refers to what is not known.
type UnknownPlace struct {
	Place

	In resolve.SymbolID // around it, Index -1: the top of a file
}

// Sought is what an unknown place may be a use of.
type Sought struct {
	Name    string
	Methods []overlay.Def // of that name: calls count that may reach them through what is of another module
	// Outside says that what is outside of the repository counts: where files are included
	// and not imported, it is only what was not found.
	Outside bool
	// Few says that one place in each symbol is enough, the first one.
	Few   bool
	Takes func(path string) bool // which files are wanted
}

// Unknown are places that refer by a name to what is not known: neither to a
// symbol of the repository nor to something outside of it. Any of them may be a
// use of what is declared by that name. They are in order of file and position. all is
// false when there were too many references to look at each.
func Unknown(ctx context.Context, v *overlay.View, s Sought) (places []UnknownPlace, all bool) {
	less := func(a, b UnknownPlace) int { return comparePlaces(a.Place, b.Place) }
	r := v.Resolver()
	if r == nil {
		return nil, true
	}
	tried := 0
	for _, f := range v.FilesWith(s.Name) {
		if !s.Takes(v.World().Path(f)) {
			continue
		}
		refs, meant := v.World().File(f).Refs, overlay.RefsOf(r, f)
		enough := map[int]bool{} // of the symbols around places
		for i := range refs {
			if refs[i].Name != s.Name {
				continue
			}
			if edges, _ := v.StoredAt(f, &refs[i]); len(edges) > 0 {
				continue
			}
			if tried++; tried > mostTried || ctx.Err() != nil {
				slices.SortFunc(places, less)
				return places, false
			}
			if enough[refs[i].In] {
				continue
			}
			res := meant(i)
			if len(res.Targets) == 0 && (s.Outside || !res.External || isUndecided(r, f, i, s.Methods)) {
				enough[refs[i].In] = s.Few
				places = append(places, UnknownPlace{
					Place{v.World().Path(f), refs[i].Line, refs[i].Column}, resolve.SymbolID{File: f, Index: int32(refs[i].In)},
				})
			}
		}
	}
	slices.SortFunc(places, less)
	return places, true
}

// isUndecided reports whether one of some methods may be reached through something of
// another module, and it is not known.
func isUndecided(r graph.Resolver, f resolve.FileID, i int, methods []overlay.Def) bool {
	return len(r.Dispatched(f, i).Targets) == 0 && slices.ContainsFunc(methods, func(m overlay.Def) bool {
		return r.Undecided(f, i, m.Symbol)
	})
}

// An Outside use is a place that takes a name from what is not of the
// repository.
type Outside struct {
	Use

	Import string // the path that it is imported by
	Module string // what the place calls that: "hclog" of hclog.New; "" where the name itself is imported
}

// OutsideUses finds the places that refer by a name to what an import takes from
// outside of the repository, in order of file and position.
func OutsideUses(ctx context.Context, v *overlay.View, name string) (all []Outside) {
	r, tried := v.Resolver(), 0
	if r == nil {
		return nil
	}
	files := v.FilesWith(name)
	slices.Sort(files)
	for _, f := range slices.Compact(files) {
		file := v.World().File(f)
		for i := range file.Refs {
			ref := &file.Refs[i]
			if ref.Name != name || tried >= mostTried || ctx.Err() != nil {
				continue
			}
			at := imported(file, ref)
			if at < 0 {
				continue
			}
			if tried++; len(importedFiles(v, f, at)) > 0 {
				continue
			}
			if res := r.Ref(f, i); len(res.Targets) > 0 {
				continue
			}
			use := Use{
				File: file.Path, Line: ref.Line, Column: ref.Column, Edge: graph.Kinds[graph.KindOf(ref.Kind)],
				Tier: resolve.TierB.String(), Confidence: 1,
			}
			if ref.In >= 0 {
				use.In = v.World().Def(resolve.SymbolID{File: f, Index: int32(ref.In)})
			}
			all = append(all, Outside{use, file.Imports[at].Path, ref.Of.String()})
		}
	}
	return all
}
