package searchsim

import (
	"iter"
	"math/bits"
)

// A set holds document numbers.
type set []uint64

// newSet makes an empty set with room for the numbers below n.
func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(doc int32)      { s[doc/64] |= 1 << (doc % 64) }
func (s set) remove(doc int32)   { s[doc/64] &^= 1 << (doc % 64) }
func (s set) has(doc int32) bool { return s[doc/64]&(1<<(doc%64)) != 0 }

// or adds what is in other, which is not longer.
func (s set) or(other set) {
	for i, word := range other {
		s[i] |= word
	}
}

// and is a new set of what is in both, which have the same length.
func (s set) and(other set) set {
	both := make(set, len(s))
	for i, word := range s {
		both[i] = word & other[i]
	}
	return both
}

// without is a new set of what is in s and not in other, which have the same length.
func (s set) without(other set) set {
	rest := make(set, len(s))
	for i, word := range s {
		rest[i] = word &^ other[i]
	}
	return rest
}

// all yields the numbers in ascending order.
func (s set) all() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(int32(i*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
