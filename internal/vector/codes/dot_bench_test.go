package codes

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkRows prints the time of a pass over 100,000 rows of codes, and per
// row, with a query of float32 and of codes, for the kernels in use and for the
// plain Go ones: their quotient is what the assembly is worth.
func BenchmarkRows(b *testing.B) {
	const n, dims, batch = 100_000, 256, 256
	query, codes := randomRows(n, dims)
	f32 := func(kernel func(dst, query []float32, rows []int8)) func(*testing.B) {
		return func(b *testing.B) {
			var dst [batch]float32
			for b.Loop() {
				for i := 0; i+batch <= n; i += batch {
					kernel(dst[:], query, codes[i*dims:][:batch*dims])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		}
	}
	int8s := func(kernel func(dst []int32, query, rows []int8)) func(*testing.B) {
		return func(b *testing.B) {
			var dst [batch]int32
			for b.Loop() {
				for i := 0; i+batch <= n; i += batch {
					kernel(dst[:], codes[:dims], codes[i*dims:][:batch*dims])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		}
	}
	b.Run("float32", f32(DotF32I8Rows))
	b.Run("float32-go", f32(dotF32I8RowsGeneric))
	b.Run("int8", int8s(DotInt8Rows))
	b.Run("int8-go", int8s(dotInt8RowsGeneric))
}

func randomRows(n, dims int) (query []float32, codes []int8) {
	rng := rand.New(rand.NewPCG(1, 2))
	codes = make([]int8, n*dims)
	for i := range codes {
		codes[i] = int8(rng.IntN(255) - 127)
	}
	return unit(rng, dims), codes
}
