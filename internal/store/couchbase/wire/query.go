package wire

import (
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Query makes a query one that the Search service answers as the embedded store
// does: words are analysed here, ids become keys, and what matches nothing, or
// what the service refuses although it has a meaning, is said otherwise.
func Query(q fts.Query) fts.Query {
	switch q := q.(type) {
	case fts.Match:
		terms := fts.Analyze(q.Match)
		if len(terms) == 0 {
			return fts.MatchNone{}
		}
		q.Match = strings.Join(terms, " ")
		return q
	case fts.IDs:
		return wireIDs(q)
	case fts.TermRange:
		return wireRange(q)
	case fts.Not:
		q.Query = Query(q.Query)
		return q
	case fts.Conjunction:
		if len(q.Conjuncts) == 0 {
			return fts.MatchNone{}
		}
		q.Conjuncts = wireAll(q.Conjuncts)
		return q
	case fts.Disjunction:
		if len(q.Disjuncts) < max(q.Min, 1) {
			return fts.MatchNone{}
		}
		q.Disjuncts = wireAll(q.Disjuncts)
		return q
	}
	return q
}

func wireAll(qs []fts.Query) []fts.Query {
	out := make([]fts.Query, len(qs))
	for i, q := range qs {
		out[i] = Query(q)
	}
	return out
}

func wireIDs(q fts.IDs) fts.Query {
	keys := make([]string, 0, len(q.IDs))
	for _, id := range q.IDs {
		if id != "" {
			keys = append(keys, DocumentKey(models.DocumentID(id)))
		}
	}
	if len(keys) == 0 {
		return fts.MatchNone{}
	}
	q.IDs = keys
	return q
}

// wireRange says a range without bounds, which the service refuses, as any
// term, and an empty one as nothing.
func wireRange(q fts.TermRange) fts.Query {
	switch {
	case q.Min == "" && q.Max == "":
		return fts.Regexp{Field: q.Field, Regexp: "(?s).*", Boost: q.Boost}
	case q.Max != "" && q.Min >= q.Max:
		return fts.MatchNone{}
	}
	return q
}
