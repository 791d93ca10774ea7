package graph

import (
	"encoding/hex"
	"hash/crc32"
	"io"
	"sort"
	"sync/atomic"
	"unsafe"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// An ID is the identity of a graph: equal trees have equal ones.
type ID [32]byte

func (id ID) String() string { return hex.EncodeToString(id[:]) }

// A Graph is what is known of a repository as it was when it was built. It
// never changes and may be used concurrently. Graphs come from Build and Load.
type Graph struct {
	id    ID
	parts [parts][]byte
	counts

	text       []byte
	textStarts []uint32

	path, language, pkg, flags, revision []uint32
	symStarts                            []uint32

	dir, dirStarts   []uint32
	dirFiles         []resolve.FileID
	lang, langStarts []uint32
	langFiles        []resolve.FileID

	defStarts, refStarts []uint32
	defs                 []resolve.SymbolID
	refFiles             []resolve.FileID
	aliases              []pair

	mentionStarts, mentions []uint32
	touchStarts             []uint32
	touchFiles              []resolve.FileID

	aliasStarts []uint32
	fileAliases []pair

	tally, edgeStarts []uint32
	links             linkColumns
	includes          func() map[string][]resolve.FileID // files of C and C++, by what they include

	declRows, placeRows, edgeRows, useRows rowPart
	stored                                 io.ReaderAt // that the rows are in, nil while they are in memory
	damaged                                atomic.Bool
	tell                                   func()

	building bool // facts are without references, but for files that are being resolved
	decls    []atomic.Pointer[declared]
	decoded  []atomic.Pointer[facts.File]
	found    []atomic.Pointer[fileEdges]
}

type linkColumns struct {
	from, to   []resolve.SymbolID
	kind       []uint32
	confidence []float32
	back       []uint32
}

// ID returns the identity of the graph.
func (g *Graph) ID() ID { return g.id }

// Resolver returns the revision of what found the edges, Input.Revision.
func (g *Graph) Resolver() string { return string(g.parts[partResolver]) }

// Files returns the paths of all files, in order.
func (g *Graph) Files() []string {
	paths := make([]string, len(g.path))
	for i, s := range g.path {
		paths[i] = g.str(s)
	}
	return paths
}

// Failed are the paths of the files whose facts could not be read, in order.
func (g *Graph) Failed() []string {
	var paths []string
	for f, flags := range g.flags {
		if flags&flagFailed != 0 {
			paths = append(paths, g.str(g.path[f]))
		}
	}
	return paths
}

// Stats tells how large a graph is and how much of it is resolved.
type Stats struct {
	Files, Symbols, Edges, References, External, Unresolved int
}

// Stats counts.
func (g *Graph) Stats() Stats {
	return Stats{
		Files: len(g.path), Symbols: int(g.symStarts[len(g.path)]), Edges: int(g.edgeStarts[len(g.path)]),
		References: int(g.References), External: int(g.External), Unresolved: int(g.Unresolved),
	}
}

// str is a string by number. It shares memory with the graph.
func (g *Graph) str(i uint32) string {
	b := g.text[g.textStarts[i]:g.textStarts[i+1]]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// name finds the number of a name.
func (g *Graph) name(s string) (uint32, bool) {
	i := sort.Search(int(g.Names), func(i int) bool { return g.str(uint32(i)) >= s })
	return uint32(i), i < int(g.Names) && g.str(uint32(i)) == s
}

// file finds a file by its path.
func (g *Graph) file(path string) (resolve.FileID, bool) {
	i, ok := g.bisect(g.path, path)
	return resolve.FileID(i), ok
}

// bisect finds s in a column of strings that are in order.
func (g *Graph) bisect(column []uint32, s string) (int, bool) {
	i := sort.Search(len(column), func(i int) bool { return g.str(column[i]) >= s })
	return i, i < len(column) && g.str(column[i]) == s
}

// symbol is the one of a number.
func (g *Graph) symbol(n uint32) resolve.SymbolID {
	f := owner(g.symStarts, n)
	return resolve.SymbolID{File: resolve.FileID(f), Index: int32(n - g.symStarts[f])}
}

// number numbers symbols through.
func (g *Graph) number(id resolve.SymbolID) uint32 { return g.symStarts[id.File] + uint32(id.Index) }

func (g *Graph) shape(f resolve.FileID) shape {
	return shape(g.parts[partShape][int(f)*len(shape{}):])
}

func (g *Graph) hash(f resolve.FileID) Hash {
	return Hash(g.parts[partHash][int(f)*len(Hash{}):])
}

// row is one of them. A row that is not what was written is nil, and the graph
// is damaged from then on.
func (g *Graph) row(p *rowPart, i int) []byte {
	from, to := p.starts[i], p.starts[i+1]
	if from == to {
		return nil
	}
	if p.data != nil {
		return p.data[from:to]
	}
	b := make([]byte, to-from)
	if _, err := g.stored.ReadAt(b, p.file.at+int64(from)); err != nil || crc32.Checksum(b, castagnoli) != p.sums[i] {
		g.damage()
		return nil
	}
	return b
}

// Damaged tells whether something of the graph could not be read since it was
// loaded, so that answers may lack something.
func (g *Graph) Damaged() bool { return g.damaged.Load() }

// Verify reads the rows through. It fails as Load does when they are not what was
// written.
func (g *Graph) Verify() error {
	for _, p := range []*rowPart{&g.declRows, &g.placeRows, &g.edgeRows, &g.useRows} {
		if p.data == nil && !p.file.checkSum(g.stored) {
			g.damage()
			return unloadable(errSidecar)
		}
	}
	return nil
}

// OnDamage has tell called once, before whoever asks gets an answer that may
// lack something. It is for who just loaded the graph.
func (g *Graph) OnDamage(tell func()) { g.tell = tell }

// damage notes that something could not be read.
func (g *Graph) damage() {
	if g.damaged.CompareAndSwap(false, true) && g.tell != nil {
		g.tell()
	}
}
