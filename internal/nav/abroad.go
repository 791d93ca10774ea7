package nav

import (
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/resolve"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// settled reports whether it is known what stands at a place: something of its
// own repository, or of the standard library of Go.
func (at *spot) settled() bool {
	if at.found.Name == "" || at.local != nil && !at.external {
		return true
	}
	first, _, _ := strings.Cut(at.path, "/")
	if factLanguage(at.file) == "Go" && first != "" && !strings.Contains(first, ".") {
		return true
	}
	for _, x := range at.meanings {
		if x.Tier == "" || x.Tier <= "C" || x.Tier == resolve.TierPrecise.String() {
			return true
		}
	}
	return false
}

// foreign finds what a place stands for in other repositories, unless it is of
// its own.
func (at *spot) foreign(m *member) {
	if !at.settled() {
		at.member = m
		at.abroad, at.files = m.joint().At(at.file, at.found)
	}
}

// beside looks into all indexed repositories for what stands at a place, where
// this one takes modules of others. Close what it returns; it may be nil.
func beside(ctx context.Context, s *Service, g *gateway, at *spot) (*union, error) {
	if at.settled() || s.Match == nil {
		return nil, nil
	}
	if own, err := modulesOf(ctx, g); err != nil || len(own.needs) == 0 && len(at.view.Headers().Missing()) == 0 {
		return nil, err
	}
	u, err := unite(ctx, s, "*", at.name)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case fault.CodeOf(err) == fault.IndexNotReady || fault.CodeOf(err) == fault.RepoNotFound: // there are no others
		return nil, nil
	case err != nil:
		return nil, err
	}
	if i := slices.IndexFunc(u.members, func(m *member) bool { return m.id == g.id }); i >= 0 &&
		len(u.members[i].uses) > 0 {
		at.foreign(u.members[i])
	}
	return u, nil
}

// elsewhere are the items of other repositories.
func (at *spot) elsewhere(ctx context.Context, meta *models.Meta) (all []models.DefinitionItem, err error) {
	for i, m := range at.neighbours() {
		describer := newDescriber(m.gateway)
		var items []models.DefinitionItem
		for _, x := range at.abroad {
			if x.Other == i {
				item, err := describer.item(ctx, x.Meaning)
				if err != nil {
					return nil, err
				}
				items = append(items, item)
			}
		}
		for _, f := range at.files {
			if f.Other == i && len(items) < namedPlaces {
				items = append(items,
					models.DefinitionItem{
						RepoID: m.id, FilePath: f.Path, Line: 1, EndLine: 1, Column: 1, Symbol: at.name,
						Kind: "module", Tier: "B", Confidence: 1,
					})
			}
		}
		if err := markStale(ctx, m.gateway, items, meta); err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

// neighbours are the repositories that what stands there may be of.
func (at *spot) neighbours() []*member {
	if at.member == nil {
		return nil
	}
	return at.member.uses
}
