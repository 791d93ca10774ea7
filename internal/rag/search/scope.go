package search

import (
	"context"
	"slices"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/query"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search/intent"
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

// scopes makes scopes of requests, and asks the index of what they have.
type scopes struct {
	index Index
	repos Repositories
	lines LineReader // of judges
}

// of is the scope of a request.
func (s scopes) of(ctx context.Context, req Request, asked asking) (sc scope, err error) {
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

// meant is of, of the repository alone that a request names which is to find the level, or where it begins.
func (s scopes) meant(ctx context.Context, req Request, asked asking) (scope, error) {
	sc, err := s.of(ctx, req, asked)
	if err != nil || req.RepoFilter != "" || req.Level != models.LevelAuto && req.Level != models.LevelFile {
		return sc, err
	}
	id := intent.Meant(sc.words, sc.repos)
	if id == "" || req.Level == models.LevelFile && !intent.AboutEntry(sc.words, string(id)) {
		return sc, nil
	}
	req.RepoFilter = string(id)
	return s.of(ctx, req, asked)
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
func (s scopes) narrowed(ctx context.Context, sc scope, level models.Level) (scope, []models.Warning, error) {
	if sc.asked.Root == nil {
		return sc, nil, nil
	}
	n := narrowing{scopes: s, base: sc, asked: sc.asked, level: level, made: map[query.Field]fts.Query{}}
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

// hasFiles reports whether there are indexed files, of code or documents, that
// filters select.
func (s scopes) hasFiles(ctx context.Context, whole scope, path filter.Path, languages filter.Languages) (bool,
	error,
) {
	if !path.All() {
		whole.add(path.Query())
	}
	if languages != nil {
		whole.add(languages.Query())
	}
	for _, t := range []models.DocType{models.TypeFile, models.TypeDocument} {
		if some, err := s.has(ctx, whole, t); some || err != nil {
			return some, err
		}
	}
	return false, nil
}

// has reports whether a scope has documents of a type; true also when the store
// can't tell.
func (s scopes) has(ctx context.Context, sc scope, t models.DocType) (bool, error) {
	res, err := s.index.Search(ctx, fts.Request{Query: sc.filter(t), Size: 1})
	return len(res.Hits) > 0 || res.Total != 0 || res.Failed > 0, err
}

// more reports whether the scope has documents that the ranking does not.
func (s scopes) more(ctx context.Context, sc scope, p page) (bool, error) {
	res, err := s.index.Search(ctx, fts.Request{Query: sc.filter(p.level.DocType())})
	return res.Total < 0 || res.Total > p.examined, err
}

// selected are the hits that a filter selects: those that symbols brought may
// not be.
func (s scopes) selected(ctx context.Context, q fts.Query, hits []*hit) ([]*hit, error) {
	var kept []*hit
	for batch := range slices.Chunk(hits, browsePool) {
		ids := make([]string, len(batch))
		for i, h := range batch {
			ids[i] = string(h.ID)
		}
		all := fts.Conjunction{Conjuncts: []fts.Query{fts.IDs{IDs: ids, Boost: fts.Zero()}, q}, Boost: fts.Zero()}
		res, err := s.index.Search(ctx, fts.Request{Query: all, Size: len(ids)})
		if err != nil {
			return nil, err
		}
		in := map[models.DocumentID]bool{}
		for _, h := range res.Hits {
			in[h.ID] = true
		}
		kept = slices.AppendSeq(kept, func(yield func(*hit) bool) {
			for _, h := range batch {
				if in[h.ID] && !yield(h) {
					return
				}
			}
		})
	}
	return kept, nil
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
