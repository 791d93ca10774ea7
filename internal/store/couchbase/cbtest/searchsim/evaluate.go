package searchsim

import "fmt"

// A found is what a clause finds: a set of documents, deleted ones among them,
// and how it scores. The set is shared and must not be changed.
type found struct {
	docs set
	// score adds to scores, for each document of within, which docs has, the
	// score that the clause gives it; nil when it scores nothing.
	score func(within set, scores []float64)
}

// A search is one request under way on the documents of an index. The boost of
// every method multiplies what the clause scores.
type search struct {
	corpus     *corpus
	schema     *schema
	maxClauses int
}

// evaluate carries out a clause. Scores, and the order in which they are added,
// are those of the embedded store.
func (s *search) evaluate(c clause, boost float64) (found, error) {
	boost *= boostOf(c)
	f, err := s.find(c, boost)
	if boost == 0 {
		f.score = nil
	}
	return f, err
}

func (s *search) find(c clause, boost float64) (found, error) {
	switch c := c.(type) {
	case *termClause:
		return s.constant(s.having(c.Field, []string{c.Term}), boost), nil
	case *matchClause:
		return s.match(c, boost)
	case *regexpClause:
		return s.regexp(c, boost)
	case *rangeClause:
		return s.inRange(c, boost)
	case *idsClause:
		return s.constant(s.withIDs(c.IDs), boost), nil
	case *allClause:
		return s.constant(s.corpus.live, boost), nil
	case *noneClause:
		return s.constant(s.none(), boost), nil
	case *conjunctsClause:
		return s.conjunction(c, boost)
	case *disjunctsClause:
		return s.disjunction(c, boost)
	case *boolClause:
		return s.boolean(c, boost)
	}
	return found{}, fmt.Errorf("searchsim cannot evaluate a %T", c)
}

func (s *search) none() set { return newSet(len(s.corpus.entries)) }

// constant gives each document of a set the same score.
func (s *search) constant(docs set, score float64) found {
	return found{docs, func(within set, scores []float64) {
		for doc := range within.all() {
			scores[doc] += score
		}
	}}
}

// having is the documents with any of those terms in a field.
func (s *search) having(fieldName string, terms []string) set {
	docs := s.none()
	if f := s.corpus.fields[fieldName]; f != nil {
		for _, term := range terms {
			for _, p := range f.of(term) {
				docs.add(p.doc)
			}
		}
	}
	return docs
}

func (s *search) withIDs(ids []string) set {
	docs := s.none()
	for _, id := range ids {
		if doc, ok := s.corpus.numbers[id]; ok {
			docs.add(doc)
		}
	}
	return docs
}

func (s *search) regexp(c *regexpClause, boost float64) (found, error) {
	f := s.corpus.fields[c.Field]
	if f == nil {
		f = &field{} // an expression that is none is an error all the same
	}
	terms, err := f.termsMatching(c.Regexp)
	if err == nil {
		err = s.checkClauses(c.Field, terms)
	}
	return s.constant(s.having(c.Field, terms), boost), err
}

func (s *search) inRange(c *rangeClause, boost float64) (found, error) {
	f := s.corpus.fields[c.Field]
	if f == nil {
		return s.constant(s.none(), boost), nil
	}
	terms := f.termsIn(c)
	return s.constant(s.having(c.Field, terms), boost), s.checkClauses(c.Field, terms)
}

// checkClauses refuses an expression or range that stands for too many terms,
// in the server's words.
func (s *search) checkClauses(fieldName string, terms []string) error {
	if s.maxClauses == 0 || len(terms) <= s.maxClauses {
		return nil
	}
	return fmt.Errorf("TooManyClauses over field: `%s` [%d > maxClauseCount, which is set to %d]", fieldName, len(terms),
		s.maxClauses)
}

// conjunction finds what all parts find; without parts, nothing.
func (s *search) conjunction(c *conjunctsClause, boost float64) (found, error) {
	parts, err := s.evaluateAll(c.parts, boost)
	if err != nil || len(parts) == 0 {
		return s.constant(s.none(), boost), err
	}
	docs := parts[0].docs
	for _, part := range parts[1:] {
		docs = docs.and(part.docs)
	}
	return found{docs, func(within set, scores []float64) {
		for _, part := range parts {
			if part.score != nil {
				part.score(within, scores)
			}
		}
	}}, nil
}

// disjunction finds what at least c.Min parts, and at least one, find.
func (s *search) disjunction(c *disjunctsClause, boost float64) (found, error) {
	parts, err := s.evaluateAll(c.parts, boost)
	if err != nil {
		return found{}, err
	}
	// counts[i] are the documents that i+1 parts or more find.
	counts := make([]set, max(int(c.Min), 1))
	for i := range counts {
		counts[i] = s.none()
	}
	for _, part := range parts {
		for i := len(counts) - 1; i > 0; i-- {
			counts[i].or(counts[i-1].and(part.docs))
		}
		counts[0].or(part.docs)
	}
	return found{counts[len(counts)-1], func(within set, scores []float64) {
		for _, part := range parts {
			if part.score != nil {
				part.score(part.docs.and(within), scores)
			}
		}
	}}, nil
}

// boolean finds what must finds and mustNot does not, with the scores of must.
func (s *search) boolean(c *boolClause, boost float64) (found, error) {
	f, err := s.evaluate(c.must, boost)
	if err != nil || c.mustNot == nil {
		return f, err
	}
	not, err := s.evaluate(c.mustNot, 0)
	if err != nil {
		return found{}, err
	}
	f.docs = f.docs.without(not.docs)
	return f, nil
}

func (s *search) evaluateAll(clauses []clause, boost float64) ([]found, error) {
	parts := make([]found, len(clauses))
	for i, c := range clauses {
		var err error
		if parts[i], err = s.evaluate(c, boost); err != nil {
			return nil, err
		}
	}
	return parts, nil
}
