package build

import (
	"context"
	"sync/atomic"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/parallel"
)

// connectFile resolves one file.
func connectFile(r graph.Resolver, w *overlay.World, f resolve.FileID) graph.Connected {
	edges, n := overlay.EdgesOf(r, w, f)
	aliases := map[[2]string]bool{}
	alias := func(name, as string) { aliases[[2]string{name, as}] = true }
	for _, e := range edges {
		for _, to := range e.To {
			if to.Index < 0 {
				continue
			}
			if name := w.File(to.File).Symbols[to.Index].Name; name != e.Name {
				alias(name, e.Name)
			}
		}
	}
	file := w.File(f)
	graph.ImportAliases(file, alias)
	var links []graph.Link
	for i := range file.Symbols {
		links = append(links, overlay.LinksOf(r, w, resolve.SymbolID{File: f, Index: int32(i)})...)
	}
	return w.Base.Connection(f, edges, links, aliases, n)
}

// connectWhole resolves one file of a graph that is being built, whose
// references nobody else needs.
func connectWhole(r graph.Resolver, w *overlay.World, f resolve.FileID) (graph.Connected, error) {
	if err := w.Base.Facts.Hold(f); err != nil {
		return graph.Connected{}, err
	}
	defer w.Base.Facts.Drop(f)
	return connectFile(r, w, f), nil
}

// resolveAll resolves every file, workers at a time. What it finds does not
// depend on their number.
func resolveAll(ctx context.Context, w *overlay.World, in Input, kept *graph.Graph) ([]graph.Connected, error) {
	r := in.Resolver(w)
	all := make([]graph.Connected, w.Len())
	err := eachFile(ctx, len(all), in.Workers, func(i int) error {
		f := resolve.FileID(i)
		if kept != nil && kept.Tree.Same(w.Base.Tree, f) {
			var ok bool
			if all[i], ok = kept.Reconnected(w.Base, f); ok {
				return nil
			}
		}
		var err error
		all[i], err = connectWhole(r, w, f)
		return err
	})
	return all, err
}

// eachFile calls do with every number below n, workers at a time (0: as many as
// there are processors), until one fails or ctx is done.
func eachFile(ctx context.Context, n, workers int, do func(i int) error) error {
	if workers <= 0 {
		workers = parallel.Processors()
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
