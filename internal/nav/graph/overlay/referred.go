package overlay

import (
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// MaxCandidates is how many targets of an edge an answer names, and how many the
// edge of an import has at most.
const MaxCandidates = 3

// EdgeOf is the edge of a reference, if it was resolved.
func EdgeOf(f resolve.FileID, ref *facts.Ref, res resolve.Resolution) (graph.Edge, bool) {
	if len(res.Targets) == 0 {
		return graph.Edge{}, false
	}
	kind := ref.Kind
	switch {
	case res.Conversion:
		kind = facts.Type
	case res.Construction:
		kind = facts.Call
	case res.Constant:
		kind = facts.Read
	}
	return graph.Edge{
		File: f, From: int32(ref.In), Line: uint32(ref.Line), Column: uint32(ref.Column),
		Kind: graph.KindOf(kind), Tier: res.Tier, Confidence: res.Confidence, To: res.Targets, Name: ref.Name,
	}, true
}

// EdgesOf finds the edges of a file, in order of position.
func EdgesOf(r graph.Resolver, w *World, f resolve.FileID) ([]graph.Edge, graph.Tally) {
	edges, n := usesOf(r, w, f)
	for i := range w.File(f).Imports {
		if e, ok := importOf(r, w, f, i); ok {
			edges = append(edges, e)
		}
	}
	slices.SortStableFunc(edges, graph.CompareEdges)
	return edges, n
}

// usesOf finds those of its references.
func usesOf(r graph.Resolver, w *World, f resolve.FileID) ([]graph.Edge, graph.Tally) {
	file := w.File(f)
	var edges []graph.Edge
	var n graph.Tally
	for i, res := range r.Refs(f) {
		n[0]++
		if e, ok := EdgeOf(f, &file.Refs[i], res); ok {
			edges = append(edges, e)
		} else if res.External {
			n[1]++
		} else {
			n[2]++
		}
	}
	slices.SortStableFunc(edges, graph.CompareEdges)
	return edges, n
}

// importOf is the edge of an import: to the file that it makes known, to the
// folder that holds all of them, or to two or three candidates.
func importOf(r graph.Resolver, w *World, f resolve.FileID, i int) (graph.Edge, bool) {
	m := &w.File(f).Imports[i]
	files := slices.Clone(r.Import(f, i))
	slices.Sort(files)
	files = slices.Compact(files)
	e := graph.Edge{
		File: f, From: int32(m.In), Line: uint32(m.Line), Column: uint32(m.Column), Kind: graph.KindImports,
		Tier: resolve.TierB, Confidence: 1,
	}
	switch folder, same := w.commonFolder(files); {
	case len(files) == 1:
		e.To = []resolve.SymbolID{{File: files[0], Index: graph.FileTarget}}
	case len(files) > 1 && same:
		e.To = []resolve.SymbolID{{File: folder, Index: graph.FolderTarget}}
	case len(files) > 1 && len(files) <= MaxCandidates:
		e.Tier, e.Confidence = resolve.TierF, 1/float32(len(files))
		for _, id := range files {
			e.To = append(e.To, resolve.SymbolID{File: id, Index: graph.FileTarget})
		}
	default:
		return graph.Edge{}, false
	}
	return e, true
}

// overrideConfidence is that of members of types that are known, which is how
// the methods that another one overrides are found.
const overrideConfidence = 0.995

// declaring are languages whose types say all that they implement.
var declaring = resolve.Set("C C++ C# Elixir Java JavaScript JSX Kotlin PHP Python Ruby Rust Svelte TSX TypeScript Vue")

// linksTypes reports whether there may be links between types of a language: in most of
// them only an index that another program made knows some.
func linksTypes(r graph.Resolver, language string) bool {
	_, told := r.(Teller)
	return told || !declaring[language]
}

// mayOverride reports whether there is another symbol of a name: what a method overrides
// has its name, unless somebody else told.
func mayOverride(r graph.Resolver, w resolve.World, name string) bool {
	_, told := r.(Teller)
	return told || len(w.Defs(name)) > 1
}

// LinksOf finds the links from a symbol.
func LinksOf(r graph.Resolver, w resolve.World, s resolve.SymbolID) []graph.Link {
	file := w.File(s.File)
	symbol := &file.Symbols[s.Index]
	var links []graph.Link
	switch {
	case graph.CanOverride(symbol) && mayOverride(r, w, symbol.Name):
		for _, to := range r.Overrides(s) {
			links = append(links,
				graph.Link{From: s, To: to, Kind: graph.KindImplements, Tier: resolve.TierC, Confidence: overrideConfidence})
		}
	case graph.CanHaveBases(symbol) && linksTypes(r, file.Language):
		for _, b := range r.Bases(s) {
			if b.Declared {
				continue // there is a reference that says so
			}
			for _, to := range b.Targets {
				l := graph.Link{From: s, To: to, Kind: graph.KindOf(b.Kind), Tier: b.Tier, Confidence: b.Confidence}
				links = append(links, l)
			}
		}
	}
	if teller, ok := r.(Teller); ok && len(links) > 0 {
		told := teller.Told(s)
		for i := range links {
			if slices.Contains(told, links[i].To) {
				links[i].Tier, links[i].Confidence = resolve.TierPrecise, 1
			}
		}
	}
	slices.SortFunc(links, func(a, b graph.Link) int { return graph.CompareSymbols(a.To, b.To) })
	return slices.CompactFunc(links, func(a, b graph.Link) bool { return a.To == b.To })
}
