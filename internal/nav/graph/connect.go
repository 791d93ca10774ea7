package graph

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parallel"
)

// connected is what resolving found of one file. Edges are encoded at once,
// because those of all files are in memory together.
type connected struct {
	edges   int
	row     []byte // of the edges
	links   []link
	aliases []pair // names of targets, and what the file calls them
	tally   tally
}

// connectFile resolves one file.
func connectFile(r Resolver, w *World, f resolve.FileID) connected {
	g := w.base
	edges, n := edgesOf(r, w, f)
	c := connected{tally: n, edges: len(edges), row: g.edgeRow(f, edges)}
	aliases := map[[2]string]bool{}
	alias := func(name, as string) { aliases[[2]string{name, as}] = true }
	for _, e := range edges {
		for _, to := range e.to {
			if to.Index < 0 {
				continue
			}
			if name := w.File(to.File).Symbols[to.Index].Name; name != e.name {
				alias(name, e.name)
			}
		}
	}
	file := w.File(f)
	importAliases(file, alias)
	for a := range aliases {
		name, known := g.name(a[0])
		as, known2 := g.name(a[1])
		if known && known2 {
			c.aliases = append(c.aliases, pair{name, as})
		}
	}
	c.aliases = sortedPairs(c.aliases)
	for i := range file.Symbols {
		c.links = append(c.links, linksOf(r, w, resolve.SymbolID{File: f, Index: int32(i)})...)
	}
	return c
}

// connectWhole resolves one file of a graph that is being built, whose
// references nobody else needs.
func (g *Graph) connectWhole(r Resolver, w *World, f resolve.FileID) (connected, error) {
	file, ok := g.decode(f)
	if !ok {
		return connected{}, errDamaged
	}
	g.decoded[f].Store(file)
	defer g.decoded[f].Store(nil)
	return connectFile(r, w, f), nil
}

// resolveAll resolves every file, workers at a time. What it finds does not
// depend on their number.
func resolveAll(ctx context.Context, w *World, in Input, kept *Graph, done func(files int)) ([]connected, error) {
	r := in.Resolver(w)
	all := make([]connected, w.Len())
	var count atomic.Int64
	err := eachFile(ctx, len(all), in.Workers, func(i int) error {
		f := resolve.FileID(i)
		done(int(count.Add(1)))
		if kept != nil && kept.sameFile(w.base, f) {
			var ok bool
			if all[i], ok = kept.connected(w.base, f); ok {
				return nil
			}
		}
		var err error
		all[i], err = w.base.connectWhole(r, w, f)
		return err
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
	if err := errors.Join(g.openRows(nil, partEdges, partUses), g.openEdges()); err != nil {
		return err
	}
	g.id = identify(&g.parts)
	return nil
}

// putEdges makes the rows of edges, and those of the edges that symbols are
// targets of.
func (g *Graph) putEdges(all []connected) {
	size := 0
	for i := range all {
		size += len(all[i].row)
	}
	data, starts := make([]byte, 0, size), make([]uint32, 1, len(all)+1)
	g.edgeStarts = make([]uint32, 1, len(all)+1)
	for i := range all {
		data = append(data, all[i].row...)
		starts = append(starts, uint32(len(data)))
		g.edgeStarts = append(g.edgeStarts, g.edgeStarts[i]+uint32(all[i].edges))
		all[i] = connected{}
	}
	p := &g.parts
	p[partEdgeStarts] = bytesOf(g.edgeStarts)
	p[partEdgeRows], p[partEdges] = rowIndex(starts, data), data
	g.edgeRows, _ = rowsPart(column[uint32](p[partEdgeRows]), data, extent{}, len(g.path))
	p[partUseRows], p[partUses] = g.rowsOfUses()
}

// rowsOfUses makes the rows of the edges that lead to symbols.
func (g *Graph) rowsOfUses() (index, data []byte) {
	by := newCSR(int(g.symStarts[len(g.path)]))
	g.eachTarget(func(_ uint32, symbol uint32) { by.count(symbol) })
	edges := make([]uint32, by.place())
	g.eachTarget(func(edge uint32, symbol uint32) { edges[by.put(symbol)] = edge })
	starts := make([]uint32, 1, len(g.path)+1)
	for f := range g.path {
		data = append(data, useRow(by.starts[g.symStarts[f]:g.symStarts[f+1]+1], edges)...)
		starts = append(starts, uint32(len(data)))
	}
	return rowIndex(starts, data), data
}

// eachTarget calls do with every edge and symbol that it leads to, in order of
// the edges.
func (g *Graph) eachTarget(do func(edge, symbol uint32)) {
	for f := range g.path {
		e := g.edgesNow(resolve.FileID(f))
		for i := range e.list {
			for _, to := range e.edge(resolve.FileID(f), i).to {
				if to.Index >= 0 {
					do(g.edgeStarts[f]+uint32(i), g.number(to))
				}
			}
		}
	}
}

// putLinks makes the columns of links, which come in order of where they are
// from, and the way back.
func (g *Graph) putLinks(all []connected) {
	var l linkColumns
	for i := range all {
		for _, x := range all[i].links {
			l.back = append(l.back, uint32(len(l.from)))
			l.from, l.to = append(l.from, x.from), append(l.to, x.to)
			l.kind = append(l.kind, uint32(x.kind)|uint32(x.tier)<<8)
			l.confidence = append(l.confidence, x.confidence)
		}
	}
	slices.SortStableFunc(l.back, func(a, b uint32) int { return compareSymbols(l.to[a], l.to[b]) })
	p := &g.parts
	p[partLinkFrom], p[partLinkTo], p[partBackLinks] = pairBytes(l.from), pairBytes(l.to), bytesOf(l.back)
	p[partLinkKind], p[partLinkConf] = bytesOf(l.kind), bytesOf(l.confidence)
}
