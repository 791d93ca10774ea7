package topk

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

type value struct{ score, number int }

func byScore(a, b *value) int { return cmp.Compare(b.score, a.score) }

func byBoth(a, b *value) int { return cmp.Or(byScore(a, b), cmp.Compare(a.number, b.number)) }

func TestBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 27))
	for n := range 400 {
		values := make([]value, n)
		for i := range values {
			values[i] = value{rng.IntN(1 + n/3), i}
		}
		limit := rng.IntN(40)
		want := slices.Clone(values)
		slices.SortFunc(want, func(a, b value) int { return byBoth(&a, &b) })
		want = want[:min(limit, n)]
		rng.Shuffle(n, func(i, j int) { values[i], values[j] = values[j], values[i] })
		best := Best[value]{Limit: limit, Compare: byBoth}
		for i, v := range values {
			best.Offer(v)
			if i%50 == 49 {
				best.All()
			}
			if worst, ok := best.Worst(); ok && byBoth(&worst, &want[limit-1]) < 0 {
				t.Fatalf("the worst of the best %d of %d is %v, but %v is among them", limit, n, worst, want[limit-1])
			}
		}
		if got := best.Sorted(); !slices.Equal(want, got) {
			t.Fatalf("the best %d of %d: %v, want %v", limit, n, got, want)
		}
	}
}

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
