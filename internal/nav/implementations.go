package nav

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// down is the direction to what implements something.
const down = "down"

// Implementations finds what implements, extends or overrides a type or method,
// directly and through others, or what it implements, extends and overrides:
// also where only the methods of a type say so. Nearest come first.
func (s *Service) Implementations(ctx context.Context, req ImplementationsRequest) (ImplementationsResponse, error) {
	return sound(ctx, s, req, s.implementationsOnce)
}

func (s *Service) implementationsOnce(ctx context.Context, req ImplementationsRequest) (ImplementationsResponse,
	error,
) {
	ask := asked{req.Symbol, req.File, req.Line, req.Column}
	if err := ask.check(); err != nil {
		return ImplementationsResponse{}, err
	}
	req.Direction = cmp.Or(req.Direction, down)
	list := req
	list.Limit, list.Cursor = nil, ""
	p, err := newPage(req.Cursor, req.Limit, DefaultWhereUsedLimit, list)
	if err != nil {
		return ImplementationsResponse{}, err
	}
	if isFilter(req.RepoID) {
		return s.kinAcross(ctx, req, ask, p)
	}
	g, err := s.open(ctx, req.RepoID)
	if err != nil {
		return ImplementationsResponse{}, err
	}
	defer g.Close()
	sym, err := g.find(ctx, ask)
	if err != nil {
		return ImplementationsResponse{}, g.excuse(err)
	}
	if len(sym.defs) == 0 {
		return ImplementationsResponse{},
			fault.New(fault.InvalidRequest, "%s is a %s; types and methods have implementations", sym.place.name,
				sym.place.local.Kind)
	}
	res := ImplementationsResponse{Symbol: sym.called(req.Symbol), Direction: req.Direction}
	g.head(&res.Meta)
	items, err := sym.hierarchy(ctx, req.Direction, &res)
	if err != nil {
		return ImplementationsResponse{}, err
	}
	total := len(items)
	if res.Items, err = g.finish(ctx, cut(p, items, total, sym.partial, &res.Meta), &res.Meta); err != nil {
		return ImplementationsResponse{}, err
	}
	sym.say(&res.Meta)
	if total == 0 {
		what := "nothing implements, extends or overrides it"
		if req.Direction != down {
			what = "it implements, extends and overrides nothing in the repository"
		}
		addMessage(&res.Meta, what)
	}
	return res, nil
}

// hierarchy lists the kin of each definition.
func (s symbols) hierarchy(ctx context.Context, direction string, res *ImplementationsResponse) ([]models.NavItem,
	error,
) {
	var items []models.NavItem
	seen := map[string]bool{}
	for _, d := range s.defs {
		res.Definitions = append(res.Definitions, definition(d))
		all, err := s.view.Hierarchy(ctx, d, direction != down)
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			if key := fmt.Sprint(r.ID, "\x00", d.Qualified); !seen[key] {
				seen[key] = true
				items = append(items, related(d, r))
			}
		}
	}
	return items, nil
}

func related(start graph.Def, r graph.Related) models.NavItem {
	return models.NavItem{
		FilePath: r.File, Line: r.Line, Column: r.Column, Symbol: r.Qualified, Kind: r.Kind, Edge: r.Edge, Tier: r.Tier,
		Confidence: share(r.Confidence), Depth: r.Depth, Definition: start.ID, Test: isTest(r.File),
	}
}
