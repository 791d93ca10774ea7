package nav

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/graph/usage"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// wantedUses are the uses that are asked for: of a symbol, in files, a page of
// them.
type wantedUses struct {
	symbol gateway.Asked
	files  gateway.FileFilter
	page   page
}

// usedAcross finds the uses of a symbol in all repositories that a filter means:
// those of the repository that declares it first, then those of others that take
// its modules, tests last.
func usedAcross(
	ctx context.Context, s *gateway.Opener, req WhereUsedRequest, of wantedUses,
) (WhereUsedResponse, error) {
	ask, f, p := of.symbol, of.files, of.page
	u, err := gateway.Unite(ctx, s, req.RepoID, ask.Name)
	if err != nil {
		return WhereUsedResponse{}, err
	}
	defer u.Close()
	a := acrossUses{Union: u, req: req, filter: f, counts: map[models.RepoID]int{}}
	homes, err := u.Find(ctx, ask)
	if err != nil {
		if len(homes) > 0 { // a place
			req.Symbol, req.File = named(homes[0].Found, ask)
		}
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
		res.Symbol = homes[0].Found.Called(req.Symbol)
	}
	res.Repositories = u.Across(a.counts, &res.Meta)
	partial := slices.ContainsFunc(u.Members, func(m *gateway.Member) bool { return m.Answer.Partial })
	items := cut(p, a.items, len(a.items), partial, &res.Meta)
	if res.Items, err = finishAmong(ctx, u.Members, items, &res.Meta); err != nil {
		return WhereUsedResponse{}, err
	}
	a.say(homes, &res.Meta)
	return res, u.Checkouts(ctx, homes, u.Users(gateway.Places(a.items)), &res.Meta)
}

// acrossUses gathers the uses of definitions in the members of a union.
type acrossUses struct {
	*gateway.Union

	req         WhereUsedRequest
	filter      gateway.FileFilter
	definitions []models.Definition
	items       []models.NavItem
	counts      map[models.RepoID]int
}

// of adds the uses of what one home declares.
func (a *acrossUses) of(ctx context.Context, h gateway.Home) error {
	local := uses{Gateway: h.Gateway, Symbols: h.Found, filter: a.filter, edges: a.req.Edges, limit: math.MaxInt}
	local.gather(ctx)
	byDefinition := map[string][]models.NavItem{}
	note := func(m *gateway.Member, items []models.NavItem) {
		for _, item := range items {
			item.RepoID, item.Definition = m.ID, string(h.ID)+":"+item.Definition
			byDefinition[item.Definition] = append(byDefinition[item.Definition], item)
		}
	}
	note(h.Member, local.items)
	for _, m := range a.Members {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, d := range h.Found.Defs {
			note(m, a.abroad(ctx, m, h.Member, d, &local))
		}
	}
	if a.req.IncludeText && len(h.Found.Defs) > 0 {
		if err := a.texts(ctx, h, byDefinition); err != nil {
			return err
		}
	}
	for _, d := range local.definitions {
		d.RepoID, d.ID = h.ID, string(h.ID)+":"+d.ID
		of := byDefinition[d.ID]
		slices.SortStableFunc(of, func(x, y models.NavItem) int { return gateway.Yes(x.Test) - gateway.Yes(y.Test) })
		tests := 0
		for _, item := range of {
			a.counts[item.RepoID]++
			tests += gateway.Yes(item.Test)
		}
		d.Uses, d.Tests = new(len(of)), tests
		a.definitions, a.items = append(a.definitions, d), append(a.items, of...)
	}
	for _, item := range byDefinition[string(h.ID)+":"] { // text
		a.counts[item.RepoID]++
		item.Definition = ""
		a.items = append(a.items, item)
	}
	return h.Found.Describe(ctx, h.Gateway, a.definitions[len(a.definitions)-len(local.definitions):])
}

// abroad are the uses of a definition in another member.
func (a *acrossUses) abroad(
	ctx context.Context, m, home *gateway.Member, d overlay.Def, local *uses,
) (items []models.NavItem) {
	file := func(u usage.Use) string { return u.File }
	ask := func(j *joint.Joint, other int) []usage.Use { return j.Uses(ctx, other, d) }
	for _, use := range gateway.Taking(m, home, ask, file) {
		if len(a.req.Edges) > 0 && !slices.Contains(a.req.Edges, use.Edge) || !a.filter.Match(use.File) {
			continue
		}
		items = append(items, local.item(d, use))
	}
	return items
}

// texts adds the places of the name that are no reference.
func (a *acrossUses) texts(ctx context.Context, h gateway.Home, byDefinition map[string][]models.NavItem) error {
	for _, m := range a.Members {
		t := uses{
			Gateway: m.Gateway, Symbols: gateway.Symbols{View: m.Answer.View, Defs: h.Found.Defs}, filter: a.filter,
			limit: math.MaxInt,
		}
		if err := t.text(ctx); err != nil {
			return err
		}
		for _, item := range t.items {
			item.RepoID = m.ID
			byDefinition[string(h.ID)+":"] = append(byDefinition[string(h.ID)+":"], item)
		}
	}
	return nil
}

func (a *acrossUses) say(homes []gateway.Home, meta *models.Meta) {
	externals(a.definitions, meta)
	if len(a.items) == 0 {
		gateway.AddMessage(meta, "it is defined, and no use of it was found in these repositories")
	}
	for _, h := range homes {
		h.Found.SayInherited(meta)
	}
	gateway.SayMany(homes, meta)
}

// finishAmong gives items their snippets, each from its repository.
func finishAmong(
	ctx context.Context, members []*gateway.Member, items []models.NavItem, meta *models.Meta,
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
			if item.RepoID == m.ID {
				own, at = append(own, item), append(at, i)
			}
		}
		if len(own) == 0 {
			continue
		}
		done, err := gateway.Finish(ctx, m.Gateway, own, meta)
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
