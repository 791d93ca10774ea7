package nav

import (
	"context"

	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

func lineageOnce(ctx context.Context, s *Service, req LineageRequest) (LineageResponse, error) {
	dir, err := lineage.ParseDirection(req.Direction)
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
	o := lineage.Options{
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
	sym, err := find(ctx, g, ask)
	if err != nil {
		return LineageResponse{}, excuse(g.unread, err)
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
	if res.Items, err = finish(ctx, g, items, &res.Meta); err != nil {
		return LineageResponse{}, err
	}
	sym.say(&res.Meta)
	return res, nil
}

// reachedTest tells tests by their files, and those beside what they test by name.
func reachedTest(r lineage.Reached) bool { return isTest(r.File) || isTestDef(r.Def) }

func isTestDef(d overlay.Def) bool {
	return isTest(d.File) || filekind.InTest(d.File, d.Kind, d.Qualified)
}

func reached(start overlay.Def, r lineage.Reached, hub bool) models.NavItem {
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
