package topk

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 31))
	for n := range 400 {
		for _, different := range []uint64{1, 3, 1 << 40} {
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = rng.Uint64N(different)
			}
			if n%3 == 0 {
				slices.Sort(keys)
			}
			limit := rng.IntN(40)
			best := Keys[uint64]{Limit: limit}
			for i, key := range keys {
				best.Offer(key)
				if i%50 == 49 {
					best.All()
				}
			}
			got := slices.Sorted(slices.Values(best.All()))
			slices.Sort(keys)
			want := keys[:min(limit, n)]
			if !slices.Equal(want, got) {
				t.Fatalf("the lowest %d of %d: %v, want %v", limit, n, got, want)
			}
			if worst, ok := best.Worst(); ok != (limit > 0 && n >= limit) || ok && worst != want[limit-1] {
				t.Fatalf("the worst of the lowest %d of %d is %d, %v", limit, n, worst, ok)
			}
		}
	}
}
