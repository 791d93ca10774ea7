package wire

import "github.com/ragnav/ragnav/internal/fts"

// nothing matches no document: a term that no document has. It has a weight all
// the same, see scored.
var nothing = fts.Term{Field: fts.FieldType, Term: "-"}

// Scored is wire for the query of a request, whose scores count.
//
// Two things of the engine stand between a boost and its meaning. It ignores
// the boosts of compound queries, so these are multiplied into their parts. And
// it divides all weights by the root of the sum of their squares: where each
// weight is 0 the scores are no numbers, which the server answers with status
// 500, and a query that is one term has weight 1 whatever its boost. So a
// filter stands beside a part that has a weight and matches nothing.
func Scored(q fts.Query) fts.Query {
	q, weighs := Boosted(Query(q), 1)
	if weighs {
		return q
	}
	if _, none := q.(fts.MatchNone); none {
		return q
	}
	return fts.Disjunction{Disjuncts: []fts.Query{q, nothing}}
}

// Boosted multiplies a boost into the leaves of a query and reports whether
// any of them is sure to have a weight.
func Boosted(q fts.Query, boost float64) (_ fts.Query, weighs bool) {
	switch q := q.(type) {
	case fts.Term:
		q.Boost, weighs = times(q.Boost, boost)
		return q, weighs
	case fts.Match:
		q.Boost, weighs = times(q.Boost, boost)
		return q, weighs
	case fts.Regexp: // without a term that fits, it is nothing
		q.Boost, _ = times(q.Boost, boost)
		return q, false
	case fts.TermRange: // the same
		q.Boost, _ = times(q.Boost, boost)
		return q, false
	case fts.IDs:
		q.Boost, weighs = times(q.Boost, boost)
		return q, weighs
	case fts.Conjunction:
		q.Conjuncts, weighs = boostedAll(q.Conjuncts, q.Boost, boost)
		q.Boost = nil
		return q, weighs
	case fts.Disjunction:
		q.Disjuncts, weighs = boostedAll(q.Disjuncts, q.Boost, boost)
		q.Boost = nil
		return q, weighs
	case fts.MatchAll:
		return q, true
	}
	return q, false
}

func boostedAll(parts []fts.Query, own *float64, boost float64) (out []fts.Query, weighs bool) {
	if own != nil {
		boost *= *own
	}
	for _, part := range parts {
		part, has := Boosted(part, boost)
		out, weighs = append(out, part), weighs || has
	}
	return out, weighs
}

// times is a leaf's boost times that of what it stands in; nil stands for 1.
func times(own *float64, boost float64) (product *float64, weighs bool) {
	if own != nil {
		boost *= *own
	}
	if boost == 1 {
		return nil, true
	}
	return &boost, boost != 0
}
