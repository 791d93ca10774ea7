package vector

import (
	"iter"
	"math/bits"
)

// Bits is a set of row numbers. Methods that change a set change it in place.
// The nil set is empty, except where a function says otherwise.
type Bits []uint64

// NewBits is an empty set with room for the numbers 0 to n-1.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Set adds i, for which the set must have room.
func (b Bits) Set(i int) { b[i/64] |= 1 << (i % 64) }

// Clear removes i, for which the set must have room.
func (b Bits) Clear(i int) { b[i/64] &^= 1 << (i % 64) }

// Has reports whether i is in the set. Numbers that the set has no room for,
// negative ones included, are not.
func (b Bits) Has(i int) bool {
	return i >= 0 && i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0
}

// Count is the number of members.
func (b Bits) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// Members yields the members, ascending.
func (b Bits) Members() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range b {
			for ; word != 0; word &= word - 1 {
				if !yield(i*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// And keeps only the members that c has too.
func (b Bits) And(c Bits) {
	n := min(len(b), len(c))
	for i := range n {
		b[i] &= c[i]
	}
	clear(b[n:])
}

// Or adds the members of c, for which the set must have room.
func (b Bits) Or(c Bits) {
	for i, w := range c {
		if w != 0 {
			b[i] |= w
		}
	}
}

// AndNot removes the members of c.
func (b Bits) AndNot(c Bits) {
	for i := range min(len(b), len(c)) {
		b[i] &^= c[i]
	}
}

// run is the first run of members in from..to-1, which the set must have room
// for. Without one, start is to.
func (b Bits) run(from, to int) (start, end int) {
	start = b.next(from, to, 0)
	return start, b.next(start, to, ^uint64(0))
}

// next is the first number in from..to-1 that is in the set (flip 0) or not
// in it (flip all ones), or to.
func (b Bits) next(from, to int, flip uint64) int {
	if from >= to {
		return to
	}
	w := (b[from/64] ^ flip) >> (from % 64) << (from % 64)
	for i := from / 64; ; w = b[i] ^ flip {
		if w != 0 {
			return min(i*64+bits.TrailingZeros64(w), to)
		}
		if i++; i*64 >= to {
			return to
		}
	}
}
