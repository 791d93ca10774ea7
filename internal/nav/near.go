package nav

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Neighbourhood is what stands next to a symbol in the graph.
type Neighbourhood struct {
	Users []models.Definition // what uses it, tests last
	Total int                 // of them
	Used  []models.Definition // what it uses in this repository
}

// CountUses tells of hits that are symbols of a graph how often they are used,
// by that alone: nothing is compared with the folder, and a symbol that is not
// where the graph has it is not told of.
func (s *Service) CountUses(ctx context.Context, hits []models.SearchResult) {
	graphs := map[models.RepoID]*graph.Graph{}
	for i := range hits {
		h := &hits[i]
		if h.DocType != models.TypeSymbol || h.FilePath == nil || h.StartLine == nil || h.SymbolName == nil ||
			h.Kind == "chunk" {
			continue
		}
		g, known := graphs[h.RepoID]
		if !known {
			g = s.graphOf(ctx, h.RepoID)
			graphs[h.RepoID] = g
		}
		if g == nil {
			continue
		}
		if uses, tests, ok := g.CountUses(*h.FilePath, *h.SymbolName, *h.StartLine, *h.EndLine, isTest); ok {
			h.Uses, h.Tests = &uses, &tests
		}
	}
}

// graphOf is the graph of a repository; nil when there is none.
func (s *Service) graphOf(ctx context.Context, id models.RepoID) *graph.Graph {
	tree, _, err := s.tree(ctx, id)
	if err != nil {
		return nil
	}
	defer func() { _ = tree.Close() }()
	if s.builds == nil { // one request: what else belongs to a graph is not read
		g, err := graph.Load(tree.Root())
		if err != nil {
			return nil
		}
		return g
	}
	st, err := s.stored(tree)
	if err != nil {
		return nil
	}
	return st.graph
}

// sure is how likely an edge must be what it says, to be told without its doubt.
const sure = 0.9

// maxLive is how many changed files are laid over a graph for a neighbourhood.
const maxLive = 10

// Near finds the neighbours of an indexed symbol, up to a limit each way, by the
// graph alone, doubtful ones left out. Nothing is scanned: without a graph that is true of the files as
// they are, or without such a symbol in it, ok is false.
func (s *Service) Near(ctx context.Context, symbol models.Header, limit int) (n Neighbourhood, ok bool, err error) {
	g, err := s.open(ctx, symbol.RepoID)
	if err != nil {
		return n, false, err
	}
	defer g.Close()
	if !g.verdict.Graph || len(g.verdict.Live) > maxLive {
		return n, false, nil
	}
	view, err := g.view(ctx)
	if err != nil {
		return n, false, err
	}
	defs := view.Find(symbol.SymbolName, graph.Pick{File: symbol.FilePath})
	i := slices.IndexFunc(defs, func(d graph.Def) bool { return d.Line >= symbol.StartLine && d.Line <= symbol.EndLine })
	if i < 0 {
		return n, false, nil
	}
	users := view.Uses(defs[i], graph.UseOptions{Last: isTest})
	seen := map[string]bool{defs[i].ID: true}
	for _, use := range users.Uses {
		if use.In.ID != "" && use.Confidence >= sure && !seen[use.In.ID] {
			seen[use.In.ID] = true
			if n.Total++; len(n.Users) < limit {
				n.Users = append(n.Users, definition(use.In))
			}
		}
	}
	below, err := view.Lineage(ctx, defs[i], graph.Downstream, graph.LineageOptions{Depth: 1, MaxResults: limit})
	for _, r := range below.Items {
		if r.Def.ID != "" && r.Confidence >= sure {
			n.Used = append(n.Used, definition(r.Def))
		}
	}
	if g.stored.graph.Damaged() {
		s.dropDamaged()
		return Neighbourhood{}, false, err
	}
	return n, true, err
}
