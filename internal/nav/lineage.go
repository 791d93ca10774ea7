package nav

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/filekind"
)

func lineageOnce(ctx context.Context, s *across.Opener, req LineageRequest) (LineageResponse, error) {
	dir, err := lineage.ParseDirection(req.Direction)
	ask := gateway.Asked{Name: req.Symbol, File: req.File, Line: req.Line, Column: req.Column}
	if err == nil {
		err = ask.Check()
	}
	if err != nil {
		return LineageResponse{}, err
	}
	list := req
	list.MaxResults, list.Cursor = nil, ""
	p, err := newPage(req.Cursor, req.MaxResults, defaultLineageLimit, list)
	if err != nil {
		return LineageResponse{}, err
	}
	o := lineage.Options{
		Depth: defaultLineageDepth, MaxResults: p.end(), Keep: kept[req.Only],
		Edges: req.Edges, Recursion: true, Outer: true,
	}
	if req.Depth != nil {
		o.Depth = *req.Depth
	}
	if across.IsFilter(req.RepoID) {
		return lineageAcross(ctx, s, req, o, p)
	}
	g, err := s.Open(ctx, req.RepoID)
	if err != nil {
		return LineageResponse{}, err
	}
	defer g.Close()
	sym, err := gateway.Find(ctx, g, ask)
	if err != nil {
		return LineageResponse{}, ofOutside(ctx, g, sym, ask, err)
	}
	if len(sym.Defs) == 0 {
		return LineageResponse{}, sym.NoLineage()
	}
	res := LineageResponse{Symbol: sym.Called(req.Symbol), Direction: string(dir)}
	g.Head(&res.Meta)
	items, err := followed(ctx, sym, o, p, &res)
	if err != nil {
		return LineageResponse{}, err
	}
	if *res.Meta.Total == 0 {
		sayNone(&res.Meta, dir, req)
	}
	if res.Items, err = gateway.Finish(ctx, g, items, &res.Meta); err != nil {
		return LineageResponse{}, err
	}
	sym.Say(&res.Meta)
	return res, sayOutside(ctx, g, &res.Meta)
}

// kept tells what Only of a request keeps; nil: all.
var kept = map[string]func(lineage.Reached) bool{
	"tests": reachedTest, "code": func(r lineage.Reached) bool { return !reachedTest(r) },
}

// reachedTest tells tests by their files, and those beside what they test by name.
func reachedTest(r lineage.Reached) bool { return filekind.IsTest(r.File) || isTestDef(r.Def) }

func isTestDef(d overlay.Def) bool {
	return filekind.IsTest(d.File) || filekind.InTest(d.File, d.Kind, d.Qualified)
}

// scripts tell of files of JavaScript and TypeScript which have tests, and which only help
// them.
type scripts struct {
	v     *overlay.View
	calls map[string]bool // files that call what declares a test; nil until that is asked
}

// declaring are the functions that declare tests, of all usual runners.
var declaring = []string{"test", "it", "describe", "suite", "specify", "tape"}

// runs reports whether a file can be run for its tests: one that is called so, or that
// declares some. Other languages say it by the names of functions.
func (s *scripts) runs(file string) bool {
	base := path.Base(file)
	if !facts.Script(gateway.FactLanguage(file)) || strings.Contains(base, "test") || strings.Contains(base, "spec") {
		return true
	}
	if s.calls == nil {
		s.calls = map[string]bool{}
		changed := s.v.World().ChangedFiles()
		for _, name := range declaring {
			for _, f := range s.v.FilesWith(name) {
				if !slices.Contains(changed, f) || slices.ContainsFunc(s.v.World().File(f).Refs,
					func(r facts.Ref) bool { return r.Name == name }) {
					s.calls[s.v.World().Path(f)] = true
				}
			}
		}
	}
	return s.calls[file]
}

func reached(start overlay.Def, r lineage.Reached, hub bool) models.NavItem {
	item := models.NavItem{
		FilePath: r.File, Line: r.Line, Column: r.Column, Symbol: r.Def.Qualified, Kind: r.Def.Kind, Edge: r.Edge,
		Confidence: gateway.Share(r.Confidence), Depth: r.Depth, Definition: start.ID, Hub: hub, Test: reachedTest(r),
	}
	if r.Tier > resolve.TierC { // it is inferred
		item.Tier = r.Tier.String()
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

// followed follows each definition until there are enough items.
func followed(
	ctx context.Context, s gateway.Symbols, o lineage.Options, p page, res *LineageResponse,
) ([]models.NavItem, error) {
	dir := lineage.Direction(res.Direction)
	most, total, hubs, ended := o.MaxResults, 0, 0, false
	items := []models.NavItem{}
	for _, d := range s.Defs {
		def := definition(d)
		def.Prototype = s.IsPrototype(d)
		res.Definitions = append(res.Definitions, def)
	}
	for _, d := range s.Functions() {
		o.Also = s.Prototypes(d)
		o.MaxResults = max(most-len(items), 1)
		l, err := lineage.Follow(ctx, s.View, d, dir, o)
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
	items = cut(p, items, total, ended || hubs > 0 || s.Partial, &res.Meta)
	if p.end() >= total { // what is behind hubs has no page
		res.Meta.NextCursor = ""
	}
	sayReached(&res.Meta, hubs, ended)
	return items, nil
}
