package vector

import (
	"cmp"
	"math"

	"github.com/ragnav/ragnav/internal/topk"
)

// A Scored is a row and its dot product with a query.
type Scored struct {
	Row int32
	Dot float32
}

// compare orders the better row first: by dot product, then by row number.
func (s Scored) compare(t Scored) int {
	if s.Dot != t.Dot {
		return cmp.Compare(t.Dot, s.Dot)
	}
	return cmp.Compare(s.Row, t.Row)
}

// A top keeps the best k of the rows that it is offered.
type top struct {
	best topk.Best[Scored]
	// floor is what a row must reach to have a chance, as far as it is known; settle
	// finds it out.
	floor float32
}

func newTop(k int) top {
	return top{topk.Best[Scored]{Limit: k, Compare: better}, float32(math.Inf(-1))}
}

func better(a, b *Scored) int { return a.compare(*b) }

func (t *top) offer(s Scored) {
	if t.best.Offer(s) {
		worst, _ := t.best.Worst()
		t.floor = worst.Dot
	}
}

// settle is the best rows so far, in no order; they are valid until the next offer.
func (t *top) settle() []Scored {
	all := t.best.All()
	if worst, ok := t.best.Worst(); ok {
		t.floor = worst.Dot
	}
	return all
}
