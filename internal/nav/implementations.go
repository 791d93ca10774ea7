package nav

import (
	"cmp"
	"context"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// down is the direction to what implements something.
const down = "down"

func implementationsOnce(ctx context.Context, s *Service, req ImplementationsRequest) (ImplementationsResponse,
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
		return kinAcross(ctx, s, req, ask, p)
	}
	g, err := s.open(ctx, req.RepoID)
	if err != nil {
		return ImplementationsResponse{}, err
	}
	defer g.Close()
	sym, err := find(ctx, g, ask)
	if err != nil {
		return ImplementationsResponse{}, excuse(g.unread, err)
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
	if res.Items, err = finish(ctx, g, cut(p, items, total, sym.partial, &res.Meta), &res.Meta); err != nil {
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

func related(start overlay.Def, r lineage.Related) models.NavItem {
	return models.NavItem{
		FilePath: r.File, Line: r.Line, Column: r.Column, Symbol: r.Qualified, Kind: r.Kind, Edge: r.Edge, Tier: r.Tier,
		Confidence: share(r.Confidence), Depth: r.Depth, Definition: start.ID, Test: isTest(r.File),
	}
}
