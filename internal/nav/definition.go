package nav

import (
	"context"

	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
)

func definitionOnce(ctx context.Context, s *across.Opener, req DefinitionRequest) (DefinitionResponse, error) {
	if across.IsFilter(req.RepoID) {
		return definitionAmong(ctx, s, req)
	}
	g, err := s.Open(ctx, req.RepoID)
	if err != nil {
		return DefinitionResponse{}, err
	}
	defer g.Close()
	spot, err := gateway.AtOf(ctx, g, req.FilePath, req.Line, req.Column)
	if err != nil {
		return DefinitionResponse{}, err
	}
	at := across.Place{Spot: spot}
	u, err := across.Beside(ctx, s, g, &at)
	if err != nil {
		return DefinitionResponse{}, err
	}
	defer u.Close()
	return defined(ctx, u, g, at)
}

// definitionAmong is a Definition in the one repository of several that has the
// file.
func definitionAmong(ctx context.Context, s *across.Opener, req DefinitionRequest) (DefinitionResponse, error) {
	u, err := across.Unite(ctx, s, req.RepoID, "")
	if err != nil {
		return DefinitionResponse{}, err
	}
	defer u.Close()
	m, file, err := u.Having(ctx, req.FilePath)
	if err != nil {
		return DefinitionResponse{}, err
	}
	spot, err := gateway.AtOf(ctx, m.Gateway, file, req.Line, req.Column)
	if err != nil {
		return DefinitionResponse{}, err
	}
	at := across.Place{Spot: spot}
	at.Foreign(m)
	return defined(ctx, u, m.Gateway, at)
}

// defined tells what stands at a place; the repositories may be nil if it is of its own.
func defined(
	ctx context.Context, u *across.Union, g *gateway.Gateway, at across.Place,
) (DefinitionResponse, error) {
	res := DefinitionResponse{Symbol: at.Name}
	g.Head(&res.Meta)
	res.Items = []models.DefinitionItem{}
	describer := gateway.NewDescriber(g)
	for _, m := range at.Meanings {
		if len(at.Abroad) > 0 { // a guess, and now it is known
			break
		}
		item, err := describer.Item(ctx, m)
		if err != nil {
			return DefinitionResponse{}, err
		}
		res.Items = append(res.Items, item)
	}
	if at.External {
		var err error
		if at.Path, err = gateway.ModuleOf(ctx, g, at.File, at.Path); err != nil {
			return DefinitionResponse{}, err
		}
	}
	res.Items = append(res.Items, at.Others(g.ID)...)
	if err := gateway.MarkStale(ctx, g, res.Items, &res.Meta); err != nil {
		return DefinitionResponse{}, err
	}
	elsewhere, err := at.Elsewhere(ctx, &res.Meta)
	if err != nil {
		return DefinitionResponse{}, err
	}
	if len(elsewhere) > 0 && len(res.Items) == 1 && res.Items[0].FilePath == "" {
		res.Items = nil
	}
	res.Items = append(res.Items, elsewhere...)
	at.Say(&res.Meta)
	return res, at.Checkouts(ctx, u, &res.Meta)
}
