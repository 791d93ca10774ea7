package search

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A scope is what a request is limited to, as filters that every leg shares.
type scope struct {
	repos     []models.Repository
	path      filter.Path
	languages filter.Languages
	byRepo    []fts.Query // those of filters that choose repositories
	filters   []fts.Query

	where  bool   // a filter of the caller's is among filters
	words  string // to rank by
	asked  asking
	narrow map[models.DocType]fts.Query // what the operators of asked select, see narrowed
	judge  *judge                       // nil: texts need not be looked at
}

func (s *Service) scope(ctx context.Context, req Request, asked asking) (sc scope, err error) {
	sc.asked, sc.words = asked, asked.Words
	if sc.path, err = filter.ParsePath(req.PathFilter); err != nil {
		return sc, asked.taken[query.FieldFile].Within(err)
	}
	if sc.languages, err = filter.ParseLanguage(req.Language); err != nil {
		return sc, asked.taken[query.FieldLang].Within(err)
	}
	if sc.repos, err = s.repos.Match(ctx, req.RepoFilter); err != nil {
		return sc, asked.taken[query.FieldRepo].Within(err)
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
	if req.Where != nil {
		sc.add(req.Where)
		sc.where = true
	}
	return sc, nil
}

func (sc *scope) add(q fts.Query) { sc.filters = append(sc.filters, q) }

// filter selects the documents of one type in the scope.
func (sc scope) filter(t models.DocType) fts.Query {
	all := append([]fts.Query{fts.Filter(fts.FieldType, string(t))}, sc.filters...)
	if q := sc.narrow[t]; q != nil {
		all = append(all, q)
	}
	return fts.Conjunction{Conjuncts: all, Boost: fts.Zero()}
}

// collection selects the repositories in the scope, whose words alone make a word
// rare or frequent; nil where that is all.
func (sc scope) collection() fts.Query {
	if len(sc.byRepo) == 0 {
		return nil
	}
	return fts.Conjunction{Conjuncts: sc.byRepo, Boost: fts.Zero()}
}

// narrowed is the scope with what the operators of the query select at a level.
// Symbols that speak for files or folders are in the same repositories and files.
func (s *Service) narrowed(ctx context.Context, sc scope, level models.Level) (scope, []models.Warning, error) {
	if sc.asked.Root == nil {
		return sc, nil, nil
	}
	n := narrowing{svc: s, base: sc, asked: sc.asked, level: level, made: map[query.Field]fts.Query{}}
	own, err := n.filter(ctx, sc.asked.Root, false)
	if err != nil {
		return sc, nil, err
	}
	sc.narrow = map[models.DocType]fts.Query{level.DocType(): own}
	if level != models.LevelSymbol && level != models.LevelDoc {
		sc.narrow[models.TypeSymbol], err = n.filter(ctx, places(sc.asked.Root), false)
	}
	if err == nil && query.Has(sc.asked.Root, ofText(sc.asked.Query)) {
		sc.judge, err = s.judge(sc.asked.Query, n.made)
	}
	return sc, n.warnings, err
}

// places are the parts that must hold and are about where things are, all of
// them of symbols as of files.
func places(root query.Node) query.And {
	var parts query.And
	for _, part := range query.Parts(root) {
		if !query.Has(part, func(n query.Node) bool {
			f, ok := n.(query.Field)
			leaf := ok && (f.Name == query.FieldRepo || f.Name == query.FieldFile || f.Name == query.FieldLang)
			return !leaf && !compound(n)
		}) {
			parts = append(parts, part)
		}
	}
	return parts
}

func compound(n query.Node) bool {
	switch n.(type) {
	case query.And, query.Or, query.Not:
		return true
	}
	return false
}

func repoFilter(repos []models.Repository) fts.Query {
	terms := make([]fts.Query, len(repos))
	for i, r := range repos {
		terms[i] = fts.Filter(fts.FieldRepo, string(r.RepoID))
	}
	return filter.AnyOf(terms)
}
