package graph

import "github.com/ragnav/ragnav/internal/nav/resolve"

// What a graph has stored, in its own numbers.

// edge is a stored edge of a file.
func (g *Graph) edge(f resolve.FileID, n uint32) edge {
	e := &g.edges
	return edge{
		file: f, from: e.from[n], line: e.line[n], column: e.column[n],
		kind: uint8(e.kind[n]), tier: resolve.Tier(e.kind[n] >> 8), confidence: e.confidence[n],
		to: rows(e.to, e.targets, int(n)),
	}
}

// fileEdges are the edges of a file, in order of position.
func (g *Graph) fileEdges(f resolve.FileID) []edge {
	from, to := g.edges.starts[f], g.edges.starts[f+1]
	all := make([]edge, 0, to-from)
	for n := from; n < to; n++ {
		all = append(all, g.edge(f, n))
	}
	return all
}

// uses are the edges that a symbol is a target of, in order.
func (g *Graph) uses(symbol uint32) []edge {
	var all []edge
	f := resolve.FileID(0)
	for _, n := range rows(g.edges.useStarts, g.edges.uses, int(symbol)) {
		if g.edges.starts[f+1] <= n {
			f = g.fileOfEdge(n)
		}
		all = append(all, g.edge(f, n))
	}
	return all
}

// fileOfEdge is the file that an edge is in.
func (g *Graph) fileOfEdge(n uint32) resolve.FileID { return resolve.FileID(owner(g.edges.starts, n)) }

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
	return link{from: l.from[n], to: l.to[n], kind: uint8(l.kind[n]), tier: resolve.Tier(l.kind[n] >> 8), confidence: l.confidence[n]}
}

// linksFrom are the links from a symbol, in order of what they lead to.
func (g *Graph) linksFrom(symbol uint32) []link {
	var all []link
	for n := g.links.starts[symbol]; n < g.links.starts[symbol+1]; n++ {
		all = append(all, g.link(n))
	}
	return all
}

// linksTo are the links to a symbol, in order of where they come from.
func (g *Graph) linksTo(symbol uint32) []link {
	var all []link
	for _, n := range rows(g.links.backStarts, g.links.backLinks, int(symbol)) {
		all = append(all, g.link(n))
	}
	return all
}
