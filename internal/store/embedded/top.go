package embedded

import (
	"cmp"
	"math"
	"slices"

	"github.com/ragnav/ragnav/internal/vector"
)

// A candidate is a document with its score.
type candidate struct {
	score float64
	row   int
	id    string // once it was needed; as Snapshot.Peek
}

// A top keeps the best of the candidates that it is offered. Equal scores are
// ordered by id.
type top struct {
	limit int
	rows  *vector.Snapshot
	heap  []candidate // the worst is first
}

// floor is the score that a candidate must reach to have a chance; full tells
// whether there is one.
func (t *top) floor() (score float64, full bool) {
	switch {
	case t.limit == 0:
		return math.Inf(1), true
	case len(t.heap) < t.limit:
		return 0, false
	}
	return t.heap[0].score, true
}

func (t *top) offer(c candidate) {
	switch {
	case len(t.heap) < t.limit:
		t.heap = append(t.heap, c)
		t.up(len(t.heap) - 1)
	case t.limit > 0 && t.compare(&c, &t.heap[0]) < 0:
		t.heap[0] = c
		t.down(0)
	}
}

// compare is negative when a is better than b.
func (t *top) compare(a, b *candidate) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	for _, c := range []*candidate{a, b} {
		if c.id == "" {
			c.id = t.rows.Peek(c.row)
		}
	}
	return cmp.Compare(a.id, b.id)
}

func (t *top) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if t.compare(&t.heap[parent], &t.heap[i]) >= 0 {
			return
		}
		t.heap[parent], t.heap[i] = t.heap[i], t.heap[parent]
		i = parent
	}
}

func (t *top) down(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if t.compare(&t.heap[child], &t.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[worst], t.heap[i] = t.heap[i], t.heap[worst]
		i = worst
	}
}

// sorted is what was kept, best first. The top must not be used afterwards.
func (t *top) sorted() []candidate {
	slices.SortFunc(t.heap, func(a, b candidate) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return t.compare(&a, &b)
	})
	return t.heap
}
