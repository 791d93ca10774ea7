package vector

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What is strained is what plain Go finds, with 4-bit codes of all rows, of some
// and of none, some of the rows replaced, and others laid over.
func TestStrainLosesNothing(t *testing.T) {
	const n = 5000
	for _, cloud := range clouds {
		dims := 40
		if strings.HasPrefix(cloud.name, "16") {
			dims = packedDims
		}
		t.Run(cloud.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(12, 13))
			vectors := cloud.make(rng, n, dims)
			l := logOf(t, vectors)
			write(t, l, Row{ID: "3", Deleted: true}, Row{ID: "4", Vector: vectors[9]})
			for _, budget := range []int{0, n / 2, n} {
				s := l.Snapshot()
				if err := s.coarsenMore(budget); err != nil {
					t.Fatal(err)
				}
				over := must(s.Over([]Row{{ID: "new", Vector: vectors[1]}, {ID: "7", Vector: vectors[8]}}, []int{11}))
				for _, s := range []*Snapshot{s, over} {
					for _, k := range []int{1, 30, 300} {
						query := near(rng, normalised(slices.Clone(vectors[rng.IntN(n)])), 0.2)
						rows := must(s.strain(t.Context(), query, k, s.coded))
						got, want := must(s.scan(t.Context(), query, k, rows)), bruteForce(s, query, k, nil)
						if !slices.Equal(got, want) {
							t.Fatalf("%d coarse: of %d rows the nearest are %v, want %v", budget, rows.Count(), got, want)
						}
					}
					s.Release()
				}
			}
		})
	}
}
