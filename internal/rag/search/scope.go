package search

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A scope is what a request is limited to, as filters that every leg shares.
type scope struct {
	repos   []models.Repository
	filters []fts.Query
}

func (s *Service) scope(ctx context.Context, req Request) (scope, error) {
	repos, err := s.repos.Match(ctx, req.RepoFilter)
	if err != nil {
		return scope{}, err
	}
	sc := scope{repos: repos}
	ready := slices.DeleteFunc(slices.Clone(repos), func(r models.Repository) bool { return r.State != models.StateFresh })
	if req.RepoFilter != "" || len(ready) < len(repos) {
		sc.add(repoFilter(ready)) // what a first run has committed so far is not half an answer
	}
	if req.Language != "" {
		sc.add(fts.Filter(fts.FieldLanguage, strings.ToLower(req.Language)))
	}
	if req.PathFilter != "" {
		q, err := pathFilter(req.PathFilter)
		if err != nil {
			return scope{}, err
		}
		if q != nil {
			sc.add(q)
		}
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
	if len(terms) == 1 {
		return terms[0]
	}
	return fts.Disjunction{Disjuncts: terms, Boost: fts.Zero()}
}

// pathFilter selects what lies in a folder, is a file of that path, or matches
// a doublestar glob.
func pathFilter(filter string) (fts.Query, error) {
	if strings.HasPrefix(filter, "/") || slices.Contains(strings.Split(filter, "/"), "..") {
		return nil, fault.New(fault.InvalidPath, "path_filter %q leaves the repository; give a folder or glob relative to its root", filter)
	}
	p := strings.Trim(strings.TrimPrefix(filter, "./"), "/")
	if !doublestar.ValidatePattern(p) || strings.ContainsRune(p, 0) || !utf8.ValidString(p) {
		return nil, fault.New(fault.InvalidRequest, "path_filter %q is not a folder or a glob such as src/**/*.go", filter)
	}
	if p == "" {
		return nil, nil
	}
	if !strings.ContainsAny(p, "*?[{\\") {
		return fts.Disjunction{Disjuncts: []fts.Query{
			fts.Filter(fts.FieldAncestor, p), fts.Filter(fts.FieldPath, p),
		}, Boost: fts.Zero()}, nil
	}
	re := globRegexp(p)
	if _, err := regexp.Compile(re); err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "path_filter %q can't be used; try a simpler glob such as src/**/*.go", filter)
	}
	return fts.Regexp{Field: fts.FieldPath, Regexp: re, Boost: fts.Zero()}, nil
}
