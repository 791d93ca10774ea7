package nav

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

// A whole is the graph of all files with what changed since: what is needed by
// questions about more than a name.
type whole struct {
	graph   *graph.Graph
	changes overlay.Changes
	notes   []string

	resolver func(resolve.World) graph.Resolver
}

// wholeOf is that of the stored graph, or of one that is made now where there are
// few files. Else it is IndexNotReady.
func wholeOf(ctx context.Context, g *gateway) (whole, error) {
	if g.verdict.Graph {
		changes, _, err := g.changes(ctx)
		return whole{graph: g.stored.graph, changes: changes, resolver: g.stored.resolver(g.tree)}, err
	}
	c, err := g.candidates(ctx, "", shareOf(ctx, 3))
	if err != nil {
		return whole{}, err
	}
	if !c.all {
		return whole{}, fault.New(fault.IndexNotReady,
			"it needs the graph of the repository, which has too many files to be read now; %s", remedy(g))
	}
	made, notes, _, err := g.make(ctx, "", c)
	return whole{graph: made, notes: notes, resolver: resolver}, err
}

// with is the view of the files when some are other than they are.
func (w whole) with(changed []*facts.File, deleted []string) *overlay.View {
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
		"only there is missing", files, countedFiles(of), unsearched)
}
