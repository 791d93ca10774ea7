package codes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func coarsened(v []float32) []float32 {
	v = slices.Clone(v)
	Coarsen(v)
	return v
}

// A vector on 16 levels is of its length, about in its direction, and takes
// 4 bits a component without any loss; what is not does not.
func TestCoarsen(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it is long, and in one goroutine")
	}
	rng := rand.New(rand.NewPCG(36, 37))
	for n := range 2000 {
		v := make([]float32, 64*(1+n%5))
		size := math.Pow(10, float64(rng.IntN(30)-15))
		for i := range v {
			v[i] = float32(rng.NormFloat64() * size)
		}
		if n%3 == 0 {
			v[0] = float32(20 * size)
		}
		if Encode(v).Packs() {
			t.Fatalf("vector %d packs", n)
		}
		c := Encode(coarsened(v))
		var dot, length float64
		for i, x := range c.Floats() {
			dot, length = dot+float64(x)*float64(v[i]), length+float64(v[i])*float64(v[i])
		}
		if !c.Packs() || math.Abs(float64(c.Length)/math.Sqrt(length)-1) > 1e-5 || n%3 > 0 && dot < 0.97*length {
			t.Fatalf("vector %d: packs is %v, the length %g of %g, likeness %g", n, c.Packs(), c.Length, math.Sqrt(length),
				dot/length)
		}
		if diff := cmp.Diff(c, Encode(c.Floats())); diff != "" {
			t.Fatalf("vector %d (-once +twice):\n%s", n, diff)
		}
	}
	Coarsen(nil)
}

// Packed rows are their vectors.
func TestPacked(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 39))
	for _, dims := range []int{64, 256, 2048} {
		const rows = 7
		p := make(Packed, PackedSize(rows, dims))
		all := make([]int8, rows*dims)
		for i := range all {
			all[i] = int8(2*rng.IntN(16) - 15)
		}
		for i := range rows {
			p.Put(i, all[i*dims:][:dims])
		}
		got := make([]int8, dims)
		for i := range rows {
			if p.Row(got, i); !slices.Equal(got, all[i*dims:][:dims]) {
				t.Errorf("%d dimensions: row %d is %v, want %v", dims, i, got, all[i*dims:][:dims])
			}
		}
		plain := make([]int8, len(all))
		if unpackGeneric(plain, p[:len(all)/2]); !slices.Equal(plain, all) {
			t.Errorf("%d dimensions: in plain Go the rows are %v, want %v", dims, plain, all)
		}
		q := unit(rng, dims)
		floats, want := make([]float32, rows-1), make([]float32, rows-1)
		p.DotF32Rows(floats, q, 1, make([]int8, 4*dims))
		if DotF32I8Rows(want, q, all[dims:]); !slices.Equal(floats, want) {
			t.Errorf("%d dimensions: dot products %v, want %v", dims, floats, want)
		}
		query := NewQuery(q)
		products, exact := make([]int32, rows-1, rows-1+CoarseFours), make([]int32, rows-1)
		query.Dots(products, p.Coarse(nil, dims, 0, 0), 1)
		for i := range products {
			products[i] = query.Product(products[i])
		}
		if DotInt8Rows(exact, query.Codes, all[dims:]); !slices.Equal(products, exact) {
			t.Errorf("%d dimensions: products of codes %v, want %v", dims, products, exact)
		}
	}
}
