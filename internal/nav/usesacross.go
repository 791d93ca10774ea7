package nav

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/across"
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
	ctx context.Context, s *across.Opener, req WhereUsedRequest, of wantedUses,
) (WhereUsedResponse, error) {
	ask, p := of.symbol, of.page
	u, err := across.Unite(ctx, s, req.RepoID, ask.Name)
	if err != nil {
		return WhereUsedResponse{}, err
	}
	defer u.Close()
	a := newAcrossUses(u, req, of)
	homes, err := u.Find(ctx, ask)
	if err != nil {
		if len(homes) > 0 { // a place
			req.Symbol, req.File = named(homes[0].Found, ask)
		}
		if a, err = outside(ctx, u, req, of, err); err != nil {
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
	res.Repositories = u.Head(a.counts, &res.Meta)
	partial := slices.ContainsFunc(u.Members, func(m *across.Member) bool { return m.Answer.Partial })
	items := cut(p, a.items, a.total, partial, &res.Meta)
	if res.Items, err = finishAmong(ctx, u.Members, items, &res.Meta); err != nil {
		return WhereUsedResponse{}, err
	}
	a.say(homes, &res.Meta)
	return res, u.Checkouts(ctx, homes, u.Users(a.places), &res.Meta)
}

// acrossUses gathers the uses of definitions in the members of a union.
type acrossUses struct {
	*across.Union

	req         WhereUsedRequest
	filter      gateway.FileFilter
	limit       int // of the items
	definitions []models.Definition
	items       []models.NavItem
	total       int
	counts      map[models.RepoID]int
	files       map[models.RepoID]map[string]bool // with uses
}

func newAcrossUses(u *across.Union, req WhereUsedRequest, of wantedUses) acrossUses {
	return acrossUses{
		Union: u, req: req, filter: of.files, limit: of.page.end(), counts: map[models.RepoID]int{},
		files: map[models.RepoID]map[string]bool{},
	}
}

// A part is uses of a definition in one member.
type part struct {
	run

	in models.RepoID
}

// of adds the uses of what one home declares.
func (a *acrossUses) of(ctx context.Context, h across.Home) error {
	local := uses{Gateway: h.Gateway, Symbols: h.Found, filter: a.filter, edges: a.req.Edges}
	local.gather(ctx)
	for n, d := range local.definitions {
		parts := []part{{local.runs[n], h.ID}}
		if n < len(h.Found.Defs) { // else it is a local
			for _, m := range a.Members {
				if err := ctx.Err(); err != nil {
					return err
				}
				if items := a.abroad(ctx, m, h.Member, h.Found.Defs[n], &local); len(items) > 0 {
					parts = append(parts, part{runOf(items), m.ID})
				}
			}
		}
		d.RepoID, d.ID = h.ID, string(h.ID)+":"+d.ID
		a.add(d, parts)
	}
	if a.req.IncludeText && len(h.Found.Defs) > 0 {
		if err := a.texts(ctx, h); err != nil {
			return err
		}
	}
	return h.Found.Describe(ctx, h.Gateway, a.definitions[len(a.definitions)-len(local.definitions):])
}

// add adds a definition and its uses, those in tests behind the others.
func (a *acrossUses) add(d models.Definition, parts []part) {
	d.Uses, d.Tests = new(int), 0
	for _, p := range parts {
		*d.Uses, d.Tests = *d.Uses+p.total, d.Tests+p.tests
	}
	a.definitions = append(a.definitions, d)
	a.addUses(d.ID, parts)
}

func (a *acrossUses) addUses(definition string, parts []part) {
	list := func(p part, from, to int) {
		for ; from < to && len(a.items) < a.limit; from++ {
			item := p.item(from)
			item.RepoID, item.Definition = p.in, definition
			a.items = append(a.items, item)
		}
	}
	for _, p := range parts {
		list(p, 0, p.total-p.tests)
	}
	for _, p := range parts {
		list(p, p.total-p.tests, p.total)
		a.counts[p.in] += p.total
		a.total += p.total
		if a.files[p.in] == nil {
			a.files[p.in] = map[string]bool{}
		}
		for f := range p.files {
			a.files[p.in][f] = true
		}
	}
}

// places are the repositories and files of all uses.
func (a *acrossUses) places(yield func(models.RepoID, string) bool) {
	for id, files := range a.files {
		for f := range files {
			if !yield(id, f) {
				return
			}
		}
	}
}

// abroad are the uses of a definition in another member.
func (a *acrossUses) abroad(
	ctx context.Context, m, home *across.Member, d overlay.Def, local *uses,
) (items []models.NavItem) {
	file := func(u usage.Use) string { return u.File }
	ask := func(j *joint.Joint, other int) []usage.Use { return j.Uses(ctx, other, d) }
	for _, use := range across.Taking(m, home, ask, file) {
		if len(a.req.Edges) > 0 && !slices.Contains(a.req.Edges, use.Edge) || !a.filter.Match(use.File) {
			continue
		}
		items = append(items, local.item(d, use))
	}
	return items
}

// texts adds the places of the name that are no reference.
func (a *acrossUses) texts(ctx context.Context, h across.Home) error {
	for _, m := range a.Members {
		t := uses{
			Gateway: m.Gateway, Symbols: gateway.Symbols{View: m.Answer.View, Defs: h.Found.Defs}, filter: a.filter,
			limit: math.MaxInt,
		}
		if err := t.text(ctx); err != nil {
			return err
		}
		if len(t.items) > 0 {
			a.addUses("", []part{{runOf(t.items), m.ID}})
		}
	}
	return nil
}

func (a *acrossUses) say(homes []across.Home, meta *models.Meta) {
	externals(a.definitions, meta)
	if a.total == 0 {
		gateway.AddMessage(meta, "it is defined, and no use of it was found in these repositories")
	}
	for _, h := range homes {
		h.Found.SayInherited(meta)
	}
	across.SayMany(homes, meta)
}

// finishAmong gives items their snippets, each from its repository.
func finishAmong(
	ctx context.Context, members []*across.Member, items []models.NavItem, meta *models.Meta,
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
