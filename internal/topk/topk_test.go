package topk

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

type value struct{ score, number int }

func byScore(a, b *value) int { return cmp.Compare(b.score, a.score) }

func TestSelect(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 29))
	for n := range 300 {
		for _, different := range []int{1, 2, 10, 10_000} {
			values := make([]value, n)
			for i := range values {
				values[i] = value{rng.IntN(different), i}
			}
			switch rng.IntN(4) {
			case 0:
				slices.SortFunc(values, func(a, b value) int { return byScore(&a, &b) })
			case 1:
				slices.SortFunc(values, func(a, b value) int { return byScore(&b, &a) })
			}
			k := rng.IntN(n + 1)
			Select(values, k, byScore)
			for _, better := range values[:k] {
				for _, worse := range values[k:] {
					if worse.score > better.score {
						t.Fatalf("of %d values %v is among the best %d, not %v", n, better, k, worse)
					}
				}
			}
		}
	}
}
