package embedded

import (
	"iter"
	"math/bits"

	"github.com/ragnav/ragnav/internal/vector"
)

// members yields the numbers in a set, ascending.
func members(set vector.Bits) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range set {
			for ; word != 0; word &= word - 1 {
				if !yield(i*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// intersect is the members of both sets, which have the same room.
func intersect(a, b vector.Bits) vector.Bits {
	out := make(vector.Bits, len(a))
	for i := range out {
		out[i] = a[i] & b[i]
	}
	return out
}
