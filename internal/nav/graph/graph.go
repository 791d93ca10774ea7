package graph

import (
	"encoding/hex"
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
	factStarts                           []uint32

	dir, dirStarts   []uint32
	dirFiles         []resolve.FileID
	lang, langStarts []uint32
	langFiles        []resolve.FileID

	sym symbolColumns

	defStarts []uint32
	defs      []resolve.SymbolID
	refStarts []uint32
	refFiles  []resolve.FileID
	aliases   []pair

	mentionStarts, mentions []uint32
	touchStarts             []uint32
	touchFiles              []resolve.FileID

	aliasStarts []uint32
	fileAliases []pair

	edges edgeColumns
	links linkColumns

	decoded []atomic.Pointer[facts.File]
}

type symbolColumns struct {
	name, qualified, kind, line, column, start, end, nth []uint32
	parent                                               []int32
}

type edgeColumns struct {
	starts             []uint32
	from               []int32
	line, column, kind []uint32
	confidence         []float32
	to                 []uint32
	targets            []resolve.SymbolID
	outStarts, out     []uint32
	useStarts, uses    []uint32
	tally              []uint32
}

type linkColumns struct {
	starts     []uint32
	from, to   []resolve.SymbolID
	kind       []uint32
	confidence []float32
	backStarts []uint32
	backLinks  []uint32
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
		Files: len(g.path), Symbols: len(g.sym.name), Edges: len(g.edges.line),
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

// number numbers symbols through.
func (g *Graph) number(id resolve.SymbolID) uint32 { return g.symStarts[id.File] + uint32(id.Index) }

func (g *Graph) shape(f resolve.FileID) shape {
	return shape(g.parts[partShape][int(f)*len(shape{}):])
}

func (g *Graph) hash(f resolve.FileID) Hash {
	return Hash(g.parts[partHash][int(f)*len(Hash{}):])
}

// facts returns those of a file, decoded at first use. Damage that the
// checksums did not see gives a file of what the columns know.
func (g *Graph) facts(f resolve.FileID) *facts.File {
	if file := g.decoded[f].Load(); file != nil {
		return file
	}
	file, err := g.decode(f)
	if err != nil {
		file = g.bareFacts(f)
	}
	g.decoded[f].CompareAndSwap(nil, file)
	return g.decoded[f].Load()
}

// forget drops decoded facts, which are decoded again when they are needed.
func (g *Graph) forget() {
	for i := range g.decoded {
		g.decoded[i].Store(nil)
	}
}
