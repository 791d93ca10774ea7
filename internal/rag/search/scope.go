package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

	about  models.RepoID // the only one, for the request names it
	where  bool          // a filter of the caller's is among filters
	words  string        // to rank by
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

// meant is of, of the repository alone that a request names: by all of it, where that is to
// find the level or where it begins, or by saying that it is about that one.
func (s scopes) meant(ctx context.Context, req Request, asked asking) (scope, error) {
	sc, err := s.of(ctx, req, asked)
	if err != nil || req.RepoFilter != "" || req.Level == models.LevelRepo {
		return sc, err
	}
	id := intent.Meant(sc.words, sc.repos)
	if id == "" || req.Level != models.LevelAuto && (req.Level != models.LevelFile ||
		!intent.AboutEntry(sc.words, string(id))) {
		m, err := s.mentioned(ctx, sc)
		if err != nil || m.Repo == "" {
			return sc, err
		}
		id, asked.Words = m.Repo, m.Rest
	}
	req.RepoFilter = string(id)
	sc, err = s.of(ctx, req, asked)
	sc.about = id
	return sc, err
}

// manyRepositories are as many as hits of one page are seldom of, if one of them is meant.
const manyRepositories = 3

// searched says which repositories hits are from, where the request names none and they are
// scattered, or which one the query names; else it is "".
func (sc scope) searched(req Request, items []models.SearchResult) string {
	if sc.about != "" {
		return fmt.Sprintf("only %s was searched, which the query names; repo_filter * searches all", sc.about)
	}
	if req.RepoFilter != "" || req.Level == models.LevelRepo || len(strings.Fields(sc.words)) < 2 {
		return ""
	}
	var of []string
	for _, item := range items {
		if id := string(item.RepoID); !slices.Contains(of, id) {
			of = append(of, id)
		}
	}
	if len(of) < manyRepositories {
		return ""
	}
	return fmt.Sprintf("these are of %d of %d repositories, %s; repo_filter searches one of them alone",
		len(of), len(sc.repos), strings.Join(of[:min(len(of), namedInWarnings)], ", "))
}

// mentioned is the one mention of a repository by which a request is about that one; of
// those that say so, if there are any.
func (s scopes) mentioned(ctx context.Context, sc scope) (intent.Mention, error) {
	var sure, unsure []intent.Mention
	for _, m := range intent.Mentions(sc.words, sc.repos) {
		own, err := s.ownName(ctx, sc, m)
		switch {
		case err != nil:
			return intent.Mention{}, err
		case m.Sure && own >= ownWhereSaid:
			sure = append(sure, m)
		case own >= ownAnywhere:
			unsure = append(unsure, m)
		}
	}
	if len(sure) == 0 {
		sure = unsure
	}
	if len(sure) != 1 {
		return intent.Mention{}, nil
	}
	return sure[0], nil
}

// Of the files with the name of a repository so many are its own: others have common words,
// and the names of what they are made for.
const (
	ownWhereSaid = 0.25 // where it is said that a text is about it
	ownAnywhere  = 0.9
)

// ownName is the share of the files with the name of a repository that are its own.
func (s scopes) ownName(ctx context.Context, sc scope, m intent.Mention) (float64, error) {
	name := fts.Match{Field: fts.TextField(models.TypeFile), Match: m.Name, Operator: "and", Boost: fts.Zero()}
	sc.filters = append(slices.Clip(sc.filters), name)
	all, err := s.index.Search(ctx, fts.Request{Query: sc.filter(models.TypeFile)})
	if err != nil || all.Total <= 0 {
		return 0, err
	}
	sc.add(fts.Filter(fts.FieldRepo, string(m.Repo)))
	own, err := s.index.Search(ctx, fts.Request{Query: sc.filter(models.TypeFile)})
	return float64(own.Total) / float64(all.Total), err
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

// selects reports whether there are files, of code or documents, that the fields of a query
// select.
func (s scopes) selects(ctx context.Context, req Request, asked query.Query) (bool, error) {
	rest := take(&req, asked)
	whole, err := s.of(ctx, req, rest)
	if err != nil {
		return false, err
	}
	for _, level := range []models.Level{models.LevelFile, models.LevelDoc} {
		sc, _, err := s.narrowed(ctx, whole, level)
		if err != nil {
			return false, err
		}
		if some, err := s.has(ctx, sc, level.DocType()); some || err != nil {
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
