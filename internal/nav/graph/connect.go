package graph

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parallel"
)

// connected is what resolving found of one file. Edges are kept small, because
// those of all files are in memory at once.
type connected struct {
	edges   []packed
	targets []resolve.SymbolID // of all edges
	links   []link
	aliases [][2]string // names of targets, and what the file calls them
	tally   tally
}

// A packed edge is one but for its file and targets.
type packed struct {
	from         int32
	line, column uint32
	confidence   float32
	kind         uint8
	tier         resolve.Tier
	targets      uint8
}

func (c *connected) add(e edge) {
	c.edges = append(c.edges, packed{e.from, e.line, e.column, e.confidence, e.kind, e.tier, uint8(len(e.to))})
	c.targets = append(c.targets, e.to...)
}

// connectFile resolves one file.
func connectFile(r Resolver, w *World, f resolve.FileID) connected {
	edges, n := edgesOf(r, w, f)
	c := connected{tally: n, edges: make([]packed, 0, len(edges)), targets: make([]resolve.SymbolID, 0, len(edges))}
	alias := func(name, as string) { c.aliases = append(c.aliases, [2]string{name, as}) }
	for _, e := range edges {
		c.add(e)
		for _, to := range e.to {
			if to.Index < 0 {
				continue
			}
			if name := w.File(to.File).Symbols[to.Index].Name; name != e.name {
				alias(name, e.name)
			}
		}
	}
	importAliases(w.File(f), alias)
	for i := range w.File(f).Symbols {
		c.links = append(c.links, linksOf(r, w, resolve.SymbolID{File: f, Index: int32(i)})...)
	}
	return c
}

// resolveAll resolves every file, workers at a time. What it finds does not
// depend on their number.
func resolveAll(ctx context.Context, w *World, in Input, kept *Graph, done func(files int)) ([]connected, error) {
	r := in.Resolver(w)
	all := make([]connected, w.Len())
	var count atomic.Int64
	err := eachFile(ctx, len(all), in.Workers, func(i int) error {
		f := resolve.FileID(i)
		if kept != nil && kept.sameFile(w.base, f) {
			all[i] = kept.connected(f)
		} else {
			all[i] = connectFile(r, w, f)
		}
		done(int(count.Add(1)))
		return nil
	})
	return all, err
}

// eachFile calls do with every number below n, workers at a time (0: as many as
// there are processors), until one fails or ctx is done.
func eachFile(ctx context.Context, n, workers int, do func(i int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group, ctx := parallel.NewGroup(ctx)
	var next atomic.Int64
	for range min(workers, n) {
		group.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return context.Cause(ctx)
				}
				if err := do(i); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// connect adds the edges and links to a graph that has none, and takes them out
// of all.
func (g *Graph) connect(all []connected, revision string) error {
	var sum tally
	var each []uint32
	for i := range all {
		for j, n := range all[i].tally {
			sum[j] += n
			each = append(each, n)
		}
	}
	g.References, g.External, g.Unresolved = sum[0], sum[1], sum[2]
	g.parts[partTally] = bytesOf(each)
	g.parts[partResolver] = []byte(revision)
	g.parts[partCounts] = bytesOf([]uint32{g.Names, g.References, g.External, g.Unresolved})
	g.putLinks(all)
	g.putAliases(all)
	g.putEdges(all)
	g.putEnds()
	if err := g.openEdges(); err != nil {
		return err
	}
	g.id = identify(&g.parts)
	return nil
}

// putEdges makes the columns of edges.
func (g *Graph) putEdges(all []connected) {
	n, targets := 0, 0
	for i := range all {
		n += len(all[i].edges)
		targets += len(all[i].targets)
	}
	e := edgeColumns{
		starts: make([]uint32, 1, len(all)+1), from: make([]int32, 0, n), line: make([]uint32, 0, n), column: make([]uint32, 0, n),
		kind: make([]uint32, 0, n), confidence: make([]float32, 0, n), to: make([]uint32, 1, n+1), targets: make([]resolve.SymbolID, 0, targets),
	}
	for i := range all {
		for _, x := range all[i].edges {
			e.from = append(e.from, x.from)
			e.line, e.column = append(e.line, x.line), append(e.column, x.column)
			e.kind = append(e.kind, uint32(x.kind)|uint32(x.tier)<<8)
			e.confidence = append(e.confidence, x.confidence)
			e.to = append(e.to, e.to[len(e.to)-1]+uint32(x.targets))
		}
		e.targets = append(e.targets, all[i].targets...)
		e.starts = append(e.starts, uint32(len(e.line)))
		all[i] = connected{}
	}
	g.edges = e
	p := &g.parts
	p[partEdgeStarts], p[partEdgeFrom] = bytesOf(e.starts), bytesOf(e.from)
	p[partEdgeLine], p[partEdgeColumn] = bytesOf(e.line), bytesOf(e.column)
	p[partEdgeKind], p[partEdgeConf] = bytesOf(e.kind), bytesOf(e.confidence)
	p[partEdgeTo], p[partTargets] = bytesOf(e.to), pairBytes(e.targets)
}

// putEnds makes the ways from symbols to the edges that they are around, and
// to those that they are targets of.
func (g *Graph) putEnds() {
	p := &g.parts
	p[partOutStarts], p[partOut] = g.edgesBy(func(f int, edge uint32, do func(symbol uint32)) {
		if from := g.edges.from[edge]; from >= 0 {
			do(g.symStarts[f] + uint32(from))
		}
	})
	p[partUseStarts], p[partUses] = g.edgesBy(func(_ int, edge uint32, do func(symbol uint32)) {
		for _, to := range rows(g.edges.to, g.edges.targets, int(edge)) {
			if to.Index >= 0 {
				do(g.number(to))
			}
		}
	})
}

// edgesBy groups edges by the symbols that ends yields for each.
func (g *Graph) edgesBy(ends func(file int, edge uint32, do func(symbol uint32))) (starts, edges []byte) {
	by := newCSR(len(g.sym.name))
	g.eachEdge(func(f int, edge uint32) { ends(f, edge, by.count) })
	all := make([]uint32, by.place())
	g.eachEdge(func(f int, edge uint32) { ends(f, edge, func(symbol uint32) { all[by.put(symbol)] = edge }) })
	return bytesOf(by.starts), bytesOf(all)
}

func (g *Graph) eachEdge(do func(file int, edge uint32)) {
	for f := range g.path {
		for n := g.edges.starts[f]; n < g.edges.starts[f+1]; n++ {
			do(f, n)
		}
	}
}

// putLinks makes the columns of links, which come in order of where they are
// from, and the way back.
func (g *Graph) putLinks(all []connected) {
	var l linkColumns
	from, back := newCSR(len(g.sym.name)), newCSR(len(g.sym.name))
	for i := range all {
		for _, x := range all[i].links {
			from.count(g.number(x.from))
			back.count(g.number(x.to))
			l.from, l.to = append(l.from, x.from), append(l.to, x.to)
			l.kind = append(l.kind, uint32(x.kind)|uint32(x.tier)<<8)
			l.confidence = append(l.confidence, x.confidence)
		}
	}
	from.place()
	l.backLinks = make([]uint32, back.place())
	for i, to := range l.to {
		l.backLinks[back.put(g.number(to))] = uint32(i)
	}
	p := &g.parts
	p[partLinkStarts], p[partLinkFrom], p[partLinkTo] = bytesOf(from.starts), pairBytes(l.from), pairBytes(l.to)
	p[partLinkKind], p[partLinkConf] = bytesOf(l.kind), bytesOf(l.confidence)
	p[partBackStarts], p[partBackLinks] = bytesOf(back.starts), bytesOf(l.backLinks)
}
