package nav

import (
	"cmp"
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// kinAcross is Implementations in all repositories that a filter means.
func kinAcross(ctx context.Context, s *across.Opener, req ImplementationsRequest, ask gateway.Asked,
	p page,
) (ImplementationsResponse, error) {
	u, err := across.Unite(ctx, s, req.RepoID, ask.Name)
	if err != nil {
		return ImplementationsResponse{}, err
	}
	defer u.Close()
	homes, err := u.Find(ctx, ask)
	if fault.CodeOf(err) == fault.SymbolNotFound && req.Direction == down {
		if res, known, wrong := satisfyingAcross(ctx, u, req, ask, p); known || wrong != nil {
			return res, wrong
		}
	}
	if err != nil {
		return ImplementationsResponse{}, err
	}
	res := ImplementationsResponse{Symbol: homes[0].Found.Called(req.Symbol), Direction: req.Direction}
	var items []models.NavItem
	counts := map[models.RepoID]int{}
	for _, h := range homes {
		if len(h.Found.Defs) == 0 {
			return ImplementationsResponse{},
				fault.New(fault.InvalidRequest, "%s is a %s; types and methods have implementations", h.Found.Place.Name,
					h.Found.Place.Local.Kind)
		}
		for _, d := range h.Found.Defs {
			def := definition(d)
			def.RepoID, def.ID = h.ID, string(h.ID)+":"+d.ID
			res.Definitions = append(res.Definitions, def)
			all, err := kin(ctx, u, h.Member, d, req.Direction != down)
			if err != nil {
				return ImplementationsResponse{}, err
			}
			for _, k := range all {
				item := related(d, k.Related)
				item.RepoID, item.Definition = k.Member.ID, def.ID
				counts[k.Member.ID]++
				items = append(items, item)
			}
		}
	}
	res.Repositories = u.Head(counts, &res.Meta)
	partial := slices.ContainsFunc(u.Members, func(m *across.Member) bool { return m.Answer.Partial })
	if res.Items, err = finishAmong(ctx, u.Members, cut(p, items, len(items), partial, &res.Meta), &res.Meta); err != nil {
		return ImplementationsResponse{}, err
	}
	if len(items) == 0 {
		gateway.AddMessage(&res.Meta, "nothing of that kind was found in these repositories")
	}
	return res, u.Checkouts(ctx, homes, u.Users(across.Places(items)), &res.Meta)
}

// satisfyingAcross lists the types that satisfy an interface of a module that is not
// indexed.
func satisfyingAcross(
	ctx context.Context, u *across.Union, req ImplementationsRequest, ask gateway.Asked, p page,
) (res ImplementationsResponse, known bool, err error) {
	if ask.Name == "" { // what stands at a place of one has the same name in all
		m, file, err := u.Having(ctx, ask.File)
		if err != nil {
			return res, false, err
		}
		ask.File = file
		o, is, err := gateway.SatisfyingOuter(ctx, m.Gateway, ask)
		if err != nil || !is {
			return res, false, err
		}
		ask = gateway.Asked{Name: o.Module + "." + o.Name}
	}
	res = ImplementationsResponse{Symbol: cmp.Or(req.Symbol, gateway.Last(ask.Name)), Direction: req.Direction}
	var items []models.NavItem
	counts, partial := map[models.RepoID]int{}, false
	for _, m := range u.Members {
		o, is, err := gateway.SatisfyingOuter(ctx, m.Gateway, gateway.Asked{Name: ask.Name})
		if err != nil || !is {
			return res, false, err
		}
		all, def := outerKin(o)
		for i := range all {
			all[i].RepoID = m.ID
		}
		res.Definitions, partial = []models.Definition{def}, partial || o.Partial
		counts[m.ID] = len(all)
		items = append(items, all...)
	}
	res.Repositories = u.Head(counts, &res.Meta)
	res.Items, err = finishAmong(ctx, u.Members, cut(p, items, len(items), partial, &res.Meta), &res.Meta)
	externals(res.Definitions, &res.Meta)
	if len(items) == 0 {
		gateway.AddMessage(&res.Meta, "no type of these repositories satisfies it")
	}
	return res, true, err
}

// A kinsman is a related symbol of a member.
type kinsman struct {
	*across.Member
	lineage.Related
}

// kin finds what a symbol is related to, nearest first: in its repository, in
// those that take its modules or that it takes modules of, and on from there.
func kin(ctx context.Context, u *across.Union, m *across.Member, d overlay.Def, up bool) (all []kinsman, err error) {
	type key struct {
		*across.Member
		id string
	}
	seen := map[key]bool{{m, d.ID}: true}
	queue := []kinsman{{m, lineage.Related{Def: d, Confidence: 1}}}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		next, err := nearest(ctx, u.Members, at, up)
		if err != nil {
			return nil, err
		}
		for _, k := range next {
			k.Depth, k.Confidence = k.Depth+at.Depth, k.Confidence*at.Confidence
			if !seen[key{k.Member, k.Def.ID}] {
				seen[key{k.Member, k.Def.ID}] = true
				all, queue = append(all, k), append(queue, k)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b kinsman) int { return a.Depth - b.Depth })
	return all, nil
}

// nearest are the related symbols of the same repository, and the next ones of
// others.
func nearest(ctx context.Context, members []*across.Member, at kinsman, up bool) (all []kinsman, err error) {
	if at.Symbol.Index < 0 {
		return nil, nil // an object of TypeScript that is written in place
	}
	inside, err := lineage.Hierarchy(ctx, at.Answer.View, at.Def, up)
	if err != nil {
		return nil, err
	}
	for _, r := range inside {
		if r.Depth == 1 {
			all = append(all, kinsman{at.Member, r})
		}
	}
	if up {
		if s := at.ScopeOf(at.File); len(s.Uses) > 0 {
			for _, k := range s.Joint().Above(at.Def) {
				all = append(all, kinsman{s.Uses[k.Other], k.Related})
			}
		}
		return all, nil
	}
	for _, m := range members {
		file := func(k joint.ForeignKin) string { return k.File }
		ask := func(j *joint.Joint, other int) []joint.ForeignKin { return j.Below(ctx, other, at.Def) }
		for _, k := range across.Taking(m, at.Member, ask, file) {
			all = append(all, kinsman{m, k.Related})
		}
	}
	return all, ctx.Err()
}
