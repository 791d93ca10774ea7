package codes

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDotNibbles(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, dims := range []int{64, 128, 256, 320, 1024} {
		query, rows := make([]int8, dims), make([]byte, 12*dims/2)
		for i := range query {
			query[i] = int8(127 * (1 - 2*rng.IntN(2))) //nolint:gosec // 127 or -127
		}
		for i := range rows {
			rows[i] = byte(rng.IntN(256))
		}
		for n := 1; n <= 9; n++ {
			got, want := make([]int32, n, n+CoarseFours), make([]int32, n)
			dotNibblesRows(got, query, rows, dims/2)
			dotNibblesRowsGeneric(want, query, rows, dims/2)
			if !slices.Equal(got, want) {
				t.Errorf("%d rows of %d: %v, in plain Go %v", n, dims, got, want)
			}
		}
	}
}
