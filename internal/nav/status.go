package nav

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// dependencies tells which repositories take modules of each other.
func dependencies(ctx context.Context, s *Service, id models.RepoID, item *models.NavStatus) error {
	u, err := openAll(ctx, s, "*", func(g *gateway) error {
		if !g.verdict.Graph {
			return nil
		}
		view, err := g.view(ctx) // it knows what is included
		g.answer = &symbols{view: view}
		return err
	})
	if err != nil {
		return err
	}
	defer u.Close()
	item.Modules, item.DependsOn, item.Dependents = []string{}, []models.RepoID{}, []models.RepoID{}
	for _, m := range u.members {
		if m.id == id {
			for _, x := range m.modules.provides {
				item.Modules = append(item.Modules, string(x.Ecosystem)+":"+x.Name.Name)
			}
			for _, to := range m.direct {
				item.DependsOn = append(item.DependsOn, to.id)
			}
		}
		if slices.ContainsFunc(m.direct, func(to *member) bool { return to.id == id }) {
			item.Dependents = append(item.Dependents, m.id)
		}
	}
	return nil
}
