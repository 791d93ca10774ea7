package graph

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// What a graph has stored, in its own numbers.

// edge is the i-th edge of a file.
func (e *fileEdges) edge(f resolve.FileID, i int) edge {
	p := &e.list[i]
	return edge{
		file: f, from: p.from, line: p.line, column: p.column, kind: p.kind, tier: p.tier, confidence: p.confidence,
		to: e.targets[p.first : p.first+uint32(p.targets) : p.first+uint32(p.targets)],
	}
}

// from is the first edge at a place or behind it.
func (e *fileEdges) from(line, column int) int {
	return sort.Search(len(e.list), func(i int) bool {
		return cmp.Or(cmp.Compare(int(e.list[i].line), line), cmp.Compare(int(e.list[i].column), column)) >= 0
	})
}

// uses are the edges that a symbol is a target of, in order.
func (g *Graph) uses(s resolve.SymbolID) []edge {
	numbers := g.useNumbers(s)
	all := make([]edge, 0, len(numbers))
	f := resolve.FileID(0)
	for _, n := range numbers {
		if g.edgeStarts[f+1] <= n {
			f = resolve.FileID(owner(g.edgeStarts, n))
		}
		e, i := g.edges(f), int(n-g.edgeStarts[f])
		if i < len(e.list) {
			all = append(all, e.edge(f, i))
		}
	}
	return all
}

// The row of the edges that lead to the symbols of a file is varints: for each
// symbol how many there are and how many bytes their numbers take, then the
// numbers, each as the difference to the one before.

// useRow encodes what the symbols of a file are targets of.
func useRow(starts, edges []uint32) []byte {
	var row, numbers []byte
	for i := range starts[1:] {
		before, from := uint32(0), len(numbers)
		all := edges[starts[i]:starts[i+1]]
		for _, n := range all {
			numbers = binary.AppendUvarint(numbers, uint64(n-before))
			before = n
		}
		if row = binary.AppendUvarint(row, uint64(len(all))); len(all) > 0 {
			row = binary.AppendUvarint(row, uint64(len(numbers)-from))
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	return append(row, numbers...)
}

// useNumbers are the numbers of the edges that lead to a symbol, in order.
func (g *Graph) useNumbers(s resolve.SymbolID) []uint32 {
	r := rowReader{b: g.row(&g.useRows, int(s.File))}
	if len(r.b) == 0 {
		return nil
	}
	count, before, behind := 0, 0, 0
	for i := range int32(g.symStarts[s.File+1] - g.symStarts[s.File]) {
		n, size := r.number(), 0
		if n > 0 {
			size = r.number()
		}
		switch {
		case i < s.Index:
			before += size
		case i == s.Index:
			count = n
		default:
			behind += size
		}
	}
	r.check(count <= len(r.b) && before+behind <= len(r.b))
	all := make([]uint32, 0, count)
	if !r.bad {
		r.b = r.b[before : len(r.b)-behind]
	}
	last := 0
	for range count {
		last += r.number()
		r.check(last < int(g.edgeStarts[len(g.path)]))
		all = append(all, uint32(last))
	}
	if r.check(len(r.b) == 0); r.bad {
		g.damage()
		return nil
	}
	return all
}

// useCounts tells how many edges lead to each symbol of a file.
func (g *Graph) useCounts(f resolve.FileID) []uint32 {
	counts := make([]uint32, g.symStarts[f+1]-g.symStarts[f])
	r := rowReader{b: g.row(&g.useRows, int(f))}
	if len(r.b) == 0 {
		return counts
	}
	for i := range counts {
		if counts[i] = uint32(r.number()); counts[i] > 0 {
			r.number()
		}
	}
	return counts
}

// owner is the last i with starts[i] <= n, which has rows.
func owner(starts []uint32, n uint32) int {
	lo, hi := 0, len(starts)-1
	for hi-lo > 1 {
		if mid := int(uint(lo+hi) >> 1); starts[mid] <= n {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func (g *Graph) link(n uint32) link {
	l := &g.links
	return link{
		from: l.from[n], to: l.to[n], kind: uint8(l.kind[n]), tier: resolve.Tier(l.kind[n] >> 8),
		confidence: l.confidence[n],
	}
}

// linksFrom are the links from a symbol, in order of what they lead to.
func (g *Graph) linksFrom(s resolve.SymbolID) []link {
	var all []link
	n, _ := slices.BinarySearchFunc(g.links.from, s, compareSymbols)
	for ; n < len(g.links.from) && g.links.from[n] == s; n++ {
		all = append(all, g.link(uint32(n)))
	}
	return all
}

// linksTo are the links to a symbol, in order of where they come from.
func (g *Graph) linksTo(s resolve.SymbolID) []link {
	var all []link
	back := g.links.back
	n := sort.Search(len(back), func(i int) bool { return compareSymbols(g.links.to[back[i]], s) >= 0 })
	for ; n < len(back) && g.links.to[back[n]] == s; n++ {
		all = append(all, g.link(back[n]))
	}
	return all
}

// The row of a file's edges is varints: the ways that they have, as kind, tier
// and bits of the confidence; what they lead to, each once; then per edge its way
// (twice, and one more where it has several targets), how many lines it is below
// the one before, its column (in the same line how far it is behind), how far its
// symbol is from the one before, and its targets by their places in the list. A
// symbol is the distance of its number from that of the file's first one, zigzag
// and 2 more; 0 is before the number of a file, 1 before that of a folder.

// An edgeWriter encodes the edges of a file.
type edgeWriter struct {
	g       *Graph
	first   uint32 // number of the file's first symbol
	ways    []way
	targets []byte
	index   map[resolve.SymbolID]uint32 // of the targets
	edges   []byte
}

// edgeRow encodes edges that are in order of position.
func (g *Graph) edgeRow(f resolve.FileID, edges []edge) []byte {
	if len(edges) == 0 {
		return nil
	}
	w := edgeWriter{
		g: g, first: g.symStarts[f], index: map[resolve.SymbolID]uint32{},
		edges: make([]byte, 0, 8*len(edges)),
	}
	before := edge{}
	for i := range edges {
		w.edge(&edges[i], &before)
		before = edges[i]
	}
	row := binary.AppendUvarint(nil, uint64(len(w.ways)))
	for _, x := range w.ways {
		row = append(row, x.kind, byte(x.tier))
		row = binary.AppendUvarint(row, uint64(math.Float32bits(x.confidence)))
	}
	row = binary.AppendUvarint(row, uint64(len(w.index)))
	row = append(row, w.targets...)
	row = binary.AppendUvarint(row, uint64(len(edges)))
	return append(row, w.edges...)
}

func (w *edgeWriter) edge(e, before *edge) {
	several := len(e.to) > 1
	w.number(2*w.way(e.way()) + bits(several))
	w.number(int(e.line - before.line))
	if e.line == before.line {
		w.number(int(e.column - before.column))
	} else {
		w.number(int(e.column))
	}
	w.edges = binary.AppendVarint(w.edges, int64(e.from-before.from))
	if several {
		w.number(len(e.to))
	}
	for _, to := range e.to {
		w.number(w.target(to))
	}
}

func (w *edgeWriter) number(n int) { w.edges = binary.AppendUvarint(w.edges, uint64(n)) }

// way is the index of one.
func (w *edgeWriter) way(x way) int {
	for i := range w.ways {
		if w.ways[i] == x {
			return i
		}
	}
	w.ways = append(w.ways, x)
	return len(w.ways) - 1
}

// target is the index of one.
func (w *edgeWriter) target(to resolve.SymbolID) int {
	i, known := w.index[to]
	if known {
		return int(i)
	}
	i = uint32(len(w.index))
	w.index[to] = i
	switch to.Index {
	case fileTarget:
		w.targets = append(w.targets, 0)
		w.targets = binary.AppendUvarint(w.targets, uint64(to.File))
	case folderTarget:
		w.targets = append(w.targets, 1)
		w.targets = binary.AppendUvarint(w.targets, uint64(to.File))
	default:
		by := int64(w.g.number(to)) - int64(w.first)
		w.targets = binary.AppendUvarint(w.targets, uint64(by<<1^by>>63)+2)
	}
	return int(i)
}

// fileEdges are the edges of a file, in order of position.
type fileEdges struct {
	list    []packed
	targets []resolve.SymbolID // of all edges, one after the other
}

// A packed edge is one but for its file.
type packed struct {
	from         int32
	line, column uint32
	confidence   float32
	first        uint32 // of its targets
	kind         uint8
	tier         resolve.Tier
	targets      uint8
}

// edges returns those of a file, decoded at first use.
func (g *Graph) edges(f resolve.FileID) *fileEdges {
	if e := g.found[f].Load(); e != nil {
		return e
	}
	g.found[f].CompareAndSwap(nil, g.edgesNow(f))
	return g.found[f].Load()
}

// edgesNow is what edges returns, not kept in memory.
func (g *Graph) edgesNow(f resolve.FileID) *fileEdges {
	e, ok := g.decodeEdges(f, g.row(&g.edgeRows, int(f)))
	if !ok {
		g.damage()
	}
	return e
}

// decodeEdges decodes a row. It has as many edges as the columns say, or none.
func (g *Graph) decodeEdges(f resolve.FileID, row []byte) (*fileEdges, bool) {
	n := g.edgeStarts[f+1] - g.edgeStarts[f]
	if n == 0 {
		return &fileEdges{}, len(row) == 0
	}
	r := edgeReader{g: g, file: f, rowReader: rowReader{b: row}}
	r.readWays()
	r.readTargets()
	e := &fileEdges{list: list[packed](&r.rowReader)}
	e.targets = make([]resolve.SymbolID, 0, len(e.list))
	r.check(len(e.list) == int(n))
	before := packed{}
	for i := range e.list {
		e.targets = r.edge(&e.list[i], &before, e.targets)
		before = e.list[i]
	}
	if r.check(len(r.b) == 0); r.bad {
		return &fileEdges{}, false
	}
	return e, true
}

// An edgeReader decodes them.
type edgeReader struct {
	rowReader

	g       *Graph
	file    resolve.FileID
	ways    []way
	targets []resolve.SymbolID
}

func (r *edgeReader) readWays() {
	r.ways = list[way](&r.rowReader)
	for i := range r.ways {
		r.ways[i] = way{kind: r.byte(), tier: resolve.Tier(r.byte()), confidence: math.Float32frombits(uint32(r.number()))}
		r.check(int(r.ways[i].kind) < len(kinds))
	}
}

// readTargets reads what edges lead to: symbols, files and folders of the graph.
func (r *edgeReader) readTargets() {
	r.targets = list[resolve.SymbolID](&r.rowReader)
	first, symbols := int(r.g.symStarts[r.file]), int(r.g.symStarts[len(r.g.path)])
	for i := range r.targets {
		switch n := r.number(); n {
		case 0:
			n = r.number()
			r.check(n < len(r.g.path))
			r.targets[i] = resolve.SymbolID{File: resolve.FileID(n), Index: fileTarget}
		case 1:
			n = r.number()
			r.check(n < len(r.g.dir))
			r.targets[i] = resolve.SymbolID{File: resolve.FileID(n), Index: folderTarget}
		default:
			n -= 2
			n = first + (n>>1 ^ -(n & 1))
			if r.check(n >= 0 && n < symbols); !r.bad {
				r.targets[i] = r.g.symbol(uint32(n))
			}
		}
	}
}

func (r *edgeReader) edge(e, before *packed, targets []resolve.SymbolID) []resolve.SymbolID {
	n := r.number()
	if r.check(n>>1 < len(r.ways)); r.bad {
		return targets
	}
	w := r.ways[n>>1]
	e.kind, e.tier, e.confidence = w.kind, w.tier, w.confidence
	e.line, e.column = before.line+uint32(r.number()), uint32(r.number())
	if e.line == before.line {
		e.column += before.column
	}
	e.from = before.from + int32(r.signed())
	r.check(e.from >= -1 && e.from < int32(r.g.symStarts[r.file+1]-r.g.symStarts[r.file]))
	e.first, e.targets = uint32(len(targets)), 1
	if n&1 != 0 {
		several := r.number()
		r.check(several > 0 && several <= math.MaxUint8)
		e.targets = uint8(several)
	}
	for range e.targets {
		i := r.number()
		if r.check(i < len(r.targets)); r.bad {
			return targets
		}
		// Only imports lead to files and folders.
		r.check(r.targets[i].Index >= 0 || e.kind == kindImports)
		targets = append(targets, r.targets[i])
	}
	return targets
}

// A way is what many edges have in common.
type way struct {
	kind       uint8
	tier       resolve.Tier
	confidence float32
}

func (e *edge) way() way { return way{e.kind, e.tier, e.confidence} }

// CountUses counts the uses of a symbol of a name that is declared between two
// lines of a file, and those of them in files that last says of. ok is false when
// there is no such symbol.
func (g *Graph) CountUses(file, name string, from, to int, last func(file string) bool) (uses, lasts int, ok bool) {
	f, known := g.file(file)
	n, named := g.name(name)
	if !known || !named {
		return 0, 0, false
	}
	for _, s := range rows(g.defStarts, g.defs, int(n)) {
		if s.File != f {
			continue
		}
		if line := g.declared(f).Symbols[s.Index].Line; line < from || line > to {
			continue
		}
		numbers, at, is := g.useNumbers(s), resolve.FileID(-1), false
		for _, n := range numbers {
			if at < 0 || g.edgeStarts[at+1] <= n {
				at = resolve.FileID(owner(g.edgeStarts, n))
				is = last(g.str(g.path[at]))
			}
			lasts += order(is)
		}
		return len(numbers), lasts, true
	}
	return 0, 0, false
}
