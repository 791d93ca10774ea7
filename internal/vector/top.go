package vector

import (
	"cmp"
	"math"
	"slices"
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

// A top keeps the best k of the rows that it is offered in a heap with the
// worst of them first.
type top struct {
	k    int
	heap []Scored
}

// floor is what a row must reach to have a chance.
func (t *top) floor() float32 {
	if len(t.heap) < t.k {
		return float32(math.Inf(-1))
	}
	return t.heap[0].Dot
}

func (t *top) offer(s Scored) {
	switch {
	case len(t.heap) < t.k:
		t.heap = append(t.heap, s)
		t.up(len(t.heap) - 1)
	case s.compare(t.heap[0]) < 0:
		t.heap[0] = s
		t.down()
	}
}

func (t *top) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if t.heap[i].compare(t.heap[parent]) <= 0 {
			return
		}
		t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
		i = parent
	}
}

func (t *top) down() {
	i := 0
	for {
		worst := 2*i + 1
		if worst >= len(t.heap) {
			return
		}
		if right := worst + 1; right < len(t.heap) && t.heap[right].compare(t.heap[worst]) > 0 {
			worst = right
		}
		if t.heap[worst].compare(t.heap[i]) <= 0 {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

// sorted is the best rows, best first. The top must not be used afterwards.
func (t *top) sorted() []Scored {
	slices.SortFunc(t.heap, Scored.compare)
	return t.heap
}
