package searchsim

import "slices"

// A top keeps the best of what it is offered.
type top[T any] struct {
	limit   int
	compare func(a, b T) int // negative when a is better
	kept    []T              // the best so far are among them
	sieved  bool             // kept[limit-1] is the worst that can still be of use
}

func newTop[T any](limit int, compare func(a, b T) int) *top[T] {
	return &top[T]{limit: limit, compare: compare}
}

func (t *top[T]) offer(x T) {
	if t.limit == 0 || t.sieved && t.compare(x, t.kept[t.limit-1]) > 0 {
		return
	}
	if t.kept = append(t.kept, x); len(t.kept) > 2*t.limit+100 {
		t.sorted()
		t.sieved = true
	}
}

// sorted is the best so far, best first.
func (t *top[T]) sorted() []T {
	slices.SortFunc(t.kept, t.compare)
	t.kept = t.kept[:min(t.limit, len(t.kept))]
	return t.kept
}
