package search

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"

	scorch "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
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

// A tester is a node that can tell of one document whether it matches.
type tester interface {
	has(s *segmentView, doc int32) bool
}

// A step is a node that remembers its last set, because the set is needed to
// find and again to score.
type step struct {
	node
	segment *segmentView
	set     vector.Bits
	filter  bool // scores nothing

	fewOf *segmentView // of which few has found docs
	docs  []int32
	isFew bool
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

func (s *step) has(seg *segmentView, doc int32) (bool, error) {
	if t, ok := s.node.(tester); ok {
		return t.has(seg, doc), nil
	}
	if docs, ok, err := s.few(seg); ok || err != nil {
		_, in := slices.BinarySearch(docs, doc)
		return in, err
	}
	set, err := s.find(seg)
	return set.Has(int(doc)), err
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
		n, err := x.filter(q)
		return &step{node: n, filter: true}, err
	}
	n, err := x.node(q, boost)
	return &step{node: n}, err
}

// filter makes a query ready that scores nothing.
func (x *execution) filter(q fts.Query) (node, error) {
	switch q.(type) {
	case fts.Conjunction, fts.Disjunction, fts.Not:
		if n, err := x.selection(q); n != nil || err != nil {
			return n, err
		}
	}
	return x.node(q, 0)
}

func (x *execution) node(q fts.Query, boost float64) (node, error) {
	switch q := q.(type) {
	case fts.Term:
		return &termNode{setNode{flat(boost), termSet(q)}, q.Field, q.Term}, nil
	case fts.Regexp:
		return &setNode{flat(boost), x.regexpSet(q)}, nil
	case fts.TermRange:
		return &setNode{flat(boost), x.rangeSet(q)}, nil
	case fts.IDs:
		return x.ids(q.IDs, boost), nil
	case fts.MatchAll:
		return &setNode{flat(boost), func(s *segmentView) (vector.Bits, error) { return s.live, nil }}, nil
	case fts.MatchNone:
		return &setNode{flat(boost), func(s *segmentView) (vector.Bits, error) { return vector.NewBits(s.size), nil }}, nil
	case fts.Match:
		return x.match(q, boost)
	case fts.Not:
		part, err := x.plan(q.Query, 0)
		return &complement{part}, err
	case fts.Conjunction:
		parts, err := x.all(q.Conjuncts, boost)
		return &conjunction{parts}, err
	case fts.Disjunction:
		if field, terms := manyTerms(q); boost == 0 && terms != nil {
			return &setNode{flat(boost), x.termsSet(field, terms)}, nil
		}
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
	case fts.Not:
		return 0
	}
	if boost == nil {
		return 1
	}
	return *boost
}

// flat is the score of nodes that give each of their documents the same one.
type flat float64

func (f flat) score(_ *segmentView, within vector.Bits, scores []float64) error { //nolint:unparam // as node has it
	for doc := range within.Members() {
		scores[doc] += float64(f)
	}
	return nil
}

func (flat) scoresFew() bool { return true }

func (f flat) scoreFew(_ *segmentView, own, docs []int32, scores []float64) {
	for _, doc := range docs {
		if _, ok := slices.BinarySearch(own, doc); ok {
			scores[doc] += float64(f)
		}
	}
}

// A setNode is the documents of a set.
type setNode struct {
	flat

	set func(s *segmentView) (vector.Bits, error)
}

func (n *setNode) find(s *segmentView) (vector.Bits, error) { return n.set(s) }

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

// someTerms are so many that a set of each would take longer than the terms.
const someTerms = 16

// manyTerms are those of a query for one of many terms of a field; nil for another.
func manyTerms(q fts.Disjunction) (field string, terms []string) {
	if len(q.Disjuncts) < someTerms || q.Min > 1 {
		return "", nil
	}
	for _, part := range q.Disjuncts {
		t, ok := part.(fts.Term)
		if !ok || terms != nil && t.Field != field {
			return "", nil
		}
		field, terms = t.Field, append(terms, t.Term)
	}
	return field, terms
}

func (x *execution) termsSet(field string, terms []string) func(*segmentView) (vector.Bits, error) {
	return func(s *segmentView) (vector.Bits, error) {
		set := vector.NewBits(s.size)
		dict, err := s.dictionary(field)
		for i := 0; i < len(terms) && err == nil; i++ {
			if err = x.ctx.Err(); err == nil {
				err = addTerm(set, dict, terms[i])
			}
		}
		return set, err
	}
}

// regexpSet holds the terms against an expression one by one, in a time that is
// linear in their length, of those that a walk by it leads to. An automaton of all
// its states, for some expressions, would have as many as memory holds.
func (x *execution) regexpSet(q fts.Regexp) func(*segmentView) (vector.Bits, error) {
	type automata struct {
		whole *pattern.Whole
		walk  pattern.Walk
	}
	compile := sync.OnceValues(func() (a automata, err error) {
		re, err := syntax.Parse(q.Regexp, syntax.Perl)
		if err != nil {
			return a, err
		}
		if a.whole, err = pattern.NewWhole(re); err != nil {
			return a, err
		}
		of, err := pattern.NewWhole(re)
		a.walk = pattern.NewWalk(of)
		return a, err
	})
	from, to := bounds(q.Regexp)
	return func(s *segmentView) (vector.Bits, error) {
		return s.documents(leaf{field: q.Field, term: q.Regexp, regexp: true}, func(set vector.Bits) error {
			made, err := compile()
			if err != nil {
				return fault.Wrap(fault.InvalidRequest, err,
					"search request: regular expression %q cannot be executed: %v; simplify it", q.Regexp, err)
			}
			return x.addTerms(set, s, some{q.Field, from, to, made.walk, made.whole.Match})
		})
	}
}

// bounds are those of the terms that an expression can match: all begin with the
// text that it begins with.
func bounds(expr string) (from, to []byte) {
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, nil
	}
	prefix, _ := re.LiteralPrefix()
	if prefix == "" || prefix[len(prefix)-1] == 0xff {
		return nil, nil
	}
	from, to = []byte(prefix), []byte(prefix)
	to[len(to)-1]++
	return from, to
}

func (x *execution) rangeSet(q fts.TermRange) func(*segmentView) (vector.Bits, error) {
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
		return set, x.addTerms(set, s, some{q.Field, from, to, nil, func(string) bool { return true }})
	}
}

// An idNode is the documents of some ids.
type idNode struct {
	flat

	docs [][]int32 // by segment
}

// ids finds documents by the rows of their ids, which takes a tenth of a look
// into the dictionaries of ids.
func (x *execution) ids(ids []string, boost float64) *idNode {
	n := &idNode{flat(boost), make([][]int32, len(x.view.segments))}
	for _, p := range x.placesOf(ids) {
		n.docs[p.segment] = append(n.docs[p.segment], p.doc)
	}
	for _, docs := range n.docs {
		slices.Sort(docs)
	}
	return n
}

func (n *idNode) find(s *segmentView) (vector.Bits, error) { return setOf(s, n.docs[s.number]), nil }

func (n *idNode) has(s *segmentView, doc int32) bool {
	_, in := slices.BinarySearch(n.docs[s.number], doc)
	return in
}

// placesOf are the places of the documents by their rows.
func (x *execution) placesOf(ids []string) map[int]place {
	places, found := x.view.places(x.find, x.rows.Len()), make(map[int]place, len(ids))
	for _, id := range ids {
		if row, ok := x.rows.Lookup(id); ok && places[row].segment >= 0 {
			found[row] = places[row]
		}
	}
	return found
}

func (s *segmentView) dictionary(field string) (scorch.TermDictionary, error) {
	dict, err := s.terms.Dictionary(field)
	if err != nil {
		return nil, fmt.Errorf("read the terms of %s: %w", field, err)
	}
	return dict, nil
}

// some are the terms of a field in [from, to) that are wanted, to all of which a walk
// leads; nil: through all.
type some struct {
	field    string
	from, to []byte
	walk     scorch.Automaton
	wanted   func(string) bool
}

// addTerms adds the documents of some terms.
func (x *execution) addTerms(set vector.Bits, s *segmentView, of some) error {
	dict, err := s.dictionary(of.field)
	if err != nil {
		return err
	}
	terms := dict.AutomatonIterator(of.walk, of.from, of.to)
	for {
		entry, err := terms.Next()
		if err != nil || entry == nil {
			return err
		}
		if err := x.ctx.Err(); err != nil {
			return err
		}
		if !of.wanted(entry.Term) {
			continue
		}
		if err := addTerm(set, dict, entry.Term); err != nil {
			return err
		}
	}
}

// fewWith are the documents with a term; not ok where they are many.
func fewWith(dict scorch.TermDictionary, term string) (docs []int32, ok bool, err error) {
	list, err := dict.PostingsList([]byte(term), nil, nil)
	if err != nil {
		return nil, false, fmt.Errorf("read postings: %w", err)
	}
	n := list.Count()
	if n == 0 || n > fewDocs {
		return nil, n == 0, nil
	}
	docs = make([]int32, 0, n)
	for it := list.Iterator(false, false, false, nil); ; {
		p, err := it.Next()
		if err != nil {
			return nil, false, fmt.Errorf("read postings: %w", err)
		}
		if p == nil {
			return docs, true, nil
		}
		docs = append(docs, int32(p.Number())) //nolint:gosec // documents of a segment
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

func (x *execution) match(q fts.Match, boost float64) (*matchNode, error) {
	n := &matchNode{x: x, all: q.Operator == "and", postings: make([][]postings, len(x.view.segments))}
	repeated := map[string]int{}
	x.analyser.Each(q.Match, func(term *fts.Token) {
		if repeated[term.Text]++; repeated[term.Text] == 1 {
			n.words = append(n.words, term.Text)
		}
	})
	for i := range x.view.segments {
		if err := x.ctx.Err(); err != nil {
			return nil, err
		}
		s := &x.view.segments[i]
		var err error
		if n.postings[i], err = s.words(s.terms, q.Field, n.words); err != nil {
			return nil, err
		}
	}
	if boost == 0 {
		return n, nil
	}
	of, err := x.collection()
	if err != nil {
		return nil, err
	}
	stats := of.statistics(x.view)[slices.Index(fts.TextFields(), q.Field)]
	average := float64(stats.terms) / float64(max(stats.docs, 1))
	n.flat, n.slope = bm25K1*(1-bm25B), bm25K1*bm25B/max(average, 1)
	for i, w := range n.words {
		docs := of.documentsWith(leaf{field: q.Field, term: w}, func(segment int) postings { return n.postings[segment][i] })
		idf := math.Log(1 + (float64(stats.docs)-float64(docs)+0.5)/(float64(docs)+0.5))
		n.weights = append(n.weights, boost*idf*(bm25K1+1)*float64(repeated[w]))
	}
	return n, nil
}
