package gateway

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A Whole is the graph of all files with what changed since: what is needed by
// questions about more than a name.
type Whole struct {
	graph   *graph.Graph
	changes overlay.Changes
	Notes   []string

	resolver func(resolve.World) graph.Resolver
}

// WholeOf is that of the stored graph, or of one that is made now where there are
// few files. Else it is IndexNotReady.
func WholeOf(ctx context.Context, g *Gateway) (Whole, error) {
	if g.Verdict.Graph {
		changes, _, err := g.changes(ctx)
		return Whole{graph: g.Stored.Graph, changes: changes, resolver: g.Stored.resolver(g.Tree)}, err
	}
	c, err := g.candidates(ctx, "", ShareOf(ctx, 3))
	if err != nil {
		return Whole{}, err
	}
	if !c.all {
		return Whole{}, fault.New(fault.IndexNotReady,
			"it needs the graph of the repository, which has too many files to be read now; %s", remedy(g))
	}
	made, notes, _, err := g.make(ctx, "", c)
	return Whole{graph: made, Notes: notes, resolver: Resolver}, err
}

// With is the view of the files when some are other than they are.
func (w Whole) With(changed []*facts.File, deleted []string) *overlay.View {
	o := overlay.Changes{Changed: slices.Concat(w.changes.Changed, changed), Hashes: maps.Clone(w.changes.Hashes)}
	is := map[string]bool{}
	for _, f := range changed {
		is[f.Path] = true
		delete(o.Hashes, f.Path)
	}
	for _, p := range w.changes.Deleted {
		if !is[p] {
			o.Deleted = append(o.Deleted, p)
		}
	}
	gone := map[string]bool{}
	for _, p := range deleted {
		gone[p] = true
		o.Deleted = append(o.Deleted, p)
	}
	o.Changed = slices.DeleteFunc(o.Changed, func(f *facts.File) bool { return gone[f.Path] })
	return overlay.Lay(w.graph, o, w.resolver)
}

// left says what a graph that was made now lacks.
func left(files, unsearched, of int) string {
	return fmt.Sprintf("time was short: %d of the %s that may have uses were not read, and %d not searched; what is "+
		"only there is missing", files, CountedFiles(of), unsearched)
}
