package graph

import (
	"cmp"
	"encoding/binary"
	"iter"
	"math"
	"sort"
	"sync/atomic"
	"unsafe"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Edges are the edges of a graph, decoded when they are asked for and then kept.
type Edges struct {
	tree *Tree
	file *rowFile

	starts        []uint32 // by file, in the numbers of edges
	tally         []uint32 // by file: references, external, unresolved
	rows, useRows rowPart
	found         []atomic.Pointer[FileEdges]
	tables        []atomic.Pointer[useTable] // of the rows of uses
	asked, wanted marks                      // files of whose edges and uses some were asked for since the last age
	kept          atomic.Int64               // bytes of those found, and of tables
}

// keepRows makes room for what is decoded of so many files.
func (x *Edges) keepRows(files int) {
	x.found, x.asked = make([]atomic.Pointer[FileEdges], files), make(marks, files)
	x.tables, x.wanted = make([]atomic.Pointer[useTable], files), make(marks, files)
}

// total is how many there are.
func (x *Edges) total() int { return int(x.starts[x.tree.Len()]) }

// At is the i-th edge of a file.
func (e *FileEdges) At(f resolve.FileID, i int) Edge {
	p := &e.list[i]
	return Edge{
		File: f, From: p.from, Line: p.line, Column: p.column, Kind: p.kind, Tier: p.tier, Confidence: p.confidence,
		To: e.targets[p.first : p.first+uint32(p.targets) : p.first+uint32(p.targets)],
	}
}

// From is the index of the first edge at a place or behind it.
func (e *FileEdges) From(line, column int) int {
	return sort.Search(len(e.list), func(i int) bool {
		return cmp.Or(cmp.Compare(int(e.list[i].line), line), cmp.Compare(int(e.list[i].column), column)) >= 0
	})
}

// To are the edges that a symbol is a target of, in order.
func (x *Edges) To(s resolve.SymbolID) []Edge {
	uses := x.Uses(s)
	all := make([]Edge, 0, uses.Len())
	for i := range uses.Len() {
		if e := uses.At(i); len(e.To) > 0 {
			all = append(all, e)
		}
	}
	return all
}

// Uses are the edges that a symbol is a target of, in order. They are decoded when they
// are asked for.
type Uses struct {
	x       *Edges
	numbers []uint32
	files   []resolve.FileID
}

// Uses are those of a symbol.
func (x *Edges) Uses(s resolve.SymbolID) Uses {
	numbers := x.useNumbers(s)
	files, f := make([]resolve.FileID, len(numbers)), resolve.FileID(0)
	for i, n := range numbers {
		f = x.fileOf(n, f)
		files[i] = f
	}
	return Uses{x, numbers, files}
}

// usingFiles are the files of the edges that lead to a symbol, in their order.
func (x *Edges) usingFiles(s resolve.SymbolID) []resolve.FileID { return x.Uses(s).files }

// Len is how many there are.
func (u Uses) Len() int { return len(u.numbers) }

// File is that of the i-th one.
func (u Uses) File(i int) resolve.FileID { return u.files[i] }

// Number is that of the i-th one among all edges.
func (u Uses) Number(i int) uint32 { return u.numbers[i] }

// At is the i-th one; of a file that is damaged one at its top, of nothing.
func (u Uses) At(i int) Edge {
	f := u.files[i]
	e, n := u.x.Of(f), int(u.numbers[i]-u.x.starts[f])
	if n >= len(e.list) {
		return Edge{File: f, From: -1}
	}
	return e.At(f, n)
}

// fileOf is the file of an edge, which is likely that of one before.
func (x *Edges) fileOf(n uint32, likely resolve.FileID) resolve.FileID {
	if x.starts[likely+1] <= n {
		return resolve.FileID(owner(x.starts, n))
	}
	return likely
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

// The row of a file's edges is varints: the ways that they have, as kind, tier
// and bits of the confidence; what they lead to, each once; then per edge its way
// (twice, and one more where it has several targets), how many lines it is below
// the one before, its column (in the same line how far it is behind), how far its
// symbol is from the one before, and its targets by their places in the list. A
// symbol is the distance of its number from that of the file's first one, zigzag
// and 2 more; 0 is before the number of a file, 1 before that of a folder.

// An edgeWriter encodes the edges of a file.
type edgeWriter struct {
	numbering numbering
	first     uint32 // number of the file's first symbol
	ways      []edgeWay
	targets   []byte
	index     map[resolve.SymbolID]uint32 // of the targets
	edges     []byte
}

// edgeRow encodes edges that are in order of position.
func (n numbering) edgeRow(f resolve.FileID, edges []Edge) []byte {
	if len(edges) == 0 {
		return nil
	}
	w := edgeWriter{
		numbering: n, first: n[f], index: map[resolve.SymbolID]uint32{},
		edges: make([]byte, 0, 8*len(edges)),
	}
	before := Edge{}
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

func (w *edgeWriter) edge(e, before *Edge) {
	several := len(e.To) > 1
	w.number(2*w.way(edgeWay{e.Kind, e.Tier, e.Confidence}) + bits(several))
	w.number(int(e.Line - before.Line))
	if e.Line == before.Line {
		w.number(int(e.Column - before.Column))
	} else {
		w.number(int(e.Column))
	}
	w.edges = binary.AppendVarint(w.edges, int64(e.From-before.From))
	if several {
		w.number(len(e.To))
	}
	for _, to := range e.To {
		w.number(w.target(to))
	}
}

func (w *edgeWriter) number(n int) { w.edges = binary.AppendUvarint(w.edges, uint64(n)) }

// way is the index of one.
func (w *edgeWriter) way(x edgeWay) int {
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
	case FileTarget:
		w.targets = append(w.targets, 0)
		w.targets = binary.AppendUvarint(w.targets, uint64(to.File))
	case FolderTarget:
		w.targets = append(w.targets, 1)
		w.targets = binary.AppendUvarint(w.targets, uint64(to.File))
	default:
		by := int64(w.numbering.number(to)) - int64(w.first)
		w.targets = binary.AppendUvarint(w.targets, uint64(by<<1^by>>63)+2)
	}
	return int(i)
}

// FileEdges are the edges of a file, in order of position.
type FileEdges struct {
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

// Of returns the edges of a file, decoded at first use.
func (x *Edges) Of(f resolve.FileID) *FileEdges {
	x.asked.set(f)
	if e := x.found[f].Load(); e != nil {
		return e
	}
	e := x.Now(f)
	if x.found[f].CompareAndSwap(nil, e) {
		x.kept.Add(e.size())
	}
	return e
}

func (e *FileEdges) size() int64 {
	return int64(len(e.list))*int64(unsafe.Sizeof(packed{})) +
		int64(cap(e.targets))*int64(unsafe.Sizeof(resolve.SymbolID{}))
}

// age drops the edges and uses of files that were not asked for since the last time.
func (x *Edges) age() {
	for i := range x.found {
		if !x.asked[i].Swap(false) {
			if e := x.found[i].Swap(nil); e != nil {
				x.kept.Add(-e.size())
			}
		}
		if !x.wanted[i].Swap(false) {
			if t := x.tables[i].Swap(nil); t != nil {
				x.kept.Add(-t.size())
			}
		}
	}
}

// marks are of files.
type marks []atomic.Bool

// set marks a file. Most are marked already: then nothing is written.
func (m marks) set(f resolve.FileID) {
	if !m[f].Load() {
		m[f].Store(true)
	}
}

func (x *Edges) forget() {
	for i := range x.found {
		x.found[i].Store(nil)
		x.tables[i].Store(nil)
	}
	x.kept.Store(0)
}

// Now is what Of returns, not kept in memory.
func (x *Edges) Now(f resolve.FileID) *FileEdges {
	e, ok := x.decode(f, x.file.row(&x.rows, int(f)))
	if !ok {
		x.file.damage()
	}
	return e
}

// decode decodes a row. It has as many edges as the columns say, or none.
func (x *Edges) decode(f resolve.FileID, row []byte) (*FileEdges, bool) {
	n := x.starts[f+1] - x.starts[f]
	if n == 0 {
		return &FileEdges{}, len(row) == 0
	}
	r := edgeReader{tree: x.tree, file: f, rowReader: rowReader{Rest: row}}
	r.readWays()
	r.readTargets()
	e := &FileEdges{list: list[packed](&r.rowReader)}
	e.targets = make([]resolve.SymbolID, 0, len(e.list))
	r.Check(len(e.list) == int(n))
	before := packed{}
	for i := range e.list {
		e.targets = r.edge(&e.list[i], &before, e.targets)
		before = e.list[i]
	}
	if r.Check(len(r.Rest) == 0); r.Bad {
		return &FileEdges{}, false
	}
	return e, true
}

// An edgeReader decodes them.
type edgeReader struct {
	rowReader

	tree    *Tree
	file    resolve.FileID
	ways    []edgeWay
	targets []resolve.SymbolID
}

func (r *edgeReader) readWays() {
	r.ways = list[edgeWay](&r.rowReader)
	for i := range r.ways {
		w := &r.ways[i]
		w.kind, w.tier = r.Byte(), resolve.Tier(r.Byte())
		w.confidence = math.Float32frombits(uint32(r.Int()))
		r.Check(int(r.ways[i].kind) < len(Kinds))
	}
}

// readTargets reads what edges lead to: symbols, files and folders of the graph.
func (r *edgeReader) readTargets() {
	r.targets = list[resolve.SymbolID](&r.rowReader)
	first, symbols := int(r.tree.symbols[r.file]), r.tree.symbols.total()
	for i := range r.targets {
		switch n := r.Int(); n {
		case 0:
			n = r.Int()
			r.Check(n < r.tree.Len())
			r.targets[i] = resolve.SymbolID{File: resolve.FileID(n), Index: FileTarget}
		case 1:
			n = r.Int()
			r.Check(n < len(r.tree.dir))
			r.targets[i] = resolve.SymbolID{File: resolve.FileID(n), Index: FolderTarget}
		default:
			n -= 2
			n = first + (n>>1 ^ -(n & 1))
			if r.Check(n >= 0 && n < symbols); !r.Bad {
				r.targets[i] = r.tree.symbols.symbol(uint32(n))
			}
		}
	}
}

func (r *edgeReader) edge(e, before *packed, targets []resolve.SymbolID) []resolve.SymbolID {
	n := r.Int()
	if r.Check(n>>1 < len(r.ways)); r.Bad {
		return targets
	}
	w := r.ways[n>>1]
	e.kind, e.tier, e.confidence = w.kind, w.tier, w.confidence
	e.line, e.column = before.line+uint32(r.Int()), uint32(r.Int())
	if e.line == before.line {
		e.column += before.column
	}
	e.from = before.from + int32(r.Int32())
	r.Check(e.from >= -1 && e.from < int32(r.tree.symbols.count(r.file)))
	e.first, e.targets = uint32(len(targets)), 1
	if n&1 != 0 {
		several := r.Int()
		r.Check(several > 0 && several <= math.MaxUint8)
		e.targets = uint8(several)
	}
	for range e.targets {
		i := r.Int()
		if r.Check(i < len(r.targets)); r.Bad {
			return targets
		}
		// Only imports lead to files and folders.
		r.Check(r.targets[i].Index >= 0 || e.kind == KindImports)
		targets = append(targets, r.targets[i])
	}
	return targets
}

// Len is how many there are.
func (e *FileEdges) Len() int { return len(e.list) }

// All yields them in order.
func (e *FileEdges) All(f resolve.FileID) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for i := range e.list {
			if !yield(e.At(f, i)) {
				return
			}
		}
	}
}

// An edgeWay is what many edges have in common.
type edgeWay struct {
	kind       uint8
	tier       resolve.Tier
	confidence float32
}
