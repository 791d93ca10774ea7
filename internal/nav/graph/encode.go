package graph

import (
	"bufio"
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// The JSON artifact is one object with these fields, in this order:
//
//	schema_version  number
//	graph           identity of the graph, which its sidecar has too
//	counts          references, and how many of them are known to be outside of the repository or are not resolved
//	files           paths, in order
//	symbol_columns  what the places of a row of symbols are
//	symbols         rows; by file and position
//	edge_columns    what the places of a row of edges are
//	ways            type, tier and confidence that edges have together
//	edges           for each of files a list of rows, by position
//
// Rows refer to files, symbols and ways by index. The row of a symbol is
//
//	[file, line, column, end_line, kind, id, name]
//
// whose id is path:id for the whole repository: the qualified name, with ~2 for
// the second one that is called so in its file. The name is left out where it is
// what follows the last dot of the id. The row of an edge is
//
//	[line, column, way, from, to...]
//
// in the file that it is a row of. "from" is a symbol, -1 for the file itself.
// There is one "to", or up to three candidates: each a symbol, or, of imports,
// the path of a file or of a folder (which ends in /). Tiers are those of
// package resolve; an edge "defines" has none and is certain. An edge that no
// place in the text says (a method that implements another, a type that
// satisfies an interface) is at the line of the symbol that it comes from.

// writeJSON writes the artifact of g, without holding it in memory.
func (g *Graph) writeJSON(w io.Writer) error {
	j := &jsonWriter{w: bufio.NewWriterSize(w, 1<<18)}
	j.raw(jsonStart)
	j.raw(g.id.String())
	j.raw(`","counts":{"references":`).number(g.References)
	j.raw(`,"external":`).number(g.External)
	j.raw(`,"unresolved":`).number(g.Unresolved)
	j.raw("},\n\"files\":[")
	for i, s := range g.path {
		j.comma(i).text(g.str(s))
	}
	j.raw("],\n\"symbol_columns\":[\"file\",\"line\",\"column\",\"end_line\",\"kind\",\"id\",\"name\"],\n\"symbols\":[")
	g.writeSymbols(j)
	ways := g.ways()
	j.raw("],\n\"edge_columns\":[\"line\",\"column\",\"way\",\"from\",\"to\"],\n\"ways\":[")
	writeWays(j, ways)
	j.raw("],\n\"edges\":[")
	g.writeEdges(j, ways)
	j.raw("]}\n")
	return j.w.Flush()
}

// jsonVersion is what an artifact of any version begins with, jsonStart one of
// this version; the identity follows.
const (
	jsonVersion = `{"schema_version":`
	jsonStart   = jsonVersion + `2,"graph":"`
)

func (g *Graph) writeSymbols(j *jsonWriter) {
	for f := range g.path {
		for n := g.symStarts[f]; n < g.symStarts[f+1]; n++ {
			j.comma(int(n)).raw("[").number(uint32(f))
			j.raw(",").number(g.sym.line[n]).raw(",").number(g.sym.column[n]).raw(",").number(g.sym.end[n])
			id, name := localID(g.str(g.sym.qualified[n]), int(g.sym.nth[n])), g.str(g.sym.name[n])
			j.raw(",").text(g.str(g.sym.kind[n])).raw(",").text(id)
			if name != id[strings.LastIndexByte(id, '.')+1:] {
				j.raw(",").text(name)
			}
			j.raw("]")
		}
	}
}

// A way is what many edges have in common.
type way struct {
	kind       uint8
	tier       resolve.Tier
	confidence float32
}

func (e *edge) way() way { return way{e.kind, e.tier, e.confidence} }

// ways are those of all edges with their index, in an order that depends on
// nothing else.
func (g *Graph) ways() map[way]int {
	ways := map[way]int{defines: 0}
	for n := range g.edges.line {
		ways[way{uint8(g.edges.kind[n]), resolve.Tier(g.edges.kind[n] >> 8), g.edges.confidence[n]}] = 0
	}
	for n := range g.links.to {
		l := g.link(uint32(n))
		ways[way{l.kind, l.tier, l.confidence}] = 0
	}
	for i, w := range inOrder(ways) {
		ways[w] = i
	}
	return ways
}

// defines is the way of edges from symbols to what is declared in them.
var defines = way{confidence: 1}

func inOrder(ways map[way]int) []way {
	return slices.SortedFunc(maps.Keys(ways), func(a, b way) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.tier, b.tier), cmp.Compare(b.confidence, a.confidence))
	})
}

func writeWays(j *jsonWriter, ways map[way]int) {
	for i, w := range inOrder(ways) {
		j.comma(i).raw(`{"type":"`).raw(kinds[w.kind]).raw(`"`)
		if w.tier != resolve.Unresolved {
			j.raw(`,"tier":"`).raw(w.tier.String()).raw(`"`)
		}
		j.raw(`,"confidence":`).float(w.confidence).raw("}")
	}
}

func (g *Graph) writeEdges(j *jsonWriter, ways map[way]int) {
	for f := range g.path {
		j.comma(f).raw("[")
		for i, e := range g.rowsOf(resolve.FileID(f)) {
			if i > 0 {
				j.raw(",\n")
			}
			g.writeEdge(j, e, ways)
		}
		j.raw("]")
	}
}

// rowsOf are all edges of a file with those that are not stored as such, in
// order of position.
func (g *Graph) rowsOf(f resolve.FileID) []edge {
	all := g.fileEdges(f)
	for n := g.symStarts[f]; n < g.symStarts[f+1]; n++ {
		self := resolve.SymbolID{File: f, Index: int32(n - g.symStarts[f])}
		at := edge{file: f, line: g.sym.line[n], column: g.sym.column[n]}
		defines := at
		defines.from, defines.confidence, defines.to = g.sym.parent[n], 1, []resolve.SymbolID{self}
		all = append(all, defines)
		for _, l := range g.linksFrom(n) {
			linked := at
			linked.from, linked.kind, linked.tier, linked.confidence, linked.to = self.Index, l.kind, l.tier, l.confidence, []resolve.SymbolID{l.to}
			all = append(all, linked)
		}
	}
	slices.SortStableFunc(all, func(a, b edge) int { return cmp.Or(compareEdges(a, b), cmp.Compare(a.from, b.from)) })
	return all
}

func (g *Graph) writeEdge(j *jsonWriter, e edge, ways map[way]int) {
	j.raw("[").number(e.line).raw(",").number(e.column).raw(",").number(uint32(ways[e.way()]))
	if e.from < 0 {
		j.raw(",-1")
	} else {
		j.raw(",").number(g.symStarts[e.file] + uint32(e.from))
	}
	for _, to := range e.to {
		j.raw(",")
		switch to.Index {
		case fileTarget:
			j.text(g.str(g.path[to.File]))
		case folderTarget:
			j.text(g.str(g.dir[to.File]) + "/")
		default:
			j.number(g.number(to))
		}
	}
	j.raw("]")
}

// idOf is the id of a symbol in the repository.
func idOf(path, qualified string, nth int) string { return path + ":" + localID(qualified, nth) }

// localID is the id of a symbol in its file.
func localID(qualified string, nth int) string {
	if nth > 1 {
		return qualified + "~" + strconv.Itoa(nth)
	}
	return qualified
}
