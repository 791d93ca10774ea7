package nav

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// down is the direction to what implements something.
const down = "down"

func implementationsOnce(ctx context.Context, s *across.Opener, req ImplementationsRequest) (ImplementationsResponse,
	error,
) {
	ask := gateway.Asked{Name: req.Symbol, File: req.File, Line: req.Line, Column: req.Column}
	if err := ask.Check(); err != nil {
		return ImplementationsResponse{}, err
	}
	req.Direction = cmp.Or(req.Direction, down)
	list := req
	list.Limit, list.Cursor = nil, ""
	p, err := newPage(req.Cursor, req.Limit, defaultWhereUsedLimit, list)
	if err != nil {
		return ImplementationsResponse{}, err
	}
	if across.IsFilter(req.RepoID) {
		return kinAcross(ctx, s, req, ask, p)
	}
	g, err := s.Open(ctx, req.RepoID)
	if err != nil {
		return ImplementationsResponse{}, err
	}
	defer g.Close()
	sym, err := gateway.Find(ctx, g, ask)
	if fault.CodeOf(err) == fault.SymbolNotFound || err == nil && len(sym.Defs) == 0 {
		if o, known, wrong := gateway.SatisfyingOuter(ctx, g, ask); known && wrong == nil {
			return satisfying(ctx, g, req, o, p)
		}
	}
	if err != nil {
		return ImplementationsResponse{}, ofOutside(ctx, g, sym, ask, err)
	}
	if len(sym.Defs) == 0 {
		return ImplementationsResponse{},
			fault.New(fault.InvalidRequest, "%s is a %s; types and methods have implementations", sym.Place.Name,
				sym.Place.Local.Kind)
	}
	res := ImplementationsResponse{Symbol: sym.Called(req.Symbol), Direction: req.Direction}
	g.Head(&res.Meta)
	defs := sym.Defs
	if req.Direction != down && sym.Place != nil {
		if key, ok := lineage.KeyAt(sym.View, sym.Place.File, *req.Line, *req.Column); ok {
			defs = []overlay.Def{key} // not what it implements
		}
	}
	items, err := hierarchyOf(ctx, sym.View, defs, req.Direction, &res)
	if err != nil {
		return ImplementationsResponse{}, err
	}
	total := len(items)
	if res.Items, err = gateway.Finish(ctx, g, cut(p, items, total, sym.Partial, &res.Meta), &res.Meta); err != nil {
		return ImplementationsResponse{}, err
	}
	sym.Say(&res.Meta)
	if total == 0 {
		what := "nothing implements, extends or overrides it"
		if req.Direction != down {
			what = "it implements, extends and overrides nothing in the repository"
		}
		gateway.AddMessage(&res.Meta, what)
	}
	return res, sayOutside(ctx, g, &res.Meta)
}

// satisfying lists the types that satisfy an interface of a module that is not indexed.
func satisfying(ctx context.Context, g *gateway.Gateway, req ImplementationsRequest, o gateway.Outer, p page,
) (ImplementationsResponse, error) {
	if req.Direction != down {
		return ImplementationsResponse{}, fault.New(fault.SymbolNotFound,
			"%s.%s is declared in %s, which is not indexed: what it extends is not known", o.Module, o.Name, o.Module)
	}
	res := ImplementationsResponse{Symbol: cmp.Or(req.Symbol, o.Name), Direction: req.Direction}
	g.Head(&res.Meta)
	items, def := outerKin(o)
	res.Definitions = []models.Definition{def}
	total := len(items)
	var err error
	if res.Items, err = gateway.Finish(ctx, g, cut(p, items, total, o.Partial, &res.Meta), &res.Meta); err != nil {
		return ImplementationsResponse{}, err
	}
	gateway.Symbols{Notes: o.Notes}.Say(&res.Meta)
	externals(res.Definitions, &res.Meta)
	if total == 0 {
		gateway.AddMessage(&res.Meta, "no type of the repository satisfies it")
	}
	return res, sayOutside(ctx, g, &res.Meta)
}

// outerKin are the types that satisfy an interface of a module that is not indexed.
func outerKin(o gateway.Outer) ([]models.NavItem, models.Definition) {
	def := models.Definition{
		ID: o.Module + ":" + o.Name, Name: o.Name, Qualified: o.Module + "." + o.Name, Kind: "external", External: o.Module,
	}
	var items []models.NavItem
	for _, d := range o.Defs {
		items = append(items, related(overlay.Def{ID: def.ID}, lineage.Related{
			Def: d, Edge: string(facts.Implements), Tier: resolve.TierC.String(), Confidence: 1, Depth: 1,
		}))
	}
	slices.SortStableFunc(items, func(a, b models.NavItem) int { return gateway.Yes(a.Test) - gateway.Yes(b.Test) })
	return items, def
}

func related(start overlay.Def, r lineage.Related) models.NavItem {
	return models.NavItem{
		FilePath: r.File, Line: r.Line, Column: r.Column, Symbol: r.Qualified, Kind: r.Kind, Edge: r.Edge, Tier: r.Tier,
		Confidence: gateway.Share(r.Confidence), Depth: r.Depth, Definition: start.ID, Test: filekind.IsTest(r.File),
	}
}

// hierarchyOf lists the kin of each definition.
func hierarchyOf(
	ctx context.Context, v *overlay.View, defs []overlay.Def, direction string, res *ImplementationsResponse,
) ([]models.NavItem, error) {
	var items []models.NavItem
	seen := map[string]bool{}
	for _, d := range defs {
		res.Definitions = append(res.Definitions, definition(d))
		all, err := lineage.Hierarchy(ctx, v, d, direction != down)
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
