package nav

import (
	"context"

	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/nav/graph/lookup"
	"github.com/ragnav/ragnav/internal/nav/graph/ondisk"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// A Neighbourhood is what stands next to a symbol in the graph.
type Neighbourhood struct {
	Users []models.Definition // what uses it, tests last
	Total int                 // of them
	Used  []models.Definition // what it uses in this repository
	Below []models.Definition // what implements or overrides it, nearest first
}

// counts tell how often symbols of a repository are used.
type counts struct {
	stored *graph.Counter   // nil: not known, or not as it is now
	edited *gateway.Gateway // files that changed lie over its graph; nil: none did
	view   *overlay.View    // of edited
	left   int              // how many may still be counted there
}

// mostCounted is how many symbols are counted with changed files over a graph, each by
// itself.
const mostCounted = 20

// countsOf looks at the folder where files may have changed, and where that costs
// next to nothing: in a process that was asked before.
func countsOf(ctx context.Context, s *gateway.Opener, id models.RepoID, edited bool) *counts {
	c := &counts{stored: usesOf(ctx, s, id), left: mostCounted}
	if c.stored == nil || !edited && s.Later == nil {
		return c
	}
	g, err := s.Open(ctx, id)
	if err != nil {
		return &counts{}
	}
	if g.Delta != nil && g.Delta.Count() == 0 {
		g.Close()
		return c
	}
	c.stored, c.edited = nil, g
	if g.Verdict.Graph && len(g.Verdict.Live) <= maxLive {
		if c.view, err = g.View(ctx); err != nil {
			c.view = nil
		}
	}
	return c
}

// count is how often the symbol of a hit is used, and how often in tests.
func (c *counts) count(ctx context.Context, h *models.SearchResult) (uses, tests int, ok bool) {
	switch {
	case c.stored != nil:
		return c.stored.Count(*h.FilePath, *h.SymbolName, *h.StartLine, *h.EndLine, filekind.IsTest)
	case c.view == nil || c.left == 0:
		return 0, 0, false
	}
	c.left--
	for _, d := range lookup.Find(ctx, c.view, *h.SymbolName, lookup.Pick{File: *h.FilePath}) {
		if d.Line >= *h.StartLine && d.Line <= *h.EndLine {
			found := usage.Find(ctx, c.view, d, usage.Options{Last: filekind.IsTest})
			return found.Len(), found.Last, ctx.Err() == nil
		}
	}
	return 0, 0, false
}

func (c *counts) Close() {
	if c.edited != nil {
		c.edited.Close()
	}
}

// usesOf is what the graph of a repository knows of uses; nil when there is none.
func usesOf(ctx context.Context, s *gateway.Opener, id models.RepoID) *graph.Counter {
	tree, _, err := s.Tree(ctx, id)
	if err != nil {
		return nil
	}
	defer func() { _ = tree.Close() }()
	if s.Later == nil { // one request: the rest of a graph is not read
		uses, err := ondisk.LoadCounter(tree.Root())
		if err != nil {
			return nil
		}
		return uses
	}
	st, err := s.Kept.Stored(tree)
	if err != nil {
		return nil
	}
	return st.Graph.Counter()
}

// sure is how likely an edge must be what it says, to be told without its doubt.
const sure = 0.9

// maxLive is how many changed files are laid over a graph for a neighbourhood.
const maxLive = 10
