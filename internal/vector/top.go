package vector

import (
	"math"
	"slices"

	"github.com/ragnav/ragnav/internal/topk"
)

// A Scored is a row and its dot product with a query.
type Scored struct {
	Row int32
	Dot float32
}

// key orders the better row first: by dot product, then by row number.
func (s Scored) key() uint64 {
	return uint64(falling(s.Dot))<<32 | uint64(uint32(s.Row)) //nolint:gosec // rows are not negative
}

func scoredOf(key uint64) Scored {
	return Scored{Row: int32(uint32(key)), Dot: unfalling(uint32(key >> 32))} //nolint:gosec // as key has them
}

// falling is a number that is the lower, the larger x is. Both zeros have one.
func falling(x float32) uint32 {
	b := math.Float32bits(x + 0)
	if b>>31 != 0 {
		return b
	}
	return ^b &^ (1 << 31)
}

func unfalling(n uint32) float32 {
	if n>>31 != 0 {
		return math.Float32frombits(n)
	}
	return math.Float32frombits(^n &^ (1 << 31))
}

// A top keeps the best k of the rows that it is offered.
type top struct {
	best topk.Keys[uint64]
	// floor is what a row must reach to have a chance, as far as it is known; settle
	// finds it out.
	floor float32
}

func newTop(k int) top { return top{topk.Keys[uint64]{Limit: k}, float32(math.Inf(-1))} }

func (t *top) offer(s Scored) { t.offerKey(s.key()) }

func (t *top) offerKey(key uint64) {
	if t.best.Offer(key) {
		worst, _ := t.best.Worst()
		t.floor = scoredOf(worst).Dot
	}
}

// settle is the keys of the best rows so far, in no order; they are valid until the
// next offer.
func (t *top) settle() []uint64 {
	all := t.best.All()
	if worst, ok := t.best.Worst(); ok {
		t.floor = scoredOf(worst).Dot
	}
	return all
}

// sorted is the best rows, best first. The top must not be used afterwards.
func (t *top) sorted() []Scored {
	keys := t.best.All()
	slices.Sort(keys)
	rows := make([]Scored, len(keys))
	for i, key := range keys {
		rows[i] = scoredOf(key)
	}
	return rows
}

// A floor is the k-th largest of the numbers that it is offered.
type floor struct {
	best topk.Keys[uint32]
	at   float32 // as far as it is known; settle finds it out
}

func newFloor(k int) floor { return floor{topk.Keys[uint32]{Limit: k}, float32(math.Inf(-1))} }

func (f *floor) offer(x float32) {
	if f.best.Offer(falling(x)) {
		worst, _ := f.best.Worst()
		f.at = unfalling(worst)
	}
}

// take offers what another one was offered.
func (f *floor) take(other *floor) {
	for _, n := range other.best.All() {
		f.offer(unfalling(n))
	}
}

func (f *floor) settle() {
	f.best.All()
	if worst, ok := f.best.Worst(); ok {
		f.at = unfalling(worst)
	}
}
