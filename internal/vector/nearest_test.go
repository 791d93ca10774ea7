package vector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/vector/codes"
)

func unit(rng *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return normalised(v)
}

func normalised(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

func coarsened(v []float32) []float32 {
	codes.Coarsen(v)
	return v
}

// The distributions that searches are tried on.
var clouds = []struct {
	name string
	make func(rng *rand.Rand, n, dims int) [][]float32
}{
	{"random directions", func(rng *rand.Rand, n, dims int) [][]float32 {
		return generate(n, func(int) []float32 { return unit(rng, dims) })
	}},
	{"clusters", func(rng *rand.Rand, n, dims int) [][]float32 {
		centres := generate(20, func(int) []float32 { return unit(rng, dims) })
		return generate(n, func(int) []float32 { return near(rng, centres[rng.IntN(20)], 0.3) })
	}},
	{"tight clusters", func(rng *rand.Rand, n, dims int) [][]float32 {
		centres := generate(20, func(int) []float32 { return unit(rng, dims) })
		return generate(n, func(int) []float32 { return near(rng, centres[rng.IntN(20)], 0.01) })
	}},
	{"many equal ones", func(rng *rand.Rand, n, dims int) [][]float32 {
		few := generate(7, func(int) []float32 { return unit(rng, dims) })
		return generate(n, func(i int) []float32 { return few[i%7] })
	}},
	{"lengths from 1e-30 to 1e15", func(rng *rand.Rand, n, dims int) [][]float32 {
		return generate(n, func(int) []float32 {
			v, size := unit(rng, dims), math.Pow(10, float64(rng.IntN(46)-30))
			for i := range v {
				v[i] *= float32(size)
			}
			return v
		})
	}},
	{"16 levels", func(rng *rand.Rand, n, dims int) [][]float32 {
		return generate(n, func(int) []float32 { return coarsened(unit(rng, dims)) })
	}},
	{"16 levels, and not", func(rng *rand.Rand, n, dims int) [][]float32 {
		return generate(n, func(i int) []float32 {
			if i%3000 < 1500 {
				return coarsened(unit(rng, dims))
			}
			return unit(rng, dims)
		})
	}},
	{"few components", func(rng *rand.Rand, n, dims int) [][]float32 {
		return generate(n, func(int) []float32 {
			v := make([]float32, dims)
			v[rng.IntN(dims)], v[rng.IntN(dims)] = 1, -0.5
			return v
		})
	}},
}

func generate(n int, f func(i int) []float32) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// near is the direction of centre, disturbed by a random vector of length noise.
func near(rng *rand.Rand, centre []float32, noise float32) []float32 {
	v := unit(rng, len(centre))
	for i := range v {
		v[i] = centre[i] + noise*v[i]
	}
	return normalised(v)
}

func logOf(tb testing.TB, vectors [][]float32) *Log {
	tb.Helper()
	l := must(Open(tb.TempDir(), len(vectors[0]), Mark{}, Options{}))
	tb.Cleanup(func() { _ = l.Close() })
	rows := make([]Row, len(vectors))
	for i, v := range vectors {
		rows[i] = Row{ID: fmt.Sprint(i), Vector: v}
	}
	for part := range slices.Chunk(rows, 1500) {
		if err := l.Publish(must(l.Append(part))); err != nil {
			tb.Fatal(err)
		}
	}
	return l
}

// dot is the definition in the comment on Nearest.
func dot(c codes.Vector, query []float32) float32 { return c.Scale * codes.DotF32I8(query, c.Codes) }

// bruteForce is what Nearest promises, in the simplest form.
func bruteForce(s *Snapshot, query []float32, k int, eligible Bits) []Scored {
	out := []Scored{}
	for row := range s.Len() {
		b, i := s.locate(row)
		if v := b.coded(i, s.gen.dims); v.Codes != nil && s.LiveRows().Has(row) && (eligible == nil || eligible.Has(row)) {
			out = append(out, Scored{Row: int32(row), Dot: dot(v, query)})
		}
	}
	slices.SortFunc(out, func(a, b Scored) int { return cmp.Or(cmp.Compare(b.Dot, a.Dot), cmp.Compare(a.Row, b.Row)) })
	return out[:min(k, len(out))]
}

func TestNearestIsExact(t *testing.T) {
	const n = 3 * sieveAbove / 2
	for _, cloud := range clouds {
		dims := 40
		if strings.HasPrefix(cloud.name, "16") {
			dims = packedDims
		}
		t.Run(cloud.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(10, 11))
			vectors := cloud.make(rng, n, dims)
			l := logOf(t, vectors)
			write(t, l, Row{ID: "3", Deleted: true}, Row{ID: "4", Vector: vectors[9]}, Row{ID: "5"})
			s := l.Snapshot()
			defer s.Release()
			third := NewBits(s.Len())
			for row := range s.Len() {
				if rng.IntN(3) == 0 {
					third.Set(row)
				}
			}
			for filter, eligible := range map[string]Bits{
				"all": nil, "a third": third, "a short set": setOf(100, 1, 2, 3, 4, 99), "none": {},
			} {
				query := near(rng, normalised(slices.Clone(vectors[rng.IntN(n)])), 0.2)
				all := bruteForce(s, query, n, eligible)
				for _, k := range []int{1, 10, sieveAbove / sieveShare, n + 100} {
					want := all[:min(k, len(all))]
					got := must(s.Nearest(t.Context(), query, k, eligible))
					if !slices.Equal(want, got) {
						t.Errorf("%s, k = %d: %d rows %v…, want %d rows %v…", filter, k,
							len(got), got[:min(3, len(got))], len(want), want[:min(3, len(want))])
					}
				}
			}
		})
	}
}

// The rows at the ends of the parts must not get lost.
func TestSiftInParts(t *testing.T) {
	const n, dims = parallelAbove + 1000, 32
	rng := rand.New(rand.NewPCG(12, 13))
	vectors := clouds[1].make(rng, n, dims)
	l := logOf(t, vectors)
	s := l.Snapshot()
	defer s.Release()
	for _, row := range []int{0, 1, n/2 - 1, n / 2, n/2 + 1, n - 2, n - 1} {
		want := bruteForce(s, vectors[row], 10, nil)
		got := must(s.Nearest(t.Context(), vectors[row], 10, nil))
		if !slices.Equal(want, got) || got[0].Row != int32(row) {
			t.Errorf("nearest to row %d: %v, want %v", row, got, want)
		}
	}
}

// The exactness of Nearest hangs on the margins, also where the errors of the
// codes all add up: a row in the direction of a query's error. Rows are what their
// codes say.
func TestEstimatesStayWithinTheirMargins(t *testing.T) {
	const dims = 100
	rng := rand.New(rand.NewPCG(24, 25))
	type pair struct {
		name       string
		query, row []float32
	}
	var pairs []pair
	for _, cloud := range clouds {
		vectors := cloud.make(rng, 300, dims)
		for i := range 100 {
			v, w := vectors[i], vectors[len(vectors)-1-i]
			pairs = append(pairs, pair{cloud.name, v, w}, pair{cloud.name + ", equal", v, v},
				pair{cloud.name + ", along the query's error", v, codeError(v)})
		}
	}
	long := slices.Repeat([]float32{0.1}, 30_000) // no error but that of the sums
	pairs = append(pairs, pair{"a long sum", long, long})
	for _, p := range pairs {
		q, c := codes.NewQuery(p.query), codes.Encode(p.row)
		product := make([]int32, 1)
		codes.DotInt8Rows(product, q.Codes, c.Codes)
		about, margin := q.Estimate(product[0], &[codes.CodingSize]float32{c.Scale, c.Length})
		if dot := dot(c, p.query); dot < about-margin || dot > about+margin {
			t.Errorf("%s: dot product %g is not within %g of %g", p.name, dot, margin, about)
		}
	}
}

// codeError has the signs of the differences between v and its codes and one
// magnitude, so that it is coded without an error of its own.
func codeError(v []float32) []float32 {
	c := codes.Encode(v)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(math.Copysign(1, float64(x)-float64(c.Scale)*float64(c.Codes[i])))
	}
	return out
}

// The sieve is only worth its while when little passes.
func TestSieveHoldsBack(t *testing.T) {
	const n, dims, k = 4_000, 128, 10
	for _, cloud := range clouds[:2] {
		t.Run(cloud.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(14, 15))
			vectors := cloud.make(rng, n, dims)
			l := logOf(t, vectors)
			s := l.Snapshot()
			defer s.Release()
			passed := must(s.sift(t.Context(), near(rng, vectors[7], 1), k, s.coded)).Count()
			if passed < k || passed > n/20 {
				t.Errorf("%d of %d rows pass, want %d to %d", passed, n, k, n/20)
			}
		})
	}
}

func TestNearestRefuses(t *testing.T) {
	l := logOf(t, [][]float32{{1, 0}})
	s := l.Snapshot()
	defer s.Release()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name  string
		ctx   context.Context
		query []float32
		k     int
	}{
		{"k = 0", t.Context(), []float32{1, 0}, 0},
		{"a short query", t.Context(), []float32{1}, 1},
		{"a query that is infinite", t.Context(), []float32{1, float32(math.Inf(1))}, 1},
		{"a context that is over", canceled, []float32{1, 0}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := s.Nearest(tt.ctx, tt.query, tt.k, nil)
			if err == nil {
				t.Errorf("Nearest = %v, want an error", got)
			}
			if tt.ctx == canceled && !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want that of the context", err)
			}
		})
	}
}

func BenchmarkNearest(b *testing.B) {
	const dims, n = 256, 150_000
	vectors := clouds[1].make(rand.New(rand.NewPCG(16, 17)), n, dims)
	b.Run("8-bits", func(b *testing.B) { benchmarkNearest(b, vectors) })
	b.Run("4-bits", func(b *testing.B) {
		benchmarkNearest(b, generate(n, func(i int) []float32 { return coarsened(slices.Clone(vectors[i])) }))
	})
}

func benchmarkNearest(b *testing.B, vectors [][]float32) {
	const k = 100
	rng := rand.New(rand.NewPCG(18, 19))
	l := logOf(b, vectors)
	s := l.Snapshot()
	defer s.Release()
	for _, n := range []int{1_000, 2_000, 4_000, 16_000, 32_000, 100_000} {
		rows := NewBits(s.Len())
		for i := range n {
			rows.Set(i)
		}
		perRow := func(b *testing.B, f func(query []float32) ([]Scored, error)) {
			for b.Loop() {
				if _, err := f(vectors[rng.IntN(n)]); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
		}
		b.Run(fmt.Sprintf("all-%d", n), func(b *testing.B) {
			perRow(b, func(q []float32) ([]Scored, error) { return s.scan(b.Context(), q, k, rows) })
		})
		b.Run(fmt.Sprintf("sieve-%d", n), func(b *testing.B) {
			perRow(b, func(q []float32) ([]Scored, error) {
				rows, err := s.sift(b.Context(), q, k, rows)
				if err != nil {
					return nil, err
				}
				return s.scan(b.Context(), q, k, rows)
			})
		})
	}
	third := NewBits(s.Len())
	for i := 0; i < s.Len(); i += 33 {
		third.Set(i)
	}
	for name, eligible := range map[string]Bits{"filter-3%": third, "no-filter": nil} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Nearest(b.Context(), vectors[rng.IntN(1000)], k, eligible); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
