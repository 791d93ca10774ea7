package search

import (
	"slices"

	"github.com/ragnav/ragnav/internal/vector"
)

// fewDocs is of how many documents of a segment it is cheaper to look at each than at
// the set of them.
const fewDocs = 64

// A listed node can tell of a segment which few documents match, and score them.
type listed interface {
	// few are they, ascending, deleted ones among them; not ok where they may be many.
	// The caller must not change them.
	few(s *segmentView) (docs []int32, ok bool, err error)
	// scoresFew reports whether scoreFew gives all of the score.
	scoresFew() bool
	// scoreFew adds to the scores of the documents that are given, all of which match.
	// Own is what few has found.
	scoreFew(s *segmentView, own, docs []int32, scores []float64)
}

// few are the documents of a segment that match, if they are few.
func (s *step) few(seg *segmentView) (docs []int32, ok bool, err error) {
	l, ok := s.node.(listed)
	if !ok {
		return nil, false, nil
	}
	if s.fewOf != seg {
		docs, ok, err := l.few(seg)
		if err != nil {
			return nil, false, err
		}
		s.fewOf, s.docs, s.isFew = seg, docs, ok
	}
	return s.docs, s.isFew, nil
}

func (s *step) scoresFew() bool {
	l, ok := s.node.(listed)
	return s.filter || ok && l.scoresFew()
}

// scoreFew is score for a few documents, once few has found them.
func (s *step) scoreFew(seg *segmentView, docs []int32, scores []float64) {
	if !s.filter {
		s.node.(listed).scoreFew(seg, s.docs, docs, scores)
	}
}

// setOf is the set of some documents of a segment.
func setOf(s *segmentView, docs []int32) vector.Bits {
	set := vector.NewBits(s.size)
	for _, doc := range docs {
		set.Set(int(doc))
	}
	return set
}

// offer offers the live ones of a few documents, which a query finds, to best. It returns
// how many they are.
func (s *segmentView) offer(query *step, docs []int32, scores []float64, best *top) (live int) {
	query.scoreFew(s, docs, scores)
	for _, doc := range docs {
		score := scores[doc]
		scores[doc] = 0
		if !s.live.Has(int(doc)) {
			continue
		}
		if live++; score >= best.floor {
			best.offer(candidate{score: score, row: noRow, serial: s.serials[doc]})
		}
	}
	return live
}

// A termNode is the documents with a term of a keyword field.
type termNode struct {
	setNode

	field, term string
}

func (n *termNode) few(s *segmentView) ([]int32, bool, error) {
	dict, err := s.dictionary(n.field)
	if err != nil {
		return nil, false, err
	}
	return fewWith(dict, n.term)
}

func (n *idNode) few(s *segmentView) ([]int32, bool, error) { //nolint:unparam // as listed has it
	docs := n.docs[s.number]
	return docs, len(docs) <= fewDocs, nil
}

// few are those of one part that all others match.
func (c *conjunction) few(s *segmentView) ([]int32, bool, error) {
	for _, part := range c.parts {
		docs, ok, err := part.few(s)
		if err != nil {
			return nil, false, err
		}
		if ok {
			docs, err = c.among(s, docs, part)
			return docs, true, err
		}
	}
	return nil, false, nil
}

// among are those of some documents, all of which one part matches, that the others match.
func (c *conjunction) among(s *segmentView, docs []int32, part *step) (found []int32, err error) {
	for _, doc := range docs {
		all := true
		for i := 0; i < len(c.parts) && all; i++ {
			if c.parts[i] == part {
				continue
			}
			if all, err = c.parts[i].has(s, doc); err != nil {
				return nil, err
			}
		}
		if all {
			found = append(found, doc)
		}
	}
	return found, nil
}

func (c *conjunction) scoresFew() bool { return allScoreFew(c.parts) }

func (c *conjunction) scoreFew(s *segmentView, _, docs []int32, scores []float64) {
	for _, part := range c.parts {
		part.scoreFew(s, docs, scores)
	}
}

func allScoreFew(parts []*step) bool {
	return !slices.ContainsFunc(parts, func(part *step) bool { return !part.scoresFew() })
}

// few are those of all parts, where each has few.
func (d *disjunction) few(s *segmentView) (all []int32, ok bool, err error) {
	if d.least > 1 {
		return nil, false, nil
	}
	for _, part := range d.parts {
		docs, ok, err := part.few(s)
		if !ok || err != nil {
			return nil, false, err
		}
		all = append(all, docs...)
	}
	if len(d.parts) > 1 {
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return all, true, nil
}

func (d *disjunction) scoresFew() bool { return allScoreFew(d.parts) }

func (d *disjunction) scoreFew(s *segmentView, _, docs []int32, scores []float64) {
	for _, part := range d.parts {
		part.scoreFew(s, docs, scores)
	}
}
