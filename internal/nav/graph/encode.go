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
//	kinds           of symbols
//	symbol_columns  what the places of a row of symbols are
//	symbols         for each of files a list of rows, by position
//	ways            type, tier and confidence that edges have together
//	edge_columns    what five values of edges are that follow each other
//	edges           for each of files a list of values, five for an edge, by position
//
// Files, kinds, symbols and ways are referred to by index. Symbols are counted
// through all files where an edge leads to one, and in their file else. The row of
// a symbol is
//
//	[line, column, lines, kind, parent, id, name]
//
// which has so many lines from that of its name, and whose id is path:id for the whole repository: the qualified name,
// with ~2 for the second one that is called so in its file. The parent is the symbol that it is
// declared in, -1 for the file itself. The name is left out where it is what
// follows the last dot of the id. The values of an edge are
//
//	down, column, way, from, to
//
// in the file that it is in the list of: how many lines below the edge before it is
// (of the first one its line), its column, what it is, the symbol around it or -1, and
// what it leads to: a symbol, of imports the path of a file or of a folder (which ends in /),
// or a list of up to three candidates. Tiers are those of package resolve. An edge
// that no place in the text says (a method that implements another, a type that
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
	ways, symbolKinds := g.tables()
	j.raw("],\n\"kinds\":[")
	for i, kind := range symbolKinds.all {
		j.comma(i).text(kind)
	}
	j.raw("],\n\"symbol_columns\":[\"line\",\"column\",\"lines\",\"kind\",\"parent\",\"id\",\"name\"],\n\"symbols\":[")
	g.writeSymbols(j, symbolKinds)
	j.raw("],\n\"ways\":[")
	writeWays(j, ways.all)
	j.raw("],\n\"edge_columns\":[\"down\",\"column\",\"way\",\"from\",\"to\"],\n\"edges\":[")
	g.writeEdges(j, ways)
	j.raw("]}\n")
	return j.w.Flush()
}

// jsonVersion is what an artifact of any version begins with, jsonStart one of
// this version; the identity follows.
const (
	jsonVersion = `{"schema_version":`
	jsonStart   = jsonVersion + `3,"graph":"`
)

// A table numbers values, those first that are there most often.
type table[T comparable] struct {
	all   []T
	index map[T]int
}

func tableOf[T comparable](counts map[T]int, compare func(a, b T) int) table[T] {
	t := table[T]{index: map[T]int{}}
	t.all = slices.SortedFunc(maps.Keys(counts), func(a, b T) int { return cmp.Or(counts[b]-counts[a], compare(a, b)) })
	for i, x := range t.all {
		t.index[x] = i
	}
	return t
}

// tables are the ways of all edges and links and the kinds of all symbols.
func (g *Graph) tables() (table[way], table[string]) {
	ways, symbolKinds := map[way]int{}, map[string]int{}
	for f := range g.path {
		for _, e := range g.edgesNow(resolve.FileID(f)).list {
			ways[way{e.kind, e.tier, e.confidence}]++
		}
		d := g.declaredNow(resolve.FileID(f))
		for i := range d.Symbols {
			symbolKinds[d.Symbols[i].Kind]++
		}
	}
	for n := range g.links.to {
		l := g.link(uint32(n))
		ways[way{l.kind, l.tier, l.confidence}]++
	}
	return tableOf(ways, func(a, b way) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.tier, b.tier), cmp.Compare(b.confidence, a.confidence))
	}), tableOf(symbolKinds, strings.Compare)
}

func (g *Graph) writeSymbols(j *jsonWriter, symbolKinds table[string]) {
	for f := range g.path {
		j.comma(f).raw("[")
		d := g.declaredNow(resolve.FileID(f))
		for i := range d.Symbols {
			s := &d.Symbols[i]
			if i > 0 {
				j.raw(",")
			}
			j.raw("[").int(s.Line).raw(",").int(s.Column).raw(",").int(s.EndLine - s.Line + 1)
			j.raw(",").int(symbolKinds.index[s.Kind]).raw(",").int(s.Parent)
			id := localID(s.Qualified, d.nth[int32(i)])
			j.raw(",").text(id)
			if s.Name != id[strings.LastIndexByte(id, '.')+1:] {
				j.raw(",").text(s.Name)
			}
			j.raw("]")
		}
		j.raw("]")
	}
}

func writeWays(j *jsonWriter, ways []way) {
	for i, w := range ways {
		j.comma(i).raw(`{"type":"`).raw(kinds[w.kind]).raw(`"`)
		if w.tier != resolve.Unresolved {
			j.raw(`,"tier":"`).raw(w.tier.String()).raw(`"`)
		}
		j.raw(`,"confidence":`).float(w.confidence).raw("}")
	}
}

func (g *Graph) writeEdges(j *jsonWriter, ways table[way]) {
	for f := range g.path {
		j.comma(f).raw("[")
		line := 0
		for i, e := range g.rowsOf(resolve.FileID(f)) {
			if i > 0 {
				j.raw(",")
			}
			j.int(int(e.line) - line).raw(",").int(int(e.column)).raw(",").int(ways.index[e.way()]).raw(",").int(
				int(e.from)).raw(",")
			g.writeTargets(j, e.to)
			line = int(e.line)
		}
		j.raw("]")
	}
}

// rowsOf are all edges of a file with those that are not stored as such, in
// order of position.
func (g *Graph) rowsOf(f resolve.FileID) []edge {
	stored := g.edgesNow(f)
	all := make([]edge, len(stored.list))
	for i := range all {
		all[i] = stored.edge(f, i)
	}
	n, _ := slices.BinarySearchFunc(g.links.from, resolve.SymbolID{File: f}, compareSymbols)
	if n == len(g.links.from) || g.links.from[n].File != f {
		return all
	}
	d := g.declaredNow(f)
	for ; n < len(g.links.from) && g.links.from[n].File == f; n++ {
		l := g.link(uint32(n))
		s := &d.Symbols[l.from.Index]
		all = append(all, edge{
			file: f, from: l.from.Index, line: uint32(s.Line), column: uint32(s.Column),
			kind: l.kind, tier: l.tier, confidence: l.confidence, to: []resolve.SymbolID{l.to},
		})
	}
	slices.SortStableFunc(all, func(a, b edge) int { return cmp.Or(compareEdges(a, b), cmp.Compare(a.from, b.from)) })
	return all
}

func (g *Graph) writeTargets(j *jsonWriter, all []resolve.SymbolID) {
	if len(all) > 1 {
		j.raw("[")
	}
	for i, to := range all {
		if i > 0 {
			j.raw(",")
		}
		switch to.Index {
		case fileTarget:
			j.text(g.str(g.path[to.File]))
		case folderTarget:
			j.text(g.str(g.dir[to.File]) + "/")
		default:
			j.number(g.number(to))
		}
	}
	if len(all) > 1 {
		j.raw("]")
	}
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
