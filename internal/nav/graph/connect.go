package graph

import (
	"bytes"
	"errors"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Connected is what resolving found of one file. Edges are encoded at once,
// because those of all files are in memory together.
type Connected struct {
	edges   int
	row     []byte // of the edges
	links   []Link
	aliases []pair // names of targets, and what the file calls them
	tally   Tally
}

// Connection is what was found of one file, to be given to Connect. aliases are
// pairs of the name of a target and what the file calls it.
func (g *Graph) Connection(
	f resolve.FileID, edges []Edge, links []Link, aliases map[[2]string]bool, n Tally,
) Connected {
	c := Connected{tally: n, edges: len(edges), row: g.Tree.symbols.edgeRow(f, edges), links: links}
	for a := range aliases {
		c.alias(g, a[0], a[1])
	}
	c.aliases = sortedPairs(c.aliases)
	return c
}

// alias adds a pair of names that a graph has.
func (c *Connected) alias(g *Graph, name, as string) {
	n, known := g.texts.name(name)
	m, known2 := g.texts.name(as)
	if known && known2 {
		c.aliases = append(c.aliases, pair{n, m})
	}
}

// Connect adds the edges and links to a graph that has none, and takes them out
// of all.
func (g *Graph) Connect(all []Connected, revision string) error {
	var sum Tally
	var each []uint32
	for i := range all {
		for j, n := range all[i].tally {
			sum[j] += n
			each = append(each, n)
		}
	}
	n := &g.counts
	n.References, n.External, n.Unresolved = sum[0], sum[1], sum[2]
	g.columns[partTally] = bytesOf(each)
	g.columns[partResolver] = []byte(revision)
	g.columns[partCounts] = bytesOf([]uint32{n.Names, n.References, n.External, n.Unresolved})
	c, o := connector{g}, opener{g}
	c.links(all)
	c.aliases(all)
	c.edges(all)
	if err := errors.Join(o.rows(nil, partEdges, partUses), o.edges()); err != nil {
		return err
	}
	g.id = identify(&g.columns)
	g.Facts.building = false
	g.Facts.forget()
	return nil
}

// A connector makes the columns of edges.
type connector struct{ g *Graph }

// edges makes the rows of edges, and those of the edges that symbols are
// targets of.
func (c connector) edges(all []Connected) {
	size := 0
	for i := range all {
		size += len(all[i].row)
	}
	data, starts := make([]byte, 0, size), make([]uint32, 1, len(all)+1)
	c.g.Edges.starts = make([]uint32, 1, len(all)+1)
	for i := range all {
		data = append(data, all[i].row...)
		starts = append(starts, uint32(len(data)))
		c.g.Edges.starts = append(c.g.Edges.starts, c.g.Edges.starts[i]+uint32(all[i].edges))
		all[i] = Connected{}
	}
	p := &c.g.columns
	p[partEdgeStarts] = bytesOf(c.g.Edges.starts)
	p[partEdgeRows], p[partEdges] = rowIndex(starts, data), data
	c.g.Edges.rows, _ = rowsPart(column[uint32](p[partEdgeRows]), data, Extent{}, c.g.Tree.Len())
	p[partUseRows], p[partUses] = c.rowsOfUses()
}

// rowsOfUses makes the rows of the edges that lead to symbols.
func (c connector) rowsOfUses() (index, data []byte) {
	by := newCSR(c.g.Tree.symbols.total())
	c.eachTarget(func(_ uint32, symbol uint32) { by.count(symbol) })
	edges := make([]uint32, by.place())
	c.eachTarget(func(edge uint32, symbol uint32) { edges[by.put(symbol)] = edge })
	starts := make([]uint32, 1, c.g.Tree.Len()+1)
	for f := range c.g.Tree.Len() {
		data = append(data, useRow(by.starts[c.g.Tree.symbols[f]:c.g.Tree.symbols[f+1]+1], edges)...)
		starts = append(starts, uint32(len(data)))
	}
	return rowIndex(starts, data), data
}

// eachTarget calls do with every edge and symbol that it leads to, in order of
// the edges.
func (c connector) eachTarget(do func(edge, symbol uint32)) {
	for f := range c.g.Tree.Len() {
		e := c.g.Edges.Now(resolve.FileID(f))
		for i := range e.list {
			for _, to := range e.At(resolve.FileID(f), i).To {
				if to.Index >= 0 {
					do(c.g.Edges.starts[f]+uint32(i), c.g.Tree.symbols.number(to))
				}
			}
		}
	}
}

// links makes the columns of links, which come in order of where they are
// from, and the way back.
func (c connector) links(all []Connected) {
	var l Links
	for i := range all {
		for _, x := range all[i].links {
			l.back = append(l.back, uint32(len(l.from)))
			l.from, l.to = append(l.from, x.From), append(l.to, x.To)
			l.kind = append(l.kind, uint32(x.Kind)|uint32(x.Tier)<<8)
			l.confidence = append(l.confidence, x.Confidence)
		}
	}
	slices.SortStableFunc(l.back, func(a, b uint32) int { return CompareSymbols(l.to[a], l.to[b]) })
	p := &c.g.columns
	p[partLinkFrom], p[partLinkTo], p[partBackLinks] = pairBytes(l.from), pairBytes(l.to), bytesOf(l.back)
	p[partLinkKind], p[partLinkConf] = bytesOf(l.kind), bytesOf(l.confidence)
}

// aliases makes the columns of aliases.
func (c connector) aliases(all []Connected) {
	starts := []uint32{0}
	var byFile []pair
	for i := range all {
		byFile = append(byFile, all[i].aliases...)
		starts = append(starts, uint32(len(byFile)))
	}
	c.g.columns[partAliasStarts], c.g.columns[partFileAliases] = bytesOf(starts), pairBytes(byFile)
	c.g.columns[partAliases] = pairBytes(sortedPairs(slices.Clone(byFile)))
}

// Keeps returns the previous graph if references of files that did not change
// stand for what they stood for in it: it has the same files, all look the same
// to others, and the same resolver found its edges. Else it returns nil.
func (g *Graph) Keeps(previous *Graph, revision string) *Graph {
	if previous == nil || previous.Resolver() != revision ||
		g.Tree.Len() != previous.Tree.Len() || !bytes.Equal(g.Tree.shapes, previous.Tree.shapes) {
		return nil
	}
	for f := range resolve.FileID(g.Tree.Len()) {
		if g.Tree.Path(f) != previous.Tree.Path(f) {
			return nil
		}
	}
	return previous
}

// Reconnected is what was found of a file, as it was stored, with the numbers that
// names have in another graph.
func (g *Graph) Reconnected(now *Graph, f resolve.FileID) (Connected, bool) {
	c := Connected{
		tally: Tally(g.Edges.tally[3*int(f):]), row: g.rows.row(&g.Edges.rows, int(f)),
		edges: int(g.Edges.starts[f+1] - g.Edges.starts[f]), links: g.Links.OfFile(f),
	}
	for _, p := range rows(g.Names.aliasStarts, g.Names.fileAliases, int(f)) {
		c.alias(now, g.texts.str(p.name), g.texts.str(p.as))
	}
	c.aliases = sortedPairs(c.aliases)
	return c, (len(c.row) > 0) == (c.edges > 0)
}
