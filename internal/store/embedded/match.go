package embedded

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/ragnav/ragnav/internal/fts"
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

	postings map[*segmentView][]postings // by word
	weights  []float64                   // by word: boost·idf·(k1+1), times how often the query has it
	// In tf·weight/(tf + flat + slope·length), a word's score for a document.
	flat, slope float64
}

func (x *execution) match(q fts.Match, boost float64) (*matchNode, error) {
	n := &matchNode{x: x, all: q.Operator == "and", postings: map[*segmentView][]postings{}}
	repeated := map[string]int{}
	for _, w := range fts.Analyze(q.Match) {
		if repeated[w]++; repeated[w] == 1 {
			n.words = append(n.words, w)
		}
	}
	docs := make([]int, len(n.words))
	for i := range x.view.segments {
		if err := x.ctx.Err(); err != nil {
			return nil, err
		}
		s := &x.view.segments[i]
		found, err := s.words(s.terms, q.Field, n.words)
		if err != nil {
			return nil, err
		}
		n.postings[s] = found
		for w, p := range found {
			docs[w] += p.count(x.collected.docs[i])
		}
	}
	stats := x.collected.textField(q.Field)
	average := float64(stats.terms) / float64(max(stats.docs, 1))
	n.flat, n.slope = bm25K1*(1-bm25B), bm25K1*bm25B/max(average, 1)
	for i, w := range n.words {
		idf := math.Log(1 + (float64(stats.docs)-float64(docs[i])+0.5)/(float64(docs[i])+0.5))
		n.weights = append(n.weights, boost*idf*(bm25K1+1)*float64(repeated[w]))
	}
	return n, nil
}

// collection is what a filter selects, all for nil. That of a filter is found
// once for each view.
func (x *execution) collection(of fts.Query) (collection, error) {
	v := x.view
	if of == nil {
		c := collection{docs: make([]vector.Bits, len(v.segments)), fields: v.fields}
		for i, s := range v.segments {
			c.docs[i] = s.live
		}
		return c, nil
	}
	key, err := json.Marshal(of)
	if err != nil {
		return collection{}, fmt.Errorf("encode a filter: %w", err)
	}
	return v.collections.get(string(key), func() (collection, error) {
		query, err := x.plan(of, 0)
		if err != nil {
			return collection{}, err
		}
		c := collection{fields: make([]fieldStats, len(fts.TextFields()))}
		for i := range v.segments {
			if err := x.ctx.Err(); err != nil {
				return collection{}, err
			}
			s := &v.segments[i]
			set, err := query.find(s)
			if err != nil {
				return collection{}, err
			}
			set = intersect(set, s.live)
			count(c.fields, s, set)
			c.docs = append(c.docs, set)
		}
		return c, nil
	})
}

func (n *matchNode) find(s *segmentView) (vector.Bits, error) {
	set := vector.NewBits(s.size)
	for i, p := range n.postings[s] {
		if err := n.x.ctx.Err(); err != nil {
			return nil, err
		}
		if !n.all || i == 0 {
			p.addTo(set)
			continue
		}
		other := vector.NewBits(s.size)
		p.addTo(other)
		set.And(other)
	}
	return set, nil
}

func (n *matchNode) score(s *segmentView, within vector.Bits, scores []float64) error {
	for w, p := range n.postings[s] {
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
