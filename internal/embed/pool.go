package embed

import (
	"math"
	"slices"
	"sync"

	"github.com/ragnav/ragnav/internal/vector/codes"
)

// A sum counts the rows of one text: tf(r) is the sum of field count × share
// over its tokens.
type sum struct {
	tf   []float32 // by row; zero between uses
	rows []int32   // with tf > 0, in order of appearance
}

func (s *sum) add(row int32, count float32) {
	if s.tf[row] == 0 {
		s.rows = append(s.rows, row)
	}
	s.tf[row] += count
}

// pool is Σ a(r) × weights[r] × int8row[r], in order of the row numbers, where
// a(r) = tf(r) up to 1 and 1+ln(tf(r)) above, and weights include the rows'
// scales. It is nil when there is no row.
func (s *sum) pool(t *table, weights []float32) []float32 {
	if len(s.rows) == 0 {
		return nil
	}
	slices.Sort(s.rows)
	v := make([]float32, t.dims)
	for _, r := range s.rows {
		codes.AddScaled(v, t.rows[int(r)*t.dims:], damp(s.tf[r])*weights[r])
	}
	return v
}

// Unit brings v to length 1, in place. A vector that is zero or not finite becomes nil.
func Unit(v []float32) []float32 {
	norm := length(v)
	if norm == 0 || math.IsInf(norm, 0) || math.IsNaN(norm) {
		return nil
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / norm)
	}
	return v
}

func damp(tf float32) float32 {
	if tf <= 1 {
		return tf
	}
	return 1 + float32(math.Log(float64(tf)))
}

func length(v []float32) float64 {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	return math.Sqrt(square)
}

// A sumPool lends sums, so that a text costs no allocation the size of the
// vocabulary.
type sumPool struct{ pool *sync.Pool }

func newSumPool(rows int) sumPool {
	return sumPool{&sync.Pool{New: func() any { return &sum{tf: make([]float32, rows)} }}}
}

func (p sumPool) take() *sum { return p.pool.Get().(*sum) }

func (p sumPool) give(s *sum) {
	for _, r := range s.rows {
		s.tf[r] = 0
	}
	s.rows = s.rows[:0]
	p.pool.Put(s)
}
