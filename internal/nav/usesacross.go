package nav

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// wantedUses are the uses that are asked for: of a symbol, in files, a page of
// them.
type wantedUses struct {
	symbol asked
	files  fileFilter
	page   page
}

// usedAcross finds the uses of a symbol in all repositories that a filter means:
// those of the repository that declares it first, then those of others that take
// its modules, tests last.
func usedAcross(ctx context.Context, s *Service, req WhereUsedRequest, of wantedUses) (WhereUsedResponse, error) {
	ask, f, p := of.symbol, of.files, of.page
	u, err := unite(ctx, s, req.RepoID, ask.name)
	if err != nil {
		return WhereUsedResponse{}, err
	}
	defer u.Close()
	a := acrossUses{union: u, req: req, filter: f, counts: map[models.RepoID]int{}}
	homes, err := u.find(ctx, ask)
	if err != nil {
		if a, err = outside(ctx, u, req, f, err); err != nil {
			return WhereUsedResponse{}, err
		}
	}
	for _, h := range homes {
		if err := a.of(ctx, h); err != nil {
			return WhereUsedResponse{}, err
		}
	}
	res := WhereUsedResponse{Symbol: req.Symbol, Definitions: a.definitions}
	if len(homes) > 0 {
		res.Symbol = homes[0].found.called(req.Symbol)
	}
	res.Repositories = u.across(a.counts, &res.Meta)
	partial := slices.ContainsFunc(u.members, func(m *member) bool { return m.answer.partial })
	items := cut(p, a.items, len(a.items), partial, &res.Meta)
	if res.Items, err = finishAmong(ctx, u.members, items, &res.Meta); err != nil {
		return WhereUsedResponse{}, err
	}
	a.say(homes, &res.Meta)
	return res, nil
}

// acrossUses gathers the uses of definitions in the members of a union.
type acrossUses struct {
	*union

	req         WhereUsedRequest
	filter      fileFilter
	definitions []models.Definition
	items       []models.NavItem
	counts      map[models.RepoID]int
}

// of adds the uses of what one home declares.
func (a *acrossUses) of(ctx context.Context, h home) error {
	local := uses{gateway: h.gateway, symbols: h.found, filter: a.filter, edges: a.req.Edges, limit: math.MaxInt}
	local.gather()
	byDefinition := map[string][]models.NavItem{}
	note := func(m *member, items []models.NavItem) {
		for _, item := range items {
			item.RepoID, item.Definition = m.id, string(h.id)+":"+item.Definition
			byDefinition[item.Definition] = append(byDefinition[item.Definition], item)
		}
	}
	note(h.member, local.items)
	for _, m := range a.members {
		i := slices.Index(m.uses, h.member)
		if i < 0 || len(h.found.defs) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, d := range h.found.defs {
			note(m, a.abroad(m, i, d, &local))
		}
	}
	if a.req.IncludeText && len(h.found.defs) > 0 {
		if err := a.texts(ctx, h, byDefinition); err != nil {
			return err
		}
	}
	for _, d := range local.definitions {
		d.RepoID, d.ID = h.id, string(h.id)+":"+d.ID
		of := byDefinition[d.ID]
		slices.SortStableFunc(of, func(x, y models.NavItem) int { return yes(x.Test) - yes(y.Test) })
		tests := 0
		for _, item := range of {
			a.counts[item.RepoID]++
			tests += yes(item.Test)
		}
		d.Uses, d.Tests = new(len(of)), tests
		a.definitions, a.items = append(a.definitions, d), append(a.items, of...)
	}
	for _, item := range byDefinition[string(h.id)+":"] { // text
		a.counts[item.RepoID]++
		item.Definition = ""
		a.items = append(a.items, item)
	}
	return h.found.describe(ctx, h.gateway, a.definitions[len(a.definitions)-len(local.definitions):])
}

// abroad are the uses of a definition in another member.
func (a *acrossUses) abroad(m *member, other int, d overlay.Def, local *uses) (items []models.NavItem) {
	for _, use := range m.joint().Uses(other, d) {
		if len(a.req.Edges) > 0 && !slices.Contains(a.req.Edges, use.Edge) || !a.filter.takes(use.File) {
			continue
		}
		items = append(items, local.item(d, use))
	}
	return items
}

// texts adds the places of the name that are no reference.
func (a *acrossUses) texts(ctx context.Context, h home, byDefinition map[string][]models.NavItem) error {
	for _, m := range a.members {
		t := uses{
			gateway: m.gateway, symbols: symbols{view: m.answer.view, defs: h.found.defs}, filter: a.filter,
			limit: math.MaxInt,
		}
		if err := t.text(ctx); err != nil {
			return err
		}
		for _, item := range t.items {
			item.RepoID = m.id
			byDefinition[string(h.id)+":"] = append(byDefinition[string(h.id)+":"], item)
		}
	}
	return nil
}

func (a *acrossUses) say(homes []home, meta *models.Meta) {
	externals(a.definitions, meta)
	n := 0
	for _, h := range homes {
		n += len(h.found.defs)
	}
	if len(a.items) == 0 {
		addMessage(meta, "it is defined, and no use of it was found in these repositories")
	}
	for _, h := range homes {
		found := h.found
		found.notes = nil // said of each repository
		found.say(meta)
	}
	if n > 1 && len(homes) > 1 {
		addMessage(meta, "several repositories declare the name; its id, with the repository before it, picks one")
	}
}

// finishAmong gives items their snippets, each from its repository.
func finishAmong(
	ctx context.Context, members []*member, items []models.NavItem, meta *models.Meta,
) ([]models.NavItem, error) {
	type placed struct {
		at   int
		item models.NavItem
	}
	var all []placed
	for _, m := range members {
		var own []models.NavItem
		var at []int
		for i, item := range items {
			if item.RepoID == m.id {
				own, at = append(own, item), append(at, i)
			}
		}
		if len(own) == 0 {
			continue
		}
		done, err := finish(ctx, m.gateway, own, meta)
		if err != nil {
			return nil, err
		}
		k := 0
		for i := range own { // what is gone is left out
			if k < len(done) && samePlace(own[i], done[k]) {
				all = append(all, placed{at[i], done[k]})
				k++
			}
		}
	}
	slices.SortFunc(all, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	out := make([]models.NavItem, len(all))
	for i := range all {
		out[i] = all[i].item
	}
	return out, nil
}

func samePlace(a, b models.NavItem) bool {
	return a.FilePath == b.FilePath && a.Line == b.Line && a.Column == b.Column && a.Edge == b.Edge &&
		a.Definition == b.Definition
}
