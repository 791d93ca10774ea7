package nav

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph/lineage"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// kinAcross is Implementations in all repositories that a filter means.
func kinAcross(ctx context.Context, s *Service, req ImplementationsRequest, ask asked,
	p page,
) (ImplementationsResponse, error) {
	u, err := unite(ctx, s, req.RepoID, ask.name)
	if err != nil {
		return ImplementationsResponse{}, err
	}
	defer u.Close()
	homes, err := u.find(ctx, ask)
	if err != nil {
		return ImplementationsResponse{}, err
	}
	res := ImplementationsResponse{Symbol: homes[0].found.called(req.Symbol), Direction: req.Direction}
	var items []models.NavItem
	counts := map[models.RepoID]int{}
	for _, h := range homes {
		if len(h.found.defs) == 0 {
			return ImplementationsResponse{},
				fault.New(fault.InvalidRequest, "%s is a %s; types and methods have implementations", h.found.place.name,
					h.found.place.local.Kind)
		}
		for _, d := range h.found.defs {
			def := definition(d)
			def.RepoID, def.ID = h.id, string(h.id)+":"+d.ID
			res.Definitions = append(res.Definitions, def)
			all, err := kin(ctx, u, h.member, d, req.Direction != down)
			if err != nil {
				return ImplementationsResponse{}, err
			}
			for _, k := range all {
				item := related(d, k.Related)
				item.RepoID, item.Definition = k.id, def.ID
				counts[k.id]++
				items = append(items, item)
			}
		}
	}
	res.Repositories = u.across(counts, &res.Meta)
	partial := slices.ContainsFunc(u.members, func(m *member) bool { return m.answer.partial })
	if res.Items, err = finishAmong(ctx, u.members, cut(p, items, len(items), partial, &res.Meta), &res.Meta); err != nil {
		return ImplementationsResponse{}, err
	}
	if len(items) == 0 {
		addMessage(&res.Meta, "nothing of that kind was found in these repositories")
	}
	return res, nil
}

// A kinsman is a related symbol of a member.
type kinsman struct {
	*member
	lineage.Related
}

// kin finds what a symbol is related to, nearest first: in its repository, in
// those that take its modules or that it takes modules of, and on from there.
func kin(ctx context.Context, u *union, m *member, d overlay.Def, up bool) (all []kinsman, err error) {
	type key struct {
		*member
		id string
	}
	seen := map[key]bool{{m, d.ID}: true}
	queue := []kinsman{{m, lineage.Related{Def: d, Confidence: 1}}}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		next, err := nearest(ctx, u.members, at, up)
		if err != nil {
			return nil, err
		}
		for _, k := range next {
			k.Depth, k.Confidence = k.Depth+at.Depth, k.Confidence*at.Confidence
			if !seen[key{k.member, k.ID}] {
				seen[key{k.member, k.ID}] = true
				all, queue = append(all, k), append(queue, k)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b kinsman) int { return a.Depth - b.Depth })
	return all, nil
}

// nearest are the related symbols of the same repository, and the next ones of
// others.
func nearest(ctx context.Context, members []*member, at kinsman, up bool) (all []kinsman, err error) {
	inside, err := lineage.Hierarchy(ctx, at.answer.view, at.Def, up)
	if err != nil {
		return nil, err
	}
	for _, r := range inside {
		if r.Depth == 1 {
			all = append(all, kinsman{at.member, r})
		}
	}
	if up {
		if len(at.uses) > 0 {
			for _, k := range at.joint().Above(at.Def) {
				all = append(all, kinsman{at.uses[k.Other], k.Related})
			}
		}
		return all, nil
	}
	for _, m := range members {
		if i := slices.Index(m.uses, at.member); i >= 0 {
			for _, k := range m.joint().Below(i, at.Def) {
				all = append(all, kinsman{m, k.Related})
			}
		}
	}
	return all, ctx.Err()
}
