package across

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/nav/graph/joint"
	"github.com/ragnav/ragnav/internal/nav/graph/overlay"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A Place is what stands at a place of a file, in its own repository or another one.
type Place struct {
	gateway.Spot

	Abroad []joint.Foreign     // what it stands for in other repositories
	files  []joint.ForeignFile // of those that an import makes known
	scope  *Scope              // whose repositories those are
}

// Foreign finds what a place stands for in other repositories, unless it is of
// its own.
func (at *Place) Foreign(m *Member) {
	if !at.Settled() {
		at.scope = m.ScopeOf(at.File)
		at.Abroad, at.files = at.scope.Joint().At(at.File, at.Found)
		at.Known = len(at.Abroad)+len(at.files) > 0
	}
}

// Beside looks into all indexed repositories for what stands at a place, where
// this one takes modules of others. Close what it returns; it may be nil.
func Beside(ctx context.Context, s *Opener, g *gateway.Gateway, at *Place) (*Union, error) {
	if at.Settled() || s.Match == nil {
		return nil, nil
	}
	if own, err := gateway.ModulesOf(ctx, g); err != nil || len(own.Needs) == 0 && len(at.View.Headers().Missing()) == 0 {
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
func (at *Place) Checkouts(ctx context.Context, u *Union, meta *models.Meta) error {
	var homes []Home
	for _, x := range at.Abroad {
		homes = append(homes, Home{at.scope.Uses[x.Other], gateway.Symbols{Defs: []overlay.Def{x.Def}}})
	}
	for _, f := range at.files {
		homes = append(homes, Home{at.scope.Uses[f.Other], gateway.Symbols{Defs: []overlay.Def{{File: f.Path}}}})
	}
	if len(homes) == 0 {
		return nil
	}
	return u.Checkouts(ctx, homes, []*Scope{at.scope}, meta)
}

// Elsewhere are the items of other repositories.
func (at *Place) Elsewhere(ctx context.Context, meta *models.Meta) (all []models.DefinitionItem, err error) {
	for i, m := range at.neighbours() {
		describer := gateway.NewDescriber(m.Gateway)
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
			if f.Other == i && len(items) < gateway.NamedPlaces {
				items = append(items,
					models.DefinitionItem{
						RepoID: m.ID, FilePath: f.Path, Line: 1, EndLine: 1, Column: 1, Symbol: at.Name,
						Kind: "module", Tier: "B", Confidence: 1,
					})
			}
		}
		if err := gateway.MarkStale(ctx, m.Gateway, items, meta); err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

// neighbours are the repositories that what stands there may be of.
func (at *Place) neighbours() []*Member {
	if at.scope == nil {
		return nil
	}
	return at.scope.Uses
}
