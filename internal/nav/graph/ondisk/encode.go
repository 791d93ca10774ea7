package ondisk

import (
	"bufio"
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/graph"
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

// A jsonArtifact is the artifact of a graph on its way into a file.
type jsonArtifact struct {
	*jsonWriter

	g *graph.Graph
}

// writeJSON writes the artifact of g, without holding it in memory.
func writeJSON(w io.Writer, g *graph.Graph) error {
	j := &jsonArtifact{&jsonWriter{w: bufio.NewWriterSize(w, 1<<18)}, g}
	j.raw(jsonStart)
	j.raw(g.ID().String())
	n := g.Stats()
	j.raw(`","counts":{"references":`).int(n.References)
	j.raw(`,"external":`).int(n.External)
	j.raw(`,"unresolved":`).int(n.Unresolved)
	j.raw("},\n\"files\":[")
	for f := range g.Tree.Len() {
		j.comma(f).text(g.Tree.Path(resolve.FileID(f)))
	}
	ways, symbolKinds := tables(g)
	j.raw("],\n\"kinds\":[")
	for i, kind := range symbolKinds.all {
		j.comma(i).text(kind)
	}
	j.raw("],\n\"symbol_columns\":[\"line\",\"column\",\"lines\",\"kind\",\"parent\",\"id\",\"name\"],\n\"symbols\":[")
	j.symbols(symbolKinds)
	j.raw("],\n\"ways\":[")
	j.ways(ways.all)
	j.raw("],\n\"edge_columns\":[\"down\",\"column\",\"way\",\"from\",\"to\"],\n\"edges\":[")
	j.edges(ways)
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
func tables(g *graph.Graph) (table[way], table[string]) {
	ways, symbolKinds := map[way]int{}, map[string]int{}
	for f := range g.Tree.Len() {
		for e := range g.Edges.Now(resolve.FileID(f)).All(resolve.FileID(f)) {
			ways[wayOf(e)]++
		}
		d := g.Facts.DeclaredNow(resolve.FileID(f))
		for i := range d.Symbols {
			symbolKinds[d.Symbols[i].Kind]++
		}
	}
	for n := range g.Links.Len() {
		l := g.Links.At(uint32(n))
		ways[way{l.Kind, l.Tier, l.Confidence}]++
	}
	return tableOf(ways, func(a, b way) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.tier, b.tier), cmp.Compare(b.confidence, a.confidence))
	}), tableOf(symbolKinds, strings.Compare)
}

func (j *jsonArtifact) symbols(symbolKinds table[string]) {
	for f := range j.g.Tree.Len() {
		j.comma(f).raw("[")
		d := j.g.Facts.DeclaredNow(resolve.FileID(f))
		for i := range d.Symbols {
			s := &d.Symbols[i]
			if i > 0 {
				j.raw(",")
			}
			j.raw("[").int(s.Line).raw(",").int(s.Column).raw(",").int(s.EndLine - s.Line + 1)
			j.raw(",").int(symbolKinds.index[s.Kind]).raw(",").int(s.Parent)
			id := d.LocalID(int32(i))
			j.raw(",").text(id)
			if s.Name != id[strings.LastIndexByte(id, '.')+1:] {
				j.raw(",").text(s.Name)
			}
			j.raw("]")
		}
		j.raw("]")
	}
}

func (j *jsonArtifact) ways(ways []way) {
	for i, w := range ways {
		j.comma(i).raw(`{"type":"`).raw(graph.Kinds[w.kind]).raw(`"`)
		if w.tier != resolve.Unresolved {
			j.raw(`,"tier":"`).raw(w.tier.String()).raw(`"`)
		}
		j.raw(`,"confidence":`).float(w.confidence).raw("}")
	}
}

func (j *jsonArtifact) edges(ways table[way]) {
	for f := range j.g.Tree.Len() {
		j.comma(f).raw("[")
		line := 0
		for i, e := range rowsOf(j.g, resolve.FileID(f)) {
			if i > 0 {
				j.raw(",")
			}
			j.int(int(e.Line) - line).raw(",").int(int(e.Column)).raw(",").int(ways.index[wayOf(e)]).raw(",").int(
				int(e.From)).raw(",")
			j.targets(e.To)
			line = int(e.Line)
		}
		j.raw("]")
	}
}

// rowsOf are all edges of a file with those that are not stored as such, in
// order of position.
func rowsOf(g *graph.Graph, f resolve.FileID) []graph.Edge {
	all := slices.Collect(g.Edges.Now(f).All(f))
	links := g.Links.OfFile(f)
	if len(links) == 0 {
		return all
	}
	d := g.Facts.DeclaredNow(f)
	for _, l := range links {
		s := &d.Symbols[l.From.Index]
		all = append(all, graph.Edge{
			File: f, From: l.From.Index, Line: uint32(s.Line), Column: uint32(s.Column),
			Kind: l.Kind, Tier: l.Tier, Confidence: l.Confidence, To: []resolve.SymbolID{l.To},
		})
	}
	slices.SortStableFunc(all, func(a, b graph.Edge) int {
		return cmp.Or(graph.CompareEdges(a, b), cmp.Compare(a.From, b.From))
	})
	return all
}

func (j *jsonArtifact) targets(all []resolve.SymbolID) {
	if len(all) > 1 {
		j.raw("[")
	}
	for i, to := range all {
		if i > 0 {
			j.raw(",")
		}
		switch to.Index {
		case graph.FileTarget:
			j.text(j.g.Tree.Path(to.File))
		case graph.FolderTarget:
			j.text(j.g.Tree.FolderPath(to.File) + "/")
		default:
			j.int(int(j.g.Tree.Number(to)))
		}
	}
	if len(all) > 1 {
		j.raw("]")
	}
}

// A way is what many edges have in common.
type way struct {
	kind       uint8
	tier       resolve.Tier
	confidence float32
}

func wayOf(e graph.Edge) way { return way{e.Kind, e.Tier, e.Confidence} }
