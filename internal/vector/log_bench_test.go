package vector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// BenchmarkLog prints what a log of 100,000 rows of 256 components with ids and
// metas of usual lengths costs to write (in batches of 500, synced), to open
// and to compact, and its size.
func BenchmarkLog(b *testing.B) {
	const n, dims = 100_000, 256
	rng := rand.New(rand.NewPCG(22, 23))
	vectors := generate(1000, func(int) []float32 { return unit(rng, dims) })
	rows := make([]Row, n)
	for i := range rows {
		id := fmt.Sprintf("symbol:owner/name:internal/some/package/file_%d.go:Type.Method%d", i/20, i)
		rows[i] = Row{ID: id, Meta: fmt.Appendf(nil, "%0200d", i), Vector: vectors[i%len(vectors)]}
	}
	dir := b.TempDir()
	var mark Mark
	b.Run("append", func(b *testing.B) {
		for b.Loop() {
			l := must(Open(dir, dims, Mark{}, Options{}))
			for batch := range slices.Chunk(rows, 500) {
				mark = must(l.Append(batch))
				if err := l.Publish(mark); err != nil {
					b.Fatal(err)
				}
			}
			_ = l.Close()
		}
		b.ReportMetric(float64(mark.Offset)/n, "B/row")
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			_ = must(Open(dir, dims, mark, Options{})).Close()
		}
	})
	b.Run("verify", func(b *testing.B) {
		l := must(Open(dir, dims, mark, Options{}))
		defer l.Close()
		s := l.Snapshot()
		defer s.Release()
		for b.Loop() {
			if err := s.Verify(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("compact", func(b *testing.B) {
		l := must(Open(dir, dims, mark, Options{}))
		defer l.Close()
		for b.Loop() {
			must(l.Compact())
			if err := l.Rollback(mark); err != nil {
				b.Fatal(err)
			}
		}
	})
}
