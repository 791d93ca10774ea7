package topk

import (
	"math/bits"
	"slices"
)

// Keys keeps the lowest Limit of the numbers that it is offered.
type Keys[K uint32 | uint64] struct {
	Limit int

	kept  []K // the lowest, and up to as many again that came since
	worst K
	full  bool
}

// Offer takes a number into account. It reports whether Worst may have changed.
func (b *Keys[K]) Offer(key K) bool {
	if b.Limit <= 0 || b.full && key >= b.worst {
		return false
	}
	if b.kept == nil {
		b.kept = make([]K, 0, 2*b.Limit)
	}
	if b.kept = append(b.kept, key); len(b.kept) < 2*b.Limit {
		return false
	}
	b.cut()
	return true
}

// Worst is the number from which on none is kept, as far as it is known. It is
// not ok before Limit came.
func (b *Keys[K]) Worst() (worst K, ok bool) { return b.worst, b.full }

// All are the lowest, in no order, and share memory with b. It may go on.
func (b *Keys[K]) All() []K {
	if len(b.kept) > b.Limit || len(b.kept) == b.Limit && b.Limit > 0 {
		b.cut()
	}
	return b.kept
}

func (b *Keys[K]) cut() {
	lowest(b.kept, b.Limit)
	b.kept = b.kept[:b.Limit]
	b.worst, b.full = slices.Max(b.kept), true
}

// lowest moves the lowest k of s to its beginning. They are in no order.
func lowest[K uint32 | uint64](s []K, k int) {
	for tries := 2 * bits.Len(uint(len(s))); k > 0 && k < len(s); tries-- {
		if len(s) <= few || tries == 0 {
			slices.Sort(s)
			return
		}
		a, b, c := s[0], s[len(s)/2], s[len(s)-1]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := -1, len(s)
		for {
			for i++; s[i] < pivot; i++ {
			}
			for j--; pivot < s[j]; j-- {
			}
			if i >= j {
				break
			}
			s[i], s[j] = s[j], s[i]
		}
		if at := max(i, 1); at >= k {
			s = s[:at]
		} else {
			s, k = s[at:], k-at
		}
	}
}
