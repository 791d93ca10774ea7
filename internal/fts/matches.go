package fts

import (
	"fmt"
	"regexp"
	"slices"
)

// Matches reports whether a filter selects the document of that id with those
// terms in its keyword fields (see Keywords). Boosts don't matter. A Match,
// which is about text, and a regular expression that is none are errors.
func Matches(q Query, id string, keywords map[string][]string) (bool, error) {
	switch q := q.(type) {
	case Term:
		return slices.Contains(keywords[q.Field], q.Term), nil
	case Regexp:
		re, err := regexp.Compile(`^(?:` + q.Regexp + `)$`)
		if err != nil {
			return false, fmt.Errorf("filter: %w", err)
		}
		return slices.ContainsFunc(keywords[q.Field], re.MatchString), nil
	case TermRange:
		return slices.ContainsFunc(keywords[q.Field], func(term string) bool {
			return term >= q.Min && (q.Max == "" || term < q.Max)
		}), nil
	case IDs:
		return slices.Contains(q.IDs, id), nil
	case Conjunction:
		n, err := countMatches(q.Conjuncts, id, keywords)
		return n > 0 && n == len(q.Conjuncts), err
	case Disjunction:
		n, err := countMatches(q.Disjuncts, id, keywords)
		return n >= max(q.Min, 1), err
	case Not:
		ok, err := Matches(q.Query, id, keywords)
		return !ok && err == nil, err
	case MatchAll:
		return true, nil
	case MatchNone:
		return false, nil
	}
	return false, fmt.Errorf("filter: a query of the kind %T is not about keyword fields", q)
}

func countMatches(qs []Query, id string, keywords map[string][]string) (int, error) {
	n := 0
	for _, q := range qs {
		ok, err := Matches(q, id, keywords)
		if err != nil {
			return 0, err
		}
		if ok {
			n++
		}
	}
	return n, nil
}
