package searchsim

import (
	"cmp"
	"math"
)

const (
	maxK = 10_000
	// minDistance bounds the squared distance from below, as fts.KNN does.
	minDistance = 1e-9
)

// A nearest is a document that knn clauses find.
type nearest struct {
	doc     int32
	score   float64
	clauses int // that found it
}

// nearest is the documents that the knn clauses find, in the order in which
// they were found, with the sums of their scores.
func (s *search) nearest(clauses []knnClause, and bool) ([]nearest, error) {
	var all []nearest
	place := map[int32]int{} // document → index in all
	unscored := *s           // bleve evaluates filters without scores, and then has no limit for terms
	unscored.maxClauses = 0
	for _, k := range clauses {
		eligible := s.corpus.live
		if k.filter != nil {
			f, err := unscored.evaluate(k.filter, 0)
			if err != nil {
				return nil, err
			}
			eligible = eligible.and(f.docs)
		}
		for _, n := range s.kNearest(k, eligible) {
			i, ok := place[n.doc]
			if !ok {
				i = len(all)
				place[n.doc] = i
				all = append(all, nearest{doc: n.doc})
			}
			all[i].score += n.score * s.knnWeight(k, len(clauses))
			all[i].clauses++
		}
	}
	if !and {
		return all, nil
	}
	both := all[:0]
	for _, n := range all {
		if n.clauses == len(clauses) {
			both = append(both, n)
		}
	}
	return both, nil
}

// knnWeight is what the scores of a clause are multiplied with. Bleve divides
// it by a norm, after which the boost of a single clause has no effect.
func (s *search) knnWeight(k knnClause, clauses int) float64 {
	boost := 1.0
	if k.Boost != nil {
		boost = *k.Boost
	}
	switch {
	case s.schema.scoring == Reference:
		return boost
	case clauses == 1:
		return 1
	}
	return boost / math.Sqrt(float64(clauses))
}

// kNearest compares the vector of the clause with all that are eligible. A
// field without vectors, and a vector of another length, find nothing.
func (s *search) kNearest(k knnClause, eligible set) []nearest {
	v, ok := s.schema.vectors[k.Field]
	if !ok || v.dims != len(k.vector) {
		return nil
	}
	query := k.vector
	if v.similarity == cosine {
		query = normalised(query)
	}
	rows := s.corpus.vectors[k.Field]
	best := newTop(int(k.K), func(a, b nearest) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(s.corpus.entries[a.doc].key, s.corpus.entries[b.doc].key))
	})
	for doc := range eligible.all() {
		if int(doc) < len(rows) && rows[doc] != nil {
			best.offer(nearest{doc: doc, score: v.score(query, rows[doc], s.schema.scoring)})
		}
	}
	return best.sorted()
}

// score is the similarity of two vectors: their dot product, or for l2_norm one
// over the square of their distance. For equal vectors bleve has a constant.
func (v vectorField) score(a, b []float32, scoring Scoring) float64 {
	sum := 0.0
	if v.similarity != l2Norm {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	switch {
	case scoring == Reference:
		return 1 / max(minDistance, sum)
	case sum == 0:
		return math.MaxFloat32
	}
	return 1 / sum
}

// normalised is the vector with length 1; nil vectors stay as they are.
func normalised(v []float32) []float32 {
	length := 0.0
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	unit := make([]float32, len(v))
	for i, x := range v {
		if length > 0 {
			unit[i] = float32(float64(x) / math.Sqrt(length))
		}
	}
	return unit
}
