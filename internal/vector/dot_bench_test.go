package vector

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkRows prints the time of a pass over 100,000 rows, and per row, for
// the kernels in use and for the plain Go ones: their quotient is what the
// assembly is worth.
func BenchmarkRows(b *testing.B) {
	const n, dims, batch = 100_000, 256, 256
	floats, codes := randomRows(n, dims)
	f32 := func(kernel func(dst, query, rows []float32)) func(*testing.B) {
		return func(b *testing.B) {
			var dst [batch]float32
			for b.Loop() {
				for i := 0; i+batch <= n; i += batch {
					kernel(dst[:], floats[:dims], floats[i*dims:][:batch*dims])
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
	b.Run("float32", f32(DotRows))
	b.Run("float32-go", f32(dotRowsGeneric))
	b.Run("int8", int8s(DotInt8Rows))
	b.Run("int8-go", int8s(dotInt8RowsGeneric))
}

func randomRows(n, dims int) ([]float32, []int8) {
	rng := rand.New(rand.NewPCG(1, 2))
	floats, codes := make([]float32, n*dims), make([]int8, n*dims)
	for i := range floats {
		floats[i] = float32(rng.NormFloat64())
		codes[i] = int8(rng.IntN(255) - 127)
	}
	return floats, codes
}
