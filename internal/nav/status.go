package nav

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/nav/scip"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/worktrees"
)

// Status tells whether the graph may be used by its status file and HEAD, and
// which files changed since it was built.
func (s *Service) Status(ctx context.Context, req StatusRequest) (StatusResponse, error) {
	g, err := s.openAny(ctx, req.RepoID)
	if err != nil {
		return StatusResponse{}, err
	}
	defer g.Close()
	item := models.NavStatus{
		RepoID: g.id, UseRAG: g.route.UseRAG, Freshness: g.route.Freshness, Reason: g.route.Reason,
		Status: g.route.Status, Answers: g.verdict.Source,
	}
	if item.Head, err = g.tree.Head(ctx); err != nil {
		item.Head = ""
	}
	if g.delta != nil {
		item.Head = g.delta.Head
		item.Changes = &models.NavChanges{
			Changed: len(g.delta.Changed), Added: len(g.delta.Added), Deleted: len(g.delta.Deleted),
			Files: append([]string{}, g.delta.Some(maxStaleFiles)...), Since: map[string]string{},
		}
		for _, file := range item.Changes.Files {
			if stat, err := g.tree.Stat(ctx, file); err == nil {
				item.Changes.Since[file] = time.Unix(0, stat.ModTime).UTC().Format(time.RFC3339)
			}
		}
	}
	if g.stored != nil {
		info := graphInfo(g.id, g.stored.graph, g.stored.manifest)
		info.Skipped, info.Bytes = len(g.stored.failed), jsonSize(g.tree)
		if strings.Contains(g.stored.graph.Resolver(), scipMark) {
			info.Exact = scip.Load(g.tree).Len()
		}
		item.Graph = &info
	}
	if req.Modules {
		if err := s.dependencies(ctx, g.id, &item); err != nil {
			return StatusResponse{}, err
		}
	}
	res := StatusResponse{models.OKResult([]models.NavStatus{item})}
	g.head(&res.Meta)
	res.Meta.Status = models.StatusOK
	if g.verdict.Graph { // what spec 002 says of the commit; the changes are beside it
		res.Meta.FreshnessState = g.route.Freshness
	}
	if res.Meta.Message == nil && res.Meta.FreshnessState != models.Fresh {
		res.Meta.Message = &item.Reason
	}
	if err := worktrees.NoWorkTree(g.tree.Root()); err != nil { // nothing here answers
		res.Meta.Message = models.Opt(words(err))
	}
	return res, nil
}

// dependencies tells which repositories take modules of each other.
func (s *Service) dependencies(ctx context.Context, id models.RepoID, item *models.NavStatus) error {
	u, err := s.openAll(ctx, "*", func(g *gateway) error {
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
