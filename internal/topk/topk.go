// Package topk keeps the best of many values, without an order until the end. A
// value that is kept costs a few comparisons, where a heap costs the logarithm of
// how many are wanted.
package topk

import (
	"math/bits"
	"sort"
)

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
