package search

import (
	"slices"

	"github.com/ragnav/ragnav/internal/vector"
)

// The parameters of BM25. k1 = 2 was measured to find code better than the
// usual 1.2.
const (
	bm25K1 = 2.0
	bm25B  = 0.75
)

// A matchNode is the words of a query on a text field, scored by BM25.
type matchNode struct {
	x     *execution
	words []string
	all   bool // every word must match, not any

	postings [][]postings // by segment and word
	weights  []float64    // by word: boost·idf·(k1+1), times how often the query has it
	// In tf·weight/(tf + flat + slope·length), a word's score for a document.
	flat, slope float64
}

func (n *matchNode) find(s *segmentView) (vector.Bits, error) {
	set := vector.NewBits(s.size)
	of := n.postings[s.number]
	if n.all {
		for doc := range allOf(of) {
			set.Set(int(doc))
		}
		return set, n.x.ctx.Err()
	}
	for _, p := range of {
		if err := n.x.ctx.Err(); err != nil {
			return nil, err
		}
		p.addTo(set)
	}
	return set, nil
}

func (n *matchNode) score(s *segmentView, within vector.Bits, scores []float64) error {
	for w, p := range n.postings[s.number] {
		if err := n.x.ctx.Err(); err != nil {
			return err
		}
		weight := n.weights[w]
		for i, doc := range p.docs {
			if within[doc/64]&(1<<(doc%64)) != 0 {
				tf := float64(p.freqs[i])
				scores[doc] += weight * tf / (tf + n.flat + n.slope*float64(s.lengths[doc]))
			}
		}
	}
	return nil
}

// has reports whether a document matches.
func (n *matchNode) has(s *segmentView, doc int32) bool {
	for _, p := range n.postings[s.number] {
		if _, ok := slices.BinarySearch(p.docs, uint32(doc)); ok != n.all { //nolint:gosec // not negative
			return ok
		}
	}
	return n.all && len(n.words) > 0
}

// countIn is how many documents of a set match.
func (n *matchNode) countIn(s *segmentView, within vector.Bits) (int, error) {
	p := n.postings[s.number]
	if len(p) == 1 {
		return p[0].count(within), nil
	}
	if n.all && len(p) > 0 {
		total := 0
		for doc := range allOf(p) {
			total += int(within[doc/64] >> (doc % 64) & 1)
		}
		return total, nil
	}
	set, err := n.find(s)
	if err != nil {
		return 0, err
	}
	set.And(within)
	return set.Count(), nil
}

// scoreIn adds the documents of within that match to an empty set, and their scores to
// scores.
func (n *matchNode) scoreIn(s *segmentView, within, set vector.Bits, scores []float64) error {
	if n.all {
		found, err := n.find(s)
		if err != nil {
			return err
		}
		copy(set, found)
		set.And(within)
		return n.score(s, set, scores)
	}
	lengths, flat, slope := s.lengths, n.flat, n.slope // what is written to could be n, for all that is known
	for w, p := range n.postings[s.number] {
		if err := n.x.ctx.Err(); err != nil {
			return err
		}
		weight, freqs := n.weights[w], p.freqs[:len(p.docs)]
		for i, doc := range p.docs {
			word, bit := doc/64, uint64(1)<<(doc%64)
			if within[word]&bit == 0 {
				continue
			}
			set[word] |= bit
			tf := float64(freqs[i])
			scores[doc] += weight * tf / (tf + flat + slope*float64(lengths[doc]))
		}
	}
	return nil
}
