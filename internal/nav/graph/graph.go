package graph

import (
	"encoding/hex"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// An ID is the identity of a graph: equal trees have equal ones.
type ID [32]byte

func (id ID) String() string { return hex.EncodeToString(id[:]) }

// A Graph is what is known of a repository as it was when it was built. It
// never changes and may be used concurrently.
type Graph struct {
	Tree  *Tree
	Names *Names
	Facts *Facts
	Edges *Edges
	Links *Links

	id      ID
	columns Columns
	counts  counts
	texts   *texts
	rows    *rowFile
}

// ID returns the identity of the graph.
func (g *Graph) ID() ID { return g.id }

// Columns are what the graph is made of; nobody may change them.
func (g *Graph) Columns() *Columns { return &g.columns }

// Resolver returns the revision of what found the edges.
func (g *Graph) Resolver() string { return string(g.columns[partResolver]) }

// Files returns the paths of all files, in order.
func (g *Graph) Files() []string {
	paths := make([]string, g.Tree.Len())
	for f := range paths {
		paths[f] = g.Tree.Path(resolve.FileID(f))
	}
	return paths
}

// Failed are the paths of the files whose facts could not be read, in order.
func (g *Graph) Failed() []string {
	var paths []string
	for f, flags := range g.Tree.flags {
		if flags&FlagFailed != 0 {
			paths = append(paths, g.Tree.Path(resolve.FileID(f)))
		}
	}
	return paths
}

// Blank are the paths of the files whose facts were not looked for though their
// language is known, as of one that is too large; in order.
func (g *Graph) Blank() []string {
	var paths []string
	for f, flags := range g.Tree.flags {
		if id := resolve.FileID(f); flags&(FlagFacts|FlagFailed) == 0 && g.Tree.Revision(id) != "" {
			paths = append(paths, g.Tree.Path(id))
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
		Files: g.Tree.Len(), Symbols: g.Tree.symbols.total(), Edges: g.Edges.total(),
		References: int(g.counts.References), External: int(g.counts.External), Unresolved: int(g.counts.Unresolved),
	}
}

// Damaged tells whether something of the graph could not be read since it was
// loaded, so that answers may lack something.
func (g *Graph) Damaged() bool { return g.rows.damaged.Load() }

// Kept is how many bytes the declarations, references and edges have that were decoded
// and are kept.
func (g *Graph) Kept() int64 { return g.Facts.kept.Load() + g.Edges.kept.Load() }

// Age lets go of what Kept counts of files that were not asked for since the last time.
func (g *Graph) Age() {
	g.Facts.age()
	g.Edges.age()
}

// Forget lets go of what Kept counts: it is decoded again when it is asked for.
func (g *Graph) Forget() {
	g.Facts.forget()
	g.Edges.forget()
}

// Verify reads the rows through. It fails as Load does when they are not what was
// written.
func (g *Graph) Verify() error {
	for _, p := range []*rowPart{&g.Facts.declRows, &g.Facts.placeRows, &g.Edges.rows, &g.Edges.useRows} {
		if p.data == nil && !p.file.checkSum(g.rows.stored) {
			g.rows.damage()
			return Damage(errDamaged)
		}
	}
	return nil
}

// OnDamage has tell called once, before whoever asks gets an answer that may
// lack something. It is for who just loaded the graph.
func (g *Graph) OnDamage(tell func()) { g.rows.tell = tell }
