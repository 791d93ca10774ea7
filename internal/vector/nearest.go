package vector

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/ragnav/ragnav/internal/vector/codes"
)

const (
	// Above coarseAbove eligible rows a pass over 4 bits a component comes first,
	// which reads half as much as one over codes of 8. Few times k rows have to be
	// looked at again.
	coarseAbove = 131_072
	// Of codes of 8 bits the 4 are made in memory, beside those of the file, once a
	// process has searched often enough, and of so many rows for each search.
	coarseAfter  = 3
	coarseBudget = 16_384

	// A pass with the query in codes is worth its while above sieveAbove eligible rows
	// and sieveShare rows for each that is asked for. Measured with 256
	// dimensions (BenchmarkNearest): a row costs 80 ns to scan and 25 ns to
	// sift, and 1 to 50 times k rows pass, which cost 200 to 500 ns each where
	// they are scattered. The two ways are even at 1,500 rows for k = 100 and at
	// 8,000 for k = 1,000; at 100,000 rows it is 5 ms instead of 8.
	sieveAbove = 2_000
	sieveShare = 16
	// runRows is the largest number of rows that a kernel is called for.
	runRows = 256
	// scratchRows is how many rows of 4 bits are computed with at once.
	scratchRows = 4
	// checkRuns is the number of runs between looks at the context.
	checkRuns = 16
)

// Nearest is the k live rows with the largest dot products with the query,
// among those in eligible (nil: all) that have a vector; fewer when there are
// fewer. The best comes first, and of equal ones the lower row number. The dot
// products are with the rows as they are kept, scale*codes, and computed as
// scale*codes.DotF32I8(query, codes): the same bits on every machine. A query must be
// as Row says of vectors.
//
// The result is exact. Where many rows are eligible, codes are scanned first,
// and what they leave as possible is computed in full: see strainer and sieve.
func (s *Snapshot) Nearest(ctx context.Context, query []float32, k int, eligible Bits) ([]Scored, error) {
	if err := codes.Check(query, s.gen.dims); err != nil {
		return nil, fmt.Errorf("vector: query: %w", err)
	}
	if k < 1 {
		return nil, fmt.Errorf("vector: query: k is %d, not at least 1", k)
	}
	rows := s.coded
	if eligible != nil {
		rows = slices.Clone(s.coded)
		rows.And(eligible)
	}
	n := rows.Count()
	if n > max(coarseAbove, sieveShare*k) {
		if err := s.coarsen(); err != nil {
			return nil, err
		}
		var err error
		if rows, err = s.strain(ctx, query, k, rows); err != nil {
			return nil, err
		}
	}
	if rows.Count() > max(sieveAbove, sieveShare*k) {
		var err error
		if rows, err = s.sift(ctx, query, k, rows); err != nil {
			return nil, err
		}
	}
	return s.scan(ctx, query, min(k, n), rows)
}

// scan computes all dot products.
func (v *view) scan(ctx context.Context, query []float32, k int, rows Bits) ([]Scored, error) {
	best := newTop(k)
	var dots [runRows]float32
	scratch, n := make([]int8, scratchRows*len(query)), 0
	for r := range v.runs(rows, 0, v.rows) {
		if n++; n%checkRuns == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.block.dots(dots[:r.n], query, r.from, scratch)
		codings := r.block.codings[r.from*codes.CodingSize:]
		for i, dot := range dots[:r.n] {
			dot *= codings[i*codes.CodingSize]
			if dot >= best.floor {
				best.offer(Scored{Row: int32(r.block.first + r.from + i), Dot: dot})
			}
		}
	}
	return best.sorted(), ctx.Err()
}

// A run is n consecutive rows of a block, from the row from of the block on.
type run struct {
	block   *block
	from, n int
}

// runs splits the rows from low to high-1 that are in the set, which must have
// vectors, into runs of at most runRows rows.
func (v *view) runs(rows Bits, low, high int) iter.Seq[run] {
	return func(yield func(run) bool) {
		for i := range v.blocks {
			b := &v.blocks[i]
			end := min(b.first+b.vectors, high)
			from, to := rows.run(max(b.first, low), end)
			for from < to {
				n := min(to-from, runRows)
				if !yield(run{block: b, from: from - b.first, n: n}) {
					return
				}
				if from += n; from == to {
					from, to = rows.run(to, end)
				}
			}
		}
	}
}
