package filter

import (
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
)

// Query selects the documents of the files that the filter selects.
func (f Path) Query() fts.Query {
	if f.All() {
		return fts.MatchAll{}
	}
	var terms []fts.Query
	if f.literal != "" {
		terms = append(terms, fts.Filter(fts.FieldAncestor, f.literal), fts.Filter(fts.FieldPath, f.literal))
	}
	if f.expr != "" {
		terms = append(terms, fts.Regexp{Field: fts.FieldPath, Regexp: f.expr, Boost: fts.Zero()})
	}
	return AnyOf(terms)
}

// Query selects the documents of files in one of the languages.
func (l Languages) Query() fts.Query {
	var terms []fts.Query
	for _, language := range l {
		terms = append(terms, fts.Filter(fts.FieldLanguage, strings.ToLower(language)))
	}
	return AnyOf(terms)
}

// AnyOf selects what one of some filters selects, without scoring.
func AnyOf(filters []fts.Query) fts.Query {
	if len(filters) == 1 {
		return filters[0]
	}
	return fts.Disjunction{Disjuncts: filters, Boost: fts.Zero()}
}

// AllOf selects what all of some filters select, of which there are some,
// without scoring.
func AllOf(filters []fts.Query) fts.Query {
	if len(filters) == 1 {
		return filters[0]
	}
	return fts.Conjunction{Conjuncts: filters, Boost: fts.Zero()}
}
