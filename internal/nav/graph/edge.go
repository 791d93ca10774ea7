package graph

import (
	"cmp"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Resolver finds what references stand for; resolve.Resolver is one.
type Resolver interface {
	Ref(f resolve.FileID, i int) resolve.Resolution
	Refs(f resolve.FileID) []resolve.Resolution
	Import(f resolve.FileID, i int) []resolve.FileID
	Bases(s resolve.SymbolID) []resolve.Base
	Overrides(s resolve.SymbolID) []resolve.SymbolID
	Inherited(typ resolve.SymbolID, name string) (members []resolve.SymbolID, outside bool)
}

// kinds are the types of edges, by the number that is stored.
var kinds = []string{"defines", "imports", "calls", "uses_type", "extends", "implements", "reads", "writes"}

// kindOf is the number of a kind of references.
func kindOf(k facts.Kind) uint8 {
	if k == facts.Embeds {
		k = facts.Extends
	}
	if i := slices.Index(kinds, string(k)); i > 0 {
		return uint8(i)
	}
	return uint8(slices.Index(kinds, string(facts.Read)))
}

const (
	kindImports    = 1
	kindImplements = 5
)

// An edge is a place that uses something. An import has files or folders for
// targets, the rest symbols: one, or up to three candidates, or overloads and
// variants of one name.
type edge struct {
	file         resolve.FileID
	from         int32 // index of the symbol around it, or -1
	line, column uint32
	kind         uint8
	tier         resolve.Tier
	confidence   float32
	to           []resolve.SymbolID
	name         string // what the place calls it; not known of edges that were stored
}

// compareEdges orders by file and position.
func compareEdges(a, b edge) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column),
		cmp.Compare(a.kind, b.kind))
}

// A link is what no place in the text says: a method that implements or
// overrides another, a type that satisfies an interface.
type link struct {
	from, to   resolve.SymbolID
	kind       uint8
	tier       resolve.Tier
	confidence float32
}

// tally counts references of a file: all, those known to be outside of the
// repository, and those that are neither that nor resolved.
type tally [3]uint32

// edgeOf is the edge of a reference, if it was resolved.
func edgeOf(f resolve.FileID, ref *facts.Ref, res resolve.Resolution) (edge, bool) {
	if len(res.Targets) == 0 {
		return edge{}, false
	}
	kind := ref.Kind
	switch {
	case res.Conversion:
		kind = facts.Type
	case res.Construction:
		kind = facts.Call
	}
	return edge{
		file: f, from: int32(ref.In), line: uint32(ref.Line), column: uint32(ref.Column),
		kind: kindOf(kind), tier: res.Tier, confidence: res.Confidence, to: res.Targets, name: ref.Name,
	}, true
}

// edgesOf finds the edges of a file, in order of position.
func edgesOf(r Resolver, w *World, f resolve.FileID) ([]edge, tally) {
	edges, n := usesOf(r, w, f)
	for i := range w.File(f).Imports {
		if e, ok := importOf(r, w, f, i); ok {
			edges = append(edges, e)
		}
	}
	slices.SortStableFunc(edges, compareEdges)
	return edges, n
}

// usesOf finds those of its references.
func usesOf(r Resolver, w *World, f resolve.FileID) ([]edge, tally) {
	file := w.File(f)
	var edges []edge
	var n tally
	for i, res := range r.Refs(f) {
		n[0]++
		if e, ok := edgeOf(f, &file.Refs[i], res); ok {
			edges = append(edges, e)
		} else if res.External {
			n[1]++
		} else {
			n[2]++
		}
	}
	slices.SortStableFunc(edges, compareEdges)
	return edges, n
}

// maxCandidates is how many targets of an edge an answer names, and how many the
// edge of an import has at most.
const maxCandidates = 3

// importOf is the edge of an import: to the file that it makes known, to the
// folder that holds all of them, or to two or three candidates.
func importOf(r Resolver, w *World, f resolve.FileID, i int) (edge, bool) {
	m := &w.File(f).Imports[i]
	files := slices.Clone(r.Import(f, i))
	slices.Sort(files)
	files = slices.Compact(files)
	e := edge{
		file: f, from: int32(m.In), line: uint32(m.Line), column: uint32(m.Column), kind: kindImports,
		tier: resolve.TierB, confidence: 1,
	}
	switch folder, same := w.commonFolder(files); {
	case len(files) == 1:
		e.to = []resolve.SymbolID{{File: files[0], Index: fileTarget}}
	case len(files) > 1 && same:
		e.to = []resolve.SymbolID{{File: folder, Index: folderTarget}}
	case len(files) > 1 && len(files) <= maxCandidates:
		e.tier, e.confidence = resolve.TierF, 1/float32(len(files))
		for _, id := range files {
			e.to = append(e.to, resolve.SymbolID{File: id, Index: fileTarget})
		}
	default:
		return edge{}, false
	}
	return e, true
}

// overrideConfidence is that of members of types that are known, which is how
// the methods that another one overrides are found.
const overrideConfidence = 0.995

// linksOf finds the links from a symbol.
func linksOf(r Resolver, w resolve.World, s resolve.SymbolID) []link {
	symbol := &w.File(s.File).Symbols[s.Index]
	var links []link
	switch {
	case canOverride(symbol):
		for _, to := range r.Overrides(s) {
			links = append(links,
				link{from: s, to: to, kind: kindImplements, tier: resolve.TierC, confidence: overrideConfidence})
		}
	case canHaveBases(symbol):
		for _, b := range r.Bases(s) {
			if b.Declared {
				continue // there is a reference that says so
			}
			for _, to := range b.Targets {
				links = append(links, link{from: s, to: to, kind: kindOf(b.Kind), tier: b.Tier, confidence: b.Confidence})
			}
		}
	}
	slices.SortFunc(links, func(a, b link) int { return compareSymbols(a.to, b.to) })
	return slices.CompactFunc(links, func(a, b link) bool { return a.to == b.to })
}

// Kinds of symbols as resolve groups them; a symbol of a kind that is in
// neither group has no links.
func canOverride(s *facts.Symbol) bool {
	return isCode(s.Kind) && (s.Parent >= 0 || s.Owner != facts.Nothing)
}

func canHaveBases(s *facts.Symbol) bool { return isType(s.Kind) }

func isCode(kind string) bool {
	switch kind {
	case "func", "function", "method", "constructor", "macro":
		return true
	}
	return false
}

func isType(kind string) bool {
	switch kind {
	case "class", "struct", "interface", "enum", "trait", "type", "union", "record", "annotation", "typedef", "protocol",
		"object", "concept", "impl":
		return true
	}
	return false
}

func compareSymbols(a, b resolve.SymbolID) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Index, b.Index))
}
