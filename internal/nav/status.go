package nav

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/across"
	"github.com/ragnav/ragnav/internal/nav/gateway"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// dependencies tells which repositories take modules of each other.
func dependencies(ctx context.Context, s *across.Opener, id models.RepoID, item *models.NavStatus) error {
	u, err := openAll(ctx, s)
	if err != nil {
		return err
	}
	defer u.Close()
	item.Modules, item.DependsOn, item.Dependents = []string{}, []models.RepoID{}, []models.RepoID{}
	for _, m := range u.Members {
		if m.ID == id {
			for _, x := range m.Modules.Provides {
				item.Modules = append(item.Modules, string(x.Ecosystem)+":"+x.Name.Name)
			}
			for _, to := range m.Direct {
				item.DependsOn = append(item.DependsOn, to.ID)
			}
		}
		if slices.ContainsFunc(m.Direct, func(to *across.Member) bool { return to.ID == id }) {
			item.Dependents = append(item.Dependents, m.ID)
		}
	}
	return nil
}

// openAll opens all repositories, those that have a graph with what is included in them.
func openAll(ctx context.Context, s *across.Opener) (*across.Union, error) {
	return across.OpenAll(ctx, s, "*", func(g *gateway.Gateway) error {
		if !g.Verdict.Graph {
			return nil
		}
		view, err := g.View(ctx)
		g.Answer = &gateway.Symbols{View: view}
		return err
	})
}
