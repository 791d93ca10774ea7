// Package joint lays views of other repositories beside one, so that its files may
// use what they declare.
package joint

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Joint is a view with other views beside it whose symbols its files may use:
// those of the repositories that it depends on. It never changes and may be used
// concurrently. What it answers is only what follows from imports and types; a
// name that two repositories happen to share is no use. As with a View, what may take
// long ends with its context, and has then not found all.
type Joint struct {
	w *jointWorld
	r graph.Resolver

	named  overlay.ByName
	last   atomic.Pointer[[]string] // what names found, the name first
	linked sync.Map                 // resolve.SymbolID of the home → []graph.Link, of those that were asked for
}

// Join lays views beside the one whose files are asked about.
func Join(home *overlay.View, others []*overlay.View, resolver func(resolve.World) graph.Resolver) *Joint {
	w := newJointWorld(append([]*overlay.View{home}, others...))
	return &Joint{w: w, r: resolver(w)}
}

func (j *Joint) home() *overlay.View { return j.w.parts[0].view }

// Uses are the places in files of the home that stand for a symbol of the other
// view with that index, in order of file and position.
func (j *Joint) Uses(ctx context.Context, other int, d overlay.Def) []usage.Use {
	part := &j.w.parts[other+1]
	s := resolve.SymbolID{File: part.first + d.Symbol.File, Index: d.Symbol.Index}
	var edges []graph.Edge
	for _, name := range j.names(d.Name) {
		edges = append(edges, j.usesNamed(ctx, name)[s]...)
	}
	slices.SortStableFunc(edges, graph.CompareEdges)
	var uses []usage.Use
	for _, e := range edges {
		use := usage.Use{
			File: j.home().World().Path(e.File), Line: int(e.Line), Column: int(e.Column), Edge: graph.Kinds[e.Kind],
			Tier: e.Tier.String(), Confidence: e.Confidence,
		}
		if e.From >= 0 {
			use.In = j.home().World().Def(resolve.SymbolID{File: e.File, Index: e.From})
		}
		uses = append(uses, use)
	}
	return uses
}

// names are those under which something of a name may be referred to in any of
// the views. The last ones are remembered: of a name with many definitions each is
// asked about.
func (j *Joint) names(name string) []string {
	if last := j.last.Load(); last != nil && (*last)[0] == name {
		return *last
	}
	all := []string{name}
	for i := 0; i < len(all); i++ {
		for p := range j.w.parts {
			for _, as := range j.w.parts[p].view.NamesOf(all[i]) {
				if !slices.Contains(all, as) {
					all = append(all, as)
				}
			}
		}
	}
	j.last.Store(&all)
	return all
}

// usesNamed are the references of a name in the home that stand for something of
// others.
func (j *Joint) usesNamed(ctx context.Context, name string) overlay.Edges {
	return j.named.Of(ctx, name, j.resolveNamed)
}

func (j *Joint) resolveNamed(ctx context.Context, name string) overlay.Edges {
	found := overlay.Edges{}
	files := j.home().FilesWith(name)
	slices.Sort(files)
	for _, f := range slices.Compact(files) {
		refs, meant := j.w.File(f).Refs, overlay.RefsOf(j.r, f)
		for i := range refs {
			if refs[i].Name != name || ctx.Err() != nil || j.settled(f, i) {
				continue
			}
			if e, ok := j.resolve(f, i, meant(i)); ok {
				for _, to := range e.To {
					found[to] = append(found[to], e)
				}
			}
		}
	}
	return found
}

// settled reports whether a reference stands for something of the home, as the
// text says. Of {name} the variable may, and the key not.
func (j *Joint) settled(f resolve.FileID, i int) bool {
	refs := j.w.File(f).Refs
	beside := func(n int) bool {
		return n >= 0 && n < len(refs) && refs[n].Line == refs[i].Line && refs[n].Column == refs[i].Column
	}
	edges, hold := j.home().StoredAt(f, &refs[i])
	if beside(i-1) || beside(i+1) {
		edges = slices.DeleteFunc(edges, func(e graph.Edge) bool { return e.Kind != graph.KindOf(refs[i].Kind) })
	}
	if !hold {
		res := j.home().Resolver().Ref(f, i)
		return len(res.Targets) > 0 && res.Tier.Follows()
	}
	return slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.Tier.Follows() })
}

// resolve is the edge of a reference to others, as it was resolved in the joint.
func (j *Joint) resolve(f resolve.FileID, i int, meant resolve.Resolution) (graph.Edge, bool) {
	e, ok := overlay.EdgeOf(f, &j.w.File(f).Refs[i], meant)
	if !ok || !e.Tier.Follows() {
		return graph.Edge{}, false
	}
	e.To = slices.DeleteFunc(slices.Clone(e.To), func(s resolve.SymbolID) bool { return j.w.partOf(s.File) == 0 })
	return e, len(e.To) > 0
}

// A Foreign meaning is a definition in the other view with the index Other.
type Foreign struct {
	usage.Meaning

	Other int
}

// A ForeignFile is a file of the other view with the index Other.
type ForeignFile struct {
	Other int
	Path  string
}

// At tells what of the others stands at a place where the home knows only that
// something stands there, or what the import there makes known.
func (j *Joint) At(file string, spot usage.Spot) (meanings []Foreign, files []ForeignFile) {
	f, ok := j.home().World().ByPath(file)
	if !ok {
		return nil, nil
	}
	content := j.w.File(f)
	for i := range content.Refs {
		if ref := &content.Refs[i]; ref.Line == spot.Line && ref.Column == spot.Column && ref.Name == spot.Name {
			meanings = append(meanings, j.meanings(f, i)...)
		}
	}
	slices.SortStableFunc(meanings,
		func(a, b Foreign) int { return cmp.Or(a.Other-b.Other, graph.CompareSymbols(a.Symbol, b.Symbol)) })
	meanings = slices.CompactFunc(meanings, func(a, b Foreign) bool { return a.Other == b.Other && a.Symbol == b.Symbol })
	if len(meanings) > 0 || spot.Import == "" {
		return meanings, nil
	}
	for i := range content.Imports {
		if content.Imports[i].Path == spot.Import {
			return nil, j.filesOf(f, i)
		}
	}
	return nil, nil
}

func (j *Joint) meanings(f resolve.FileID, i int) (all []Foreign) {
	e, ok := j.resolve(f, i, j.r.Ref(f, i))
	if !ok {
		return nil
	}
	for _, to := range e.To {
		n := j.w.partOf(to.File)
		part := &j.w.parts[n]
		def := part.view.World().Def(resolve.SymbolID{File: to.File - part.first, Index: to.Index})
		all = append(all, Foreign{
			usage.Meaning{Def: def, Edge: graph.Kinds[e.Kind], Tier: e.Tier.String(), Confidence: e.Confidence},
			n - 1,
		})
	}
	return all
}

// filesOf are the files of others that an import makes known.
func (j *Joint) filesOf(f resolve.FileID, i int) (files []ForeignFile) {
	ids := slices.Clone(j.r.Import(f, i))
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if n := j.w.partOf(id); n > 0 {
			files = append(files, ForeignFile{n - 1, j.w.parts[n].view.World().Path(id - j.w.parts[n].first)})
		}
	}
	return files
}
