package search

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A scope is what a request is limited to, as filters that every leg shares.
type scope struct {
	repos     []models.Repository
	path      filter.Path
	languages filter.Languages
	byRepo    []fts.Query // those of filters that choose repositories
	filters   []fts.Query
}

func (s *Service) scope(ctx context.Context, req Request) (sc scope, err error) {
	if sc.path, err = filter.ParsePath(req.PathFilter); err != nil {
		return sc, err
	}
	if sc.languages, err = filter.ParseLanguage(req.Language); err != nil {
		return sc, err
	}
	if sc.repos, err = s.repos.Match(ctx, req.RepoFilter); err != nil {
		return sc, err
	}
	answering := ready(sc.repos)
	if req.RepoFilter != "" || len(answering) < len(sc.repos) {
		sc.add(repoFilter(answering)) // what a first run has committed so far is not half an answer
	}
	sc.byRepo = slices.Clip(sc.filters)
	if !sc.path.All() {
		sc.add(sc.path.Query())
	}
	if sc.languages != nil {
		sc.add(sc.languages.Query())
	}
	return sc, nil
}

func (sc *scope) add(q fts.Query) { sc.filters = append(sc.filters, q) }

// filter selects the documents of one type in the scope.
func (sc scope) filter(t models.DocType) fts.Query {
	return fts.Conjunction{
		Conjuncts: append([]fts.Query{fts.Filter(fts.FieldType, string(t))}, sc.filters...),
		Boost:     fts.Zero(),
	}
}

func repoFilter(repos []models.Repository) fts.Query {
	terms := make([]fts.Query, len(repos))
	for i, r := range repos {
		terms[i] = fts.Filter(fts.FieldRepo, string(r.RepoID))
	}
	return filter.AnyOf(terms)
}
