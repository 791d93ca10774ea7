package nav

import (
	"context"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

// Lineage follows uses from a symbol over several hops, nearest first: upstream
// to what reaches it, downstream to what it reaches. Of several definitions of
// the name all are followed, one after the other.
func (s *Service) Lineage(ctx context.Context, req LineageRequest) (LineageResponse, error) {
	return sound(ctx, s, req, s.lineageOnce)
}

func (s *Service) lineageOnce(ctx context.Context, req LineageRequest) (LineageResponse, error) {
	dir, err := graph.ParseDirection(req.Direction)
	ask := asked{req.Symbol, req.File, req.Line, req.Column}
	if err == nil {
		err = ask.check()
	}
	if err != nil {
		return LineageResponse{}, err
	}
	list := req
	list.MaxResults, list.Cursor = nil, ""
	p, err := newPage(req.Cursor, req.MaxResults, DefaultLineageLimit, list)
	if err != nil {
		return LineageResponse{}, err
	}
	o := graph.LineageOptions{
		Depth: DefaultLineageDepth, MaxResults: p.end(), OnlyTests: req.Only == "tests",
		IsTest: reachedTest, Edges: req.Edges,
	}
	if req.Depth != nil {
		o.Depth = *req.Depth
	}
	if isFilter(req.RepoID) {
		return lineageAcross(ctx, s, req, o, p)
	}
	g, err := s.open(ctx, req.RepoID)
	if err != nil {
		return LineageResponse{}, err
	}
	defer g.Close()
	sym, err := g.find(ctx, ask)
	if err != nil {
		return LineageResponse{}, g.excuse(err)
	}
	if len(sym.defs) == 0 {
		return LineageResponse{}, sym.noLineage()
	}
	res := LineageResponse{Symbol: sym.called(req.Symbol), Direction: string(dir)}
	g.head(&res.Meta)
	items, err := sym.follow(ctx, dir, o, p, &res)
	if err != nil {
		return LineageResponse{}, err
	}
	if res.Items, err = g.finish(ctx, items, &res.Meta); err != nil {
		return LineageResponse{}, err
	}
	sym.say(&res.Meta)
	return res, nil
}

// noLineage says that what stands at a place is in one file only.
func (s symbols) noLineage() error {
	return fault.New(fault.InvalidRequest,
		"%s is a %s, and only symbols of the graph have a lineage; where-used lists its uses", s.place.name,
		s.place.local.Kind)
}

// reachedTest tells tests by their files, and those beside what they test by name.
func reachedTest(r graph.Reached) bool { return isTest(r.File) || isTestDef(r.Def) }

func isTestDef(d graph.Def) bool {
	return isTest(d.File) || filekind.InTest(d.File, d.Kind, d.Qualified)
}

// follow follows each definition until there are enough items.
func (s symbols) follow(ctx context.Context, dir graph.Direction, o graph.LineageOptions, p page,
	res *LineageResponse,
) ([]models.NavItem, error) {
	most, total, hubs, ended := o.MaxResults, 0, 0, false
	items := []models.NavItem{}
	for _, d := range s.defs {
		res.Definitions = append(res.Definitions, definition(d))
		o.MaxResults = max(most-len(items), 1)
		l, err := s.view.Lineage(ctx, d, dir, o)
		if err != nil {
			return nil, err
		}
		total += l.Total
		hubs += len(l.Hubs)
		ended = ended || l.Cut
		isHub := map[string]bool{}
		for _, h := range l.Hubs {
			isHub[h.ID] = true
		}
		for _, r := range l.Items[:min(len(l.Items), most-len(items))] {
			items = append(items, reached(d, r, isHub[r.Def.ID]))
		}
	}
	items = cut(p, items, total, ended || hubs > 0 || s.partial, &res.Meta)
	if p.end() >= total { // what is behind hubs has no page
		res.Meta.NextCursor = ""
	}
	sayReached(&res.Meta, dir, o, reachedCount{total, hubs, ended})
	return items, nil
}

func reached(start graph.Def, r graph.Reached, hub bool) models.NavItem {
	item := models.NavItem{
		FilePath: r.File, Line: r.Line, Column: r.Column, Symbol: r.Def.Qualified, Kind: r.Def.Kind, Edge: r.Edge,
		Confidence: share(r.Confidence), Depth: r.Depth, Definition: start.ID, Hub: hub, Test: reachedTest(r),
	}
	for _, s := range r.Sites {
		if len(r.Sites) > 1 {
			item.Sites = append(item.Sites, models.Site{FilePath: s.File, Line: s.Line, Column: s.Column})
		}
	}
	for _, d := range r.Path {
		id := d.ID
		if id == "" {
			id = d.File
		}
		item.Path = append(item.Path, id)
	}
	return item
}
