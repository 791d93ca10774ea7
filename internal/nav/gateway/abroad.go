package gateway

import (
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// settled reports whether it is known what stands at a place: something of its
// own repository, or of the standard library of Go.
func (at *Spot) settled() bool {
	if at.found.Name == "" || at.Local != nil && !at.External {
		return true
	}
	first, _, _ := strings.Cut(at.Path, "/")
	if FactLanguage(at.File) == "Go" && first != "" && !strings.Contains(first, ".") {
		return true
	}
	for _, x := range at.Meanings {
		if x.Tier == "" || x.Tier <= "C" || x.Tier == resolve.TierPrecise.String() {
			return true
		}
	}
	return false
}

// Foreign finds what a place stands for in other repositories, unless it is of
// its own.
func (at *Spot) Foreign(m *Member) {
	if !at.settled() {
		at.scope = m.ScopeOf(at.File)
		at.Abroad, at.files = at.scope.Joint().At(at.File, at.found)
	}
}

// Beside looks into all indexed repositories for what stands at a place, where
// this one takes modules of others. Close what it returns; it may be nil.
func Beside(ctx context.Context, s *Opener, g *Gateway, at *Spot) (*Union, error) {
	if at.settled() || s.Match == nil {
		return nil, nil
	}
	if own, err := ModulesOf(ctx, g); err != nil || len(own.needs) == 0 && len(at.View.Headers().Missing()) == 0 {
		return nil, err
	}
	u, err := Unite(ctx, s, "*", at.Name)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case fault.CodeOf(err) == fault.IndexNotReady || fault.CodeOf(err) == fault.RepoNotFound: // there are no others
		return nil, nil
	case err != nil:
		return nil, err
	}
	if i := slices.IndexFunc(u.Members, func(m *Member) bool { return m.ID == g.ID }); i >= 0 &&
		len(u.Members[i].Uses) > 0 {
		at.Foreign(u.Members[i])
	}
	return u, nil
}

// Checkouts says of what stands there which others there are of the repository that has it.
func (at *Spot) Checkouts(ctx context.Context, u *Union, meta *models.Meta) error {
	var homes []Home
	for _, x := range at.Abroad {
		homes = append(homes, Home{at.scope.Uses[x.Other], Symbols{Defs: []overlay.Def{x.Def}}})
	}
	for _, f := range at.files {
		homes = append(homes, Home{at.scope.Uses[f.Other], Symbols{Defs: []overlay.Def{{File: f.Path}}}})
	}
	if len(homes) == 0 {
		return nil
	}
	return u.Checkouts(ctx, homes, []*Scope{at.scope}, meta)
}

// Elsewhere are the items of other repositories.
func (at *Spot) Elsewhere(ctx context.Context, meta *models.Meta) (all []models.DefinitionItem, err error) {
	for i, m := range at.neighbours() {
		describer := NewDescriber(m.Gateway)
		var items []models.DefinitionItem
		for _, x := range at.Abroad {
			if x.Other == i {
				item, err := describer.Item(ctx, x.Meaning)
				if err != nil {
					return nil, err
				}
				items = append(items, item)
			}
		}
		for _, f := range at.files {
			if f.Other == i && len(items) < NamedPlaces {
				items = append(items,
					models.DefinitionItem{
						RepoID: m.ID, FilePath: f.Path, Line: 1, EndLine: 1, Column: 1, Symbol: at.Name,
						Kind: "module", Tier: "B", Confidence: 1,
					})
			}
		}
		if err := MarkStale(ctx, m.Gateway, items, meta); err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

// neighbours are the repositories that what stands there may be of.
func (at *Spot) neighbours() []*Member {
	if at.scope == nil {
		return nil
	}
	return at.scope.Uses
}
