package vector

import (
	"math"
	"slices"
	"testing"
)

// Keys order numbers as numbers, larger ones first, and give them back.
func TestFalling(t *testing.T) {
	ordered := []float32{
		float32(math.Inf(1)), math.MaxFloat32, 2, 1.0000001, 1, 0.5, math.SmallestNonzeroFloat32, 0,
		-math.SmallestNonzeroFloat32, -0.5, -1, -1.0000001, -math.MaxFloat32, float32(math.Inf(-1)),
	}
	keys := make([]uint32, len(ordered))
	for i, x := range ordered {
		if keys[i] = falling(x); unfalling(keys[i]) != x {
			t.Errorf("%v comes back as %v", x, unfalling(keys[i]))
		}
	}
	if !slices.IsSorted(keys) || len(slices.Compact(keys)) != len(ordered) {
		t.Errorf("the keys of %v are %x", ordered, keys)
	}
	if zero := falling(float32(math.Copysign(0, -1))); zero != falling(0) {
		t.Errorf("the zeros have the keys %x and %x", zero, falling(0))
	}
	if row := (Scored{Row: 7, Dot: -0.25}); scoredOf(row.key()) != row || row.key() >= (Scored{Row: 8, Dot: -0.25}).key() {
		t.Errorf("%v has the key %x", row, row.key())
	}
}
