package searchsim

import "math"

// The parameters of BM25, as the embedded store has them.
const (
	bm25K1 = 2.0
	bm25B  = 0.75
)

// match finds documents that have any, or all, of the words in a field and
// scores them by BM25. The operations on floats and their order are those of
// the embedded store.
func (s *search) match(c *matchClause, boost float64) (found, error) {
	analysed, err := s.schema.analyse(c.Field, c.Analyzer, c.Match)
	if err != nil {
		return found{}, err
	}
	f := s.corpus.fields[c.Field]
	if f == nil || len(analysed) == 0 {
		return s.constant(s.none(), boost), nil
	}
	var words []string
	repeated := map[string]int{}
	for _, w := range analysed {
		if repeated[w]++; repeated[w] == 1 {
			words = append(words, w)
		}
	}
	weights := make([]float64, len(words)) // boost·idf·(k1+1), times how often the query has the word
	for i, w := range words {
		docs := s.documents(f.of(w))
		idf := math.Log(1 + (float64(f.docs)-float64(docs)+0.5)/(float64(docs)+0.5))
		weights[i] = boost * idf * (bm25K1 + 1) * float64(repeated[w])
	}
	return found{s.withWords(f, words, c.Operator == "and"), f.bm25(words, weights)}, nil
}

// documents is how many live ones there are among postings.
func (s *search) documents(list []posting) int {
	n := 0
	for _, p := range list {
		if s.corpus.live.has(p.doc) {
			n++
		}
	}
	return n
}

func (s *search) withWords(f *field, words []string, all bool) set {
	var docs set
	for i, w := range words {
		having := s.none()
		for _, p := range f.of(w) {
			having.add(p.doc)
		}
		switch {
		case i == 0:
			docs = having
		case all:
			docs = docs.and(having)
		default:
			docs.or(having)
		}
	}
	return docs
}

func (f *field) bm25(words []string, weights []float64) func(set, []float64) {
	average := float64(f.length) / float64(max(f.docs, 1))
	// In tf·weight/(tf + flat + slope·length), a word's score for a document.
	flat, slope := bm25K1*(1-bm25B), bm25K1*bm25B/max(average, 1)
	return func(within set, scores []float64) {
		for i, w := range words {
			weight := weights[i]
			for _, p := range f.of(w) {
				if within.has(p.doc) {
					tf := float64(p.freq)
					scores[p.doc] += weight * tf / (tf + flat + slope*float64(p.length))
				}
			}
		}
	}
}
