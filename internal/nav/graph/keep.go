package graph

import (
	"bytes"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// keeps returns the previous graph if references of files that did not change
// stand for what they stood for in it: it has the same files, all look the same
// to others, and the same resolver found its edges. Else it returns nil.
func (g *Graph) keeps(previous *Graph, revision string) *Graph {
	if previous == nil || string(previous.parts[partResolver]) != revision ||
		len(g.path) != len(previous.path) || !bytes.Equal(g.parts[partShape], previous.parts[partShape]) {
		return nil
	}
	for i := range g.path {
		if g.str(g.path[i]) != previous.str(previous.path[i]) {
			return nil
		}
	}
	return previous
}

// sameFile tells whether a file has the same facts in a graph that this one is
// kept for.
func (g *Graph) sameFile(now *Graph, f resolve.FileID) bool {
	return g.hash(f) == now.hash(f) && g.flags[f] == now.flags[f] &&
		g.str(g.language[f]) == now.str(now.language[f]) && g.str(g.revision[f]) == now.str(now.revision[f])
}

// connected is what was found of a file, as it was stored, with the numbers that
// names have in another graph.
func (g *Graph) connected(now *Graph, f resolve.FileID) (connected, bool) {
	c := connected{
		tally: tally(g.tally[3*int(f):]), row: g.row(&g.edgeRows, int(f)),
		edges: int(g.edgeStarts[f+1] - g.edgeStarts[f]),
	}
	n, _ := slices.BinarySearchFunc(g.links.from, resolve.SymbolID{File: f}, compareSymbols)
	for ; n < len(g.links.from) && g.links.from[n].File == f; n++ {
		c.links = append(c.links, g.link(uint32(n)))
	}
	for _, p := range rows(g.aliasStarts, g.fileAliases, int(f)) {
		name, known := now.name(g.str(p.name))
		as, known2 := now.name(g.str(p.as))
		if known && known2 {
			c.aliases = append(c.aliases, pair{name, as})
		}
	}
	c.aliases = sortedPairs(c.aliases)
	return c, (len(c.row) > 0) == (c.edges > 0)
}
