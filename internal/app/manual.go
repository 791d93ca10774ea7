package app

import (
	"context"

	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

// newAsk answers from what is found, with what stands next to it and how it is built.
func newAsk(a *App) *ask.Service {
	s := ask.New(a.search, a.store, lineReader{a.files})
	s.Follow(neighbours{a.nav})
	s.Consult(manual{a.repos, a.structure})
	return s
}

// A manual knows how repositories are built and tested.
type manual struct {
	repos *repos.Service
	files *structure.Service
}

// Only implements ask.Manual.
func (m manual) Only(ctx context.Context, filter string) (models.RepoID, error) {
	some, err := m.repos.Match(ctx, filter)
	if err != nil || len(some) != 1 {
		return "", err
	}
	return some[0].RepoID, nil
}

// Commands implements ask.Manual.
func (m manual) Commands(ctx context.Context, id models.RepoID) ([]ask.Command, error) {
	found, err := m.files.Commands(ctx, id)
	commands := make([]ask.Command, len(found))
	for i, c := range found {
		commands[i] = ask.Command(c)
	}
	return commands, err
}
