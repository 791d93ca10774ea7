package graph

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// The JSON artifact is one object with these fields, in this order:
//
//	schema_version  number
//	graph           identity of the graph, which its sidecar has too
//	counts          references, and how many of them are known to be outside of the repository or are not resolved
//	files           paths, in order
//	symbols         id, name, kind, file, line, end_line, column; by file and position
//	edges           type, from, to, file, line, column, tier, confidence; by file and position
//
// The id of a symbol is path:qualified-name, with ~2 for the second one that is
// called so in a file. "from" is a symbol or a file, "to" a symbol, a file, a
// folder (it ends in /), or a list of up to three candidates. Tiers are those
// of package resolve; an edge "defines" has none and is certain. An edge that
// no place in the text says (a method that implements another, a type that
// satisfies an interface) is at the line of the symbol that it comes from.

// A jsonWriter writes pieces of JSON.
type jsonWriter struct {
	w   *bufio.Writer
	buf []byte
}

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
	j.raw("],\n\"symbols\":[")
	g.writeSymbols(j)
	j.raw("],\n\"edges\":[")
	g.writeEdges(j)
	j.raw("]}\n")
	return j.w.Flush()
}

// jsonStart is what an artifact begins with; the identity follows.
const jsonStart = `{"schema_version":1,"graph":"`

func (g *Graph) writeSymbols(j *jsonWriter) {
	for n := range g.sym.name {
		j.comma(n).raw(`{"id":`).text(g.symbolID(uint32(n)))
		j.raw(`,"name":`).text(g.str(g.sym.name[n]))
		j.raw(`,"kind":`).text(g.str(g.sym.kind[n]))
		j.raw(`,"file":`).text(g.str(g.path[g.fileOf(uint32(n))]))
		j.raw(`,"line":`).number(g.sym.line[n])
		j.raw(`,"end_line":`).number(g.sym.end[n])
		j.raw(`,"column":`).number(g.sym.column[n])
		j.raw("}")
	}
}

func (g *Graph) writeEdges(j *jsonWriter) {
	n := 0
	for f := range g.path {
		for _, e := range g.rowsOf(resolve.FileID(f)) {
			j.comma(n)
			g.writeEdge(j, e)
			n++
		}
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

func (g *Graph) writeEdge(j *jsonWriter, e edge) {
	path := g.str(g.path[e.file])
	j.raw(`{"type":"`).raw(kinds[e.kind]).raw(`","from":`)
	if e.from < 0 {
		j.text(path)
	} else {
		j.text(g.symbolID(g.number(resolve.SymbolID{File: e.file, Index: e.from})))
	}
	j.raw(`,"to":`)
	if len(e.to) != 1 {
		j.raw("[")
	}
	for i, to := range e.to {
		j.separator(i).text(g.target(to))
	}
	if len(e.to) != 1 {
		j.raw("]")
	}
	j.raw(`,"file":`).text(path).raw(`,"line":`).number(e.line).raw(`,"column":`).number(e.column)
	if e.tier != resolve.Unresolved {
		j.raw(`,"tier":"`).raw(string(rune(e.tier))).raw(`"`)
	}
	j.raw(`,"confidence":`).float(e.confidence).raw("}")
}

// target is the name of what an edge leads to.
func (g *Graph) target(to resolve.SymbolID) string {
	switch to.Index {
	case fileTarget:
		return g.str(g.path[to.File])
	case folderTarget:
		return g.str(g.dir[to.File]) + "/"
	}
	return g.symbolID(g.number(to))
}

// symbolID is the id of a symbol by number.
func (g *Graph) symbolID(n uint32) string {
	return idOf(g.str(g.path[g.fileOf(n)]), g.str(g.sym.qualified[n]), int(g.sym.nth[n]))
}

func idOf(path, qualified string, nth int) string {
	id := path + ":" + qualified
	if nth > 1 {
		id += "~" + strconv.Itoa(nth)
	}
	return id
}

// fileOf is the file of a symbol by number.
func (g *Graph) fileOf(n uint32) resolve.FileID {
	return resolve.FileID(owner(g.symStarts, n))
}

func (j *jsonWriter) raw(s string) *jsonWriter {
	j.w.WriteString(s) //nolint:errcheck // Flush returns it
	return j
}

// comma begins the i-th element of a list on a line of its own.
func (j *jsonWriter) comma(i int) *jsonWriter {
	if i > 0 {
		j.raw(",")
	}
	return j.raw("\n")
}

func (j *jsonWriter) separator(i int) *jsonWriter {
	if i > 0 {
		j.raw(",")
	}
	return j
}

func (j *jsonWriter) number(n uint32) *jsonWriter {
	j.buf = strconv.AppendUint(j.buf[:0], uint64(n), 10)
	j.w.Write(j.buf) //nolint:errcheck // Flush returns it
	return j
}

func (j *jsonWriter) float(f float32) *jsonWriter {
	j.buf = strconv.AppendFloat(j.buf[:0], float64(f), 'g', -1, 32)
	j.w.Write(j.buf) //nolint:errcheck // Flush returns it
	return j
}

// text writes a string in quotes.
func (j *jsonWriter) text(s string) *jsonWriter {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			b, _ := json.Marshal(s) //nolint:errchkjson // a string can be written
			j.w.Write(b)            //nolint:errcheck // Flush returns it
			return j
		}
	}
	return j.raw(`"`).raw(s).raw(`"`)
}
