package graph

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// connected is what resolving found of one file.
type connected struct {
	edges []edge
	links []link
	tally tally
}

// resolveAll resolves every file, workers at a time. What it finds does not
// depend on their number.
func resolveAll(ctx context.Context, r Resolver, w *World, workers int, done func(files int)) ([]connected, error) {
	all := make([]connected, w.Len())
	var count atomic.Int64
	err := eachFile(ctx, len(all), workers, func(i int) error {
		f := resolve.FileID(i)
		c := &all[i]
		c.edges, c.tally = edgesOf(r, w, f)
		for j := range w.File(f).Symbols {
			c.links = append(c.links, linksOf(r, w, resolve.SymbolID{File: f, Index: int32(j)})...)
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
	group, ctx := errgroup.WithContext(ctx)
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

// connect adds the edges and links to a graph that has none.
func (g *Graph) connect(all []connected) error {
	n := tally{}
	for i := range all {
		n.references += all[i].tally.references
		n.external += all[i].tally.external
		n.unresolved += all[i].tally.unresolved
	}
	g.References, g.External, g.Unresolved = n.references, n.external, n.unresolved
	g.parts[partCounts] = bytesOf([]uint32{g.Names, n.references, n.external, n.unresolved})
	g.putEdges(all)
	g.putUses(all)
	g.putLinks(all)
	g.putAliases(all)
	if err := g.openEdges(); err != nil {
		return err
	}
	g.id = identify(&g.parts)
	return nil
}

func (g *Graph) putEdges(all []connected) {
	var e edgeColumns
	e.starts, e.to = []uint32{0}, []uint32{0}
	for i := range all {
		for j := range all[i].edges {
			x := &all[i].edges[j]
			e.from = append(e.from, x.from)
			e.line, e.column = append(e.line, x.line), append(e.column, x.column)
			e.kind = append(e.kind, uint32(x.kind)|uint32(x.tier)<<8)
			e.confidence = append(e.confidence, x.confidence)
			e.targets = append(e.targets, x.to...)
			e.to = append(e.to, uint32(len(e.targets)))
		}
		e.starts = append(e.starts, uint32(len(e.line)))
	}
	p := &g.parts
	p[partEdgeStarts], p[partEdgeFrom] = bytesOf(e.starts), bytesOf(e.from)
	p[partEdgeLine], p[partEdgeColumn] = bytesOf(e.line), bytesOf(e.column)
	p[partEdgeKind], p[partEdgeConf] = bytesOf(e.kind), bytesOf(e.confidence)
	p[partEdgeTo], p[partTargets] = bytesOf(e.to), symbolBytes(e.targets)
}

// putUses makes the way back from symbols to the edges that they are targets of.
func (g *Graph) putUses(all []connected) {
	uses := newCSR(len(g.sym.name))
	each := func(do func(symbol, edge uint32)) {
		n := uint32(0)
		for i := range all {
			for j := range all[i].edges {
				for _, to := range all[i].edges[j].to {
					if to.Index >= 0 {
						do(g.number(to), n)
					}
				}
				n++
			}
		}
	}
	each(func(symbol, _ uint32) { uses.count(symbol) })
	edges := make([]uint32, uses.place())
	each(func(symbol, edge uint32) { edges[uses.put(symbol)] = edge })
	g.parts[partUseStarts], g.parts[partUses] = bytesOf(uses.starts), bytesOf(edges)
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
	p[partLinkStarts], p[partLinkFrom], p[partLinkTo] = bytesOf(from.starts), symbolBytes(l.from), symbolBytes(l.to)
	p[partLinkKind], p[partLinkConf] = bytesOf(l.kind), bytesOf(l.confidence)
	p[partBackStarts], p[partBackLinks] = bytesOf(back.starts), bytesOf(l.backLinks)
}

func (g *Graph) putAliases(all []connected) {
	seen := map[pair]bool{}
	add := func(name, as string) {
		a, known := g.name(name)
		b, known2 := g.name(as)
		if known && known2 {
			seen[pair{a, b}] = true
		}
	}
	for i := range all {
		importAliases(g.facts(resolve.FileID(i)), add)
		for j := range all[i].edges {
			e := &all[i].edges[j]
			for _, to := range e.to {
				if name := g.nameOf(to); name != "" && name != e.name {
					add(name, e.name)
				}
			}
		}
	}
	g.parts[partAliases] = aliasColumn(seen)
}

// nameOf is the name of a target, "" if it is no symbol.
func (g *Graph) nameOf(to resolve.SymbolID) string {
	if to.Index < 0 {
		return ""
	}
	return g.str(g.sym.name[g.number(to)])
}
