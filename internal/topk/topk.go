// Package topk keeps the best of many values, without an order until the end. A
// value that is kept costs a few comparisons, where a heap costs the logarithm of
// how many are wanted.
package topk

import (
	"math/bits"
	"slices"
	"sort"
)

// A Best keeps the best Limit of the values that it is offered. Among equal ones
// it keeps some.
type Best[T any] struct {
	Limit int
	// Compare is negative when a is better than b.
	Compare func(a, b *T) int

	// Kept is memory for twice Limit values, or nil: then it is made.
	Kept []T

	kept []T // the best, and up to as many again that came since
	full bool
}

// Offer takes a value into account. It reports whether Worst may have changed.
func (b *Best[T]) Offer(v T) bool {
	if b.Limit <= 0 || b.full && b.Compare(&v, &b.kept[b.Limit-1]) >= 0 {
		return false
	}
	if b.kept == nil {
		b.kept = slices.Grow(b.Kept[:0], 2*b.Limit)
	}
	if b.kept = append(b.kept, v); len(b.kept) < 2*b.Limit {
		return false
	}
	b.cut()
	return true
}

// Worst is a value that is as good as Limit of those that were offered, or worse:
// what is not better can't be kept. There is none before that many came, and as
// long as Offer said nothing it is the same.
func (b *Best[T]) Worst() (worst T, ok bool) {
	if b.full {
		return b.kept[b.Limit-1], true
	}
	return worst, false
}

// cut forgets what is not among the best, and puts the worst of them last.
func (b *Best[T]) cut() {
	Select(b.kept, b.Limit, b.Compare)
	b.kept = b.kept[:b.Limit]
	worst := b.Limit - 1
	for i := range b.kept {
		if b.Compare(&b.kept[i], &b.kept[worst]) > 0 {
			worst = i
		}
	}
	b.kept[worst], b.kept[b.Limit-1] = b.kept[b.Limit-1], b.kept[worst]
	b.full = true
}

// All are the best, in no order, and share memory with b. It may go on.
func (b *Best[T]) All() []T {
	if len(b.kept) > b.Limit || len(b.kept) == b.Limit && b.Limit > 0 {
		b.cut()
	}
	return b.kept
}

// Sorted are the best, best first. The Best must not be used afterwards.
func (b *Best[T]) Sorted() []T {
	all := b.All()
	sort.Sort(order[T]{all, b.Compare})
	return all
}

// An order sorts in place: what is compared by pointers does not leave the slice.
type order[T any] struct {
	of      []T
	compare func(a, b *T) int
}

func (o order[T]) Len() int           { return len(o.of) }
func (o order[T]) Less(i, j int) bool { return o.compare(&o.of[i], &o.of[j]) < 0 }
func (o order[T]) Swap(i, j int)      { o.of[i], o.of[j] = o.of[j], o.of[i] }

// few are sorted, not split.
const few = 12

// Select moves the best k of s to its beginning. They are in no order.
func Select[T any](s []T, k int, compare func(a, b *T) int) {
	pivot := new(T)
	for tries := 2 * bits.Len(uint(len(s))); k > 0 && k < len(s); tries-- {
		if len(s) <= few || tries == 0 {
			sort.Sort(order[T]{s, compare})
			return
		}
		*pivot = *median(&s[0], &s[len(s)/2], &s[len(s)-1], compare)
		at := partition(s, pivot, compare)
		if at >= k {
			s = s[:at]
		} else {
			s, k = s[at:], k-at
		}
	}
}

// partition splits s in two by one of its values, so that nothing of the second
// part is better than anything of the first. It returns where the second one
// begins; neither is empty.
func partition[T any](s []T, pivot *T, compare func(a, b *T) int) int {
	i, j := -1, len(s)
	for {
		for i++; compare(&s[i], pivot) < 0; i++ {
		}
		for j--; compare(pivot, &s[j]) < 0; j-- {
		}
		if i >= j {
			return max(i, 1)
		}
		s[i], s[j] = s[j], s[i]
	}
}

func median[T any](a, b, c *T, compare func(a, b *T) int) *T {
	if compare(b, a) < 0 {
		a, b = b, a
	}
	if compare(c, b) < 0 {
		b = c
		if compare(b, a) < 0 {
			b = a
		}
	}
	return b
}
