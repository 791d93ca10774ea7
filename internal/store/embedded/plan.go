package embedded

import (
	"fmt"
	"sync"

	scorch "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum/regexp"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/vector"
)

// A node is a query made ready for a view.
type node interface {
	// find is the set of documents of a segment that match; deleted ones may
	// be among them. The caller must not change it.
	find(s *segmentView) (vector.Bits, error)
	// score adds to scores, for each document of within, the score that the
	// query gives it. All of within match.
	score(s *segmentView, within vector.Bits, scores []float64) error
}

// A step is a node that remembers its last set, because the set is needed to
// find and again to score.
type step struct {
	node
	segment *segmentView
	set     vector.Bits
	filter  bool // scores nothing
}

func (s *step) find(seg *segmentView) (vector.Bits, error) {
	if s.segment == seg {
		return s.set, nil
	}
	set, err := s.node.find(seg)
	if err == nil {
		s.segment, s.set = seg, set
	}
	return set, err
}

func (s *step) score(seg *segmentView, within vector.Bits, scores []float64) error {
	if s.filter {
		return nil
	}
	return s.node.score(seg, within, scores)
}

// plan makes a query ready whose scores are to be multiplied by boost.
func (x *execution) plan(q fts.Query, boost float64) (*step, error) {
	if boost *= boostOf(q); boost == 0 {
		n, err := x.node(q, 0)
		return &step{node: n, filter: true}, err
	}
	n, err := x.node(q, boost)
	return &step{node: n}, err
}

func (x *execution) node(q fts.Query, boost float64) (node, error) {
	switch q := q.(type) {
	case fts.Term:
		return &setNode{boost, termSet(q)}, nil
	case fts.Regexp:
		return &setNode{boost, regexpSet(q)}, nil
	case fts.TermRange:
		return &setNode{boost, rangeSet(q)}, nil
	case fts.IDs:
		return &setNode{boost, idSet(q.IDs)}, nil
	case fts.MatchAll:
		return &setNode{boost, func(s *segmentView) (vector.Bits, error) { return s.live, nil }}, nil
	case fts.MatchNone:
		return &setNode{boost, func(s *segmentView) (vector.Bits, error) { return vector.NewBits(s.size), nil }}, nil
	case fts.Match:
		return x.match(q, boost)
	case fts.Conjunction:
		parts, err := x.all(q.Conjuncts, boost)
		return &conjunction{parts}, err
	case fts.Disjunction:
		parts, err := x.all(q.Disjuncts, boost)
		return &disjunction{parts, max(q.Min, 1)}, err
	}
	return nil, fault.New(fault.InvalidRequest, "search request: query of the unknown kind %T", q)
}

func (x *execution) all(qs []fts.Query, boost float64) ([]*step, error) {
	steps := make([]*step, len(qs))
	for i, q := range qs {
		var err error
		if steps[i], err = x.plan(q, boost); err != nil {
			return nil, err
		}
	}
	return steps, nil
}

func boostOf(q fts.Query) float64 {
	var boost *float64
	switch q := q.(type) {
	case fts.Term:
		boost = q.Boost
	case fts.Match:
		boost = q.Boost
	case fts.Regexp:
		boost = q.Boost
	case fts.TermRange:
		boost = q.Boost
	case fts.IDs:
		boost = q.Boost
	case fts.Conjunction:
		boost = q.Boost
	case fts.Disjunction:
		boost = q.Boost
	}
	if boost == nil {
		return 1
	}
	return *boost
}

// A setNode gives each document of a set the same score.
type setNode struct {
	boost float64
	set   func(s *segmentView) (vector.Bits, error)
}

func (n *setNode) find(s *segmentView) (vector.Bits, error) { return n.set(s) }

func (n *setNode) score(_ *segmentView, within vector.Bits, scores []float64) error {
	for doc := range members(within) {
		scores[doc] += n.boost
	}
	return nil
}

func termSet(q fts.Term) func(*segmentView) (vector.Bits, error) {
	return func(s *segmentView) (vector.Bits, error) {
		return s.documents(leaf{field: q.Field, term: q.Term}, func(set vector.Bits) error {
			dict, err := s.dictionary(q.Field)
			if err != nil {
				return err
			}
			return addTerm(set, dict, q.Term)
		})
	}
}

// regexpSet compiles the expression only for segments that it is new to.
func regexpSet(q fts.Regexp) func(*segmentView) (vector.Bits, error) {
	compile := sync.OnceValues(func() (*regexp.Regexp, error) {
		automaton, err := regexp.New(q.Regexp)
		if err != nil {
			return nil, fault.Wrap(fault.InvalidRequest, err, "search request: regular expression %q cannot be executed: %v; simplify it", q.Regexp, err)
		}
		return automaton, nil
	})
	return func(s *segmentView) (vector.Bits, error) {
		return s.documents(leaf{field: q.Field, term: q.Regexp, regexp: true}, func(set vector.Bits) error {
			automaton, err := compile()
			if err != nil {
				return err
			}
			return s.addTerms(set, q.Field, automaton, nil, nil)
		})
	}
}

func rangeSet(q fts.TermRange) func(*segmentView) (vector.Bits, error) {
	return func(s *segmentView) (vector.Bits, error) {
		set := vector.NewBits(s.size)
		var from, to []byte
		if q.Min != "" {
			from = []byte(q.Min)
		}
		if q.Max != "" {
			to = []byte(q.Max)
		}
		if from != nil && to != nil && q.Min >= q.Max {
			return set, nil
		}
		return set, s.addTerms(set, q.Field, nil, from, to)
	}
}

func idSet(ids []string) func(*segmentView) (vector.Bits, error) {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = documentKey(id)
	}
	return func(s *segmentView) (vector.Bits, error) {
		set := vector.NewBits(s.size)
		docs, err := s.terms.DocNumbers(keys)
		if err != nil {
			return nil, fmt.Errorf("look up ids: %w", err)
		}
		addBitmap(set, docs)
		return set, nil
	}
}

func (s *segmentView) dictionary(field string) (scorch.TermDictionary, error) {
	dict, err := s.terms.Dictionary(field)
	if err != nil {
		return nil, fmt.Errorf("read the terms of %s: %w", field, err)
	}
	return dict, nil
}

// addTerms adds the documents of the terms in [from, to) that the automaton,
// which may be nil, takes.
func (s *segmentView) addTerms(set vector.Bits, field string, automaton scorch.Automaton, from, to []byte) error {
	dict, err := s.dictionary(field)
	if err != nil {
		return err
	}
	terms := dict.AutomatonIterator(automaton, from, to)
	for {
		entry, err := terms.Next()
		if err != nil || entry == nil {
			return err
		}
		if err := addTerm(set, dict, entry.Term); err != nil {
			return err
		}
	}
}

func addTerm(set vector.Bits, dict scorch.TermDictionary, term string) error {
	list, err := dict.PostingsList([]byte(term), nil, nil)
	if err != nil {
		return fmt.Errorf("read postings: %w", err)
	}
	if err := addPostings(set, list); err != nil {
		return fmt.Errorf("read postings: %w", err)
	}
	return nil
}
