package search

import "github.com/ragnav/ragnav/internal/vector"

// A conjunction of nothing matches nothing.
type conjunction struct{ parts []*step }

func (c *conjunction) find(s *segmentView) (vector.Bits, error) {
	if len(c.parts) == 0 {
		return vector.NewBits(s.size), nil
	}
	if docs, ok, err := c.few(s); ok || err != nil {
		return setOf(s, docs), err
	}
	set, err := c.parts[0].find(s)
	if err != nil || len(c.parts) == 1 {
		return set, err
	}
	set = append(vector.Bits(nil), set...)
	for _, part := range c.parts[1:] {
		other, err := part.find(s)
		if err != nil {
			return nil, err
		}
		set.And(other)
	}
	return set, nil
}

// words is the only part of words, and the set of documents that all others
// match, which are filters. It is nil where there is none, or several.
func (c *conjunction) words(s *segmentView) (*matchNode, vector.Bits, error) {
	var words *matchNode
	within := s.live
	for _, part := range c.parts {
		if m, ok := part.node.(*matchNode); ok && words == nil {
			words = m
			continue
		}
		if !part.filter {
			return nil, nil, nil
		}
		set, err := part.find(s)
		if err != nil {
			return nil, nil, err
		}
		if _, all := part.node.(*selection); all && len(c.parts) == 2 { // live already
			within = set
		} else {
			within = intersect(within, set)
		}
	}
	return words, within, nil
}

func (c *conjunction) score(s *segmentView, within vector.Bits, scores []float64) error {
	for _, part := range c.parts {
		if err := part.score(s, within, scores); err != nil {
			return err
		}
	}
	return nil
}

// A complement matches the documents that its part does not.
type complement struct{ part *step }

func (c *complement) find(s *segmentView) (vector.Bits, error) {
	not, err := c.part.find(s)
	if err != nil {
		return nil, err
	}
	set := vector.NewBits(s.size)
	for i := range set {
		set[i] = s.live[i] &^ not[i]
	}
	return set, nil
}

func (c *complement) score(*segmentView, vector.Bits, []float64) error { return nil }

// A disjunction matches what at least least of its parts match.
type disjunction struct {
	parts []*step
	least int
}

func (d *disjunction) find(s *segmentView) (vector.Bits, error) {
	// counts[i] are the documents that i+1 parts or more match.
	counts := make([]vector.Bits, d.least)
	for i := range counts {
		counts[i] = vector.NewBits(s.size)
	}
	for _, part := range d.parts {
		set, err := part.find(s)
		if err != nil {
			return nil, err
		}
		for i := d.least - 1; i > 0; i-- {
			counts[i].Or(intersect(counts[i-1], set))
		}
		counts[0].Or(set)
	}
	return counts[d.least-1], nil
}

func (d *disjunction) score(s *segmentView, within vector.Bits, scores []float64) error {
	for _, part := range d.parts {
		if part.filter {
			continue
		}
		set, err := part.find(s)
		if err != nil {
			return err
		}
		if err := part.score(s, intersect(set, within), scores); err != nil {
			return err
		}
	}
	return nil
}
