package fts

import (
	"math"
	"regexp/syntax"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/pattern"
)

// Check refuses what an engine would silently answer with nothing: a missing
// query, sizes and K outside 1..MaxK (size 0 is allowed and only counts),
// unknown fields, and vectors that don't have dims components. It also refuses
// what the engines would answer differently: negative boosts, and regular
// expressions with anchors, word boundaries or lazy repetition, or that cost
// more than maxRegexpSteps.
func (r Request) Check(dims int) error {
	if r.Size < 0 || r.From < 0 || r.From > MaxK || r.Size > MaxK-r.From {
		return invalid("from %d + size %d is not in 0..%d", r.From, r.Size, MaxK)
	}
	if r.KNNOperator != "" && r.KNNOperator != "and" && r.KNNOperator != "or" {
		return invalid("knn_operator %q is not and/or", r.KNNOperator)
	}
	if r.Near != nil {
		if err := checkVector(r.Near, dims); err != nil {
			return err
		}
	}
	for _, k := range r.KNN {
		if err := k.check(dims); err != nil {
			return err
		}
	}
	if r.Statistics != nil {
		if err := checkQuery(r.Statistics); err != nil {
			return err
		}
	}
	return checkQuery(r.Query)
}

func (k KNN) check(dims int) error {
	switch {
	case k.Field != FieldEmbedding:
		return invalid("knn field %q is not a vector field", k.Field)
	case k.K < 1 || k.K > MaxK:
		return invalid("k %d is not in 1..%d", k.K, MaxK)
	}
	if err := checkVector(k.Vector, dims); err != nil {
		return err
	}
	if k.Filter != nil {
		if err := checkQuery(k.Filter); err != nil {
			return err
		}
	}
	return checkBoost(k.Boost)
}

func checkVector(v []float32, dims int) error {
	if len(v) != dims {
		return invalid("the query vector has %d components, the index %d", len(v), dims)
	}
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return invalid("the query vector has a component that is not a number")
		}
	}
	return nil
}

func checkQuery(q Query) error {
	switch q := q.(type) {
	case Term:
		return checkLeaf(q.Field, q.Boost)
	case Match:
		if !slices.Contains(TextFields(), q.Field) {
			return invalid("field %q is not a text field", q.Field)
		}
		if q.Operator != "" && q.Operator != "and" && q.Operator != "or" {
			return invalid("operator %q is not and/or", q.Operator)
		}
		return checkBoost(q.Boost)
	case Regexp:
		if err := checkRegexp(q.Regexp); err != nil {
			return err
		}
		return checkLeaf(q.Field, q.Boost)
	case TermRange:
		return checkLeaf(q.Field, q.Boost)
	case IDs:
		return checkBoost(q.Boost)
	case Conjunction:
		return checkAll(q.Conjuncts, q.Boost)
	case Disjunction:
		if q.Min < 0 {
			return invalid("min %d of a disjunction is negative", q.Min)
		}
		return checkAll(q.Disjuncts, q.Boost)
	case Not:
		return checkQuery(q.Query)
	case MatchAll, MatchNone:
		return nil
	}
	return invalid("a query is missing")
}

func checkAll(qs []Query, boost *float64) error {
	for _, q := range qs {
		if err := checkQuery(q); err != nil {
			return err
		}
	}
	return checkBoost(boost)
}

func checkLeaf(field string, boost *float64) error {
	if !known[field] {
		return invalid("field %q is not indexed", field)
	}
	return checkBoost(boost)
}

func checkBoost(boost *float64) error {
	if boost != nil && (*boost < 0 || math.IsNaN(*boost) || math.IsInf(*boost, 0)) {
		return invalid("boost %v is not a number from 0", *boost)
	}
	return nil
}

// maxRegexpSteps is the largest cost of a regular expression, as pattern.Steps
// counts it.
const maxRegexpSteps = 5000

// checkRegexp refuses what the automata of the engines cannot do, or not in a
// bounded time.
func checkRegexp(expr string) error {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return fault.Wrap(fault.InvalidRequest, err, "search request: %q is not a regular expression: %s", expr,
			pattern.Mistake(err))
	}
	if n := pattern.Steps(re); n > maxRegexpSteps {
		return invalid("the regular expression takes %d steps a character, the limit is %d; write fewer or smaller "+
			"repetitions", n, maxRegexpSteps)
	}
	if !isPlain(re) {
		return invalid("regular expression %q has an anchor, a word boundary or lazy repetition; it always matches whole "+
			"terms", expr)
	}
	return nil
}

func isPlain(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary,
		syntax.OpNoWordBoundary:
		return false
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		if re.Flags&syntax.NonGreedy != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !isPlain(sub) })
}

func invalid(format string, args ...any) error {
	return fault.New(fault.InvalidRequest, "search request: "+format, args...)
}
