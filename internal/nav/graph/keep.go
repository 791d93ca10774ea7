package graph

import (
	"bytes"

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

// connected is what was found of a file, as it was stored.
func (g *Graph) connected(f resolve.FileID) connected {
	c := connected{tally: tally(g.edges.tally[3*int(f):])}
	for _, e := range g.fileEdges(f) {
		c.add(e)
	}
	for n := g.symStarts[f]; n < g.symStarts[f+1]; n++ {
		c.links = append(c.links, g.linksFrom(n)...)
	}
	for _, p := range rows(g.aliasStarts, g.fileAliases, int(f)) {
		c.aliases = append(c.aliases, [2]string{g.str(p.name), g.str(p.as)})
	}
	return c
}
