package vector

import (
	"context"
	"math"

	"github.com/ragnav/ragnav/internal/parallel"
	"github.com/ragnav/ragnav/internal/vector/codes"
)

// parallelAbove is the number of eligible rows, about 0.5 ms of work, from
// which two goroutines sift. With both processors free they take 1.9 ms for
// 100,000 rows, one 3.2 ms.
const parallelAbove = 16_384

// A sieve finds the rows that can be among the k with the largest dot products
// with the query in 8-bit codes as well, of which codes.Query knows how far off it
// is. So each row has a lower and an upper bound, and a row whose
// upper bound is below the k-th largest lower bound is out. The others, a few times
// k unless vectors crowd together, are the ones to compute in full. The bounds
// include the rounding errors of the sieve itself and of the full computation, so
// nothing is ever lost.
type sieve struct {
	query   *codes.Query
	floor   floor // of the lower bounds
	passing []Scored
}

// sift is the subset of rows that may hold the k largest dot products.
func (v *view) sift(ctx context.Context, query []float32, k int, rows Bits) (Bits, error) {
	q := codes.NewQuery(query)
	sieves := []*sieve{{query: q, floor: newFloor(k)}}
	if rows.Count() > parallelAbove {
		sieves = append(sieves, &sieve{query: q, floor: newFloor(k)})
		group, gctx := parallel.NewGroup(ctx)
		for i, s := range sieves {
			group.Go(func() error { return s.pass(gctx, v, rows, v.rows*i/2, v.rows*(i+1)/2) })
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
	} else if err := sieves[0].pass(ctx, v, rows, 0, v.rows); err != nil {
		return nil, err
	}
	floor := &sieves[0].floor
	for _, s := range sieves[1:] {
		floor.take(&s.floor)
	}
	floor.settle()
	passed := NewBits(v.rows)
	for _, s := range sieves {
		for _, row := range s.passing {
			if row.Dot >= floor.at {
				passed.Set(int(row.Row))
			}
		}
	}
	return passed, nil
}

// pass looks at the rows from low to high-1, or gives up when ctx ends.
func (s *sieve) pass(ctx context.Context, v *view, rows Bits, low, high int) error {
	var dots [runRows + codes.CoarseFours]int32
	n := 0
	for r := range v.runs(rows, low, high) {
		if n++; n%checkRuns == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.block.products(dots[:r.n], s.query, r.from)
		s.take(r, dots[:r.n])
	}
	return ctx.Err()
}

func (s *sieve) take(r run, dots []int32) {
	first := int32(r.block.first + r.from)
	floor := s.floor.at
	codings := r.block.codings[r.from*codes.CodingSize:]
	for i, dot := range dots {
		about, margin := s.query.Estimate(dot, (*[codes.CodingSize]float32)(codings[i*codes.CodingSize:]))
		if about+margin < floor {
			continue
		}
		row := first + int32(i)
		s.passing = append(s.passing, Scored{Row: row, Dot: about + margin})
		if about-margin >= floor {
			s.floor.offer(about - margin)
			floor = s.floor.at
		}
	}
}

// coarsen makes 4-bit codes of more rows, where searches come often.
func (v *view) coarsen() error {
	g := v.gen
	if g.passes.Add(1) <= coarseAfter || !g.coarsening.TryLock() {
		return nil
	}
	defer g.coarsening.Unlock()
	return v.coarsenMore(coarseBudget)
}

func (v *view) coarsenMore(budget int) error {
	for i := range v.blocks {
		b := &v.blocks[i]
		if b.coarse == nil || b.coarse.Load() != nil || b.vectors == 0 {
			continue
		}
		if budget <= 0 {
			return nil
		}
		budget -= b.vectors
		c, err := codes.NewCoarse(b.codings, b.codes, v.gen.dims, v.gen.arena.Take)
		if err != nil {
			return err
		}
		b.coarse.Store(c)
	}
	return nil
}

// A strainer finds the rows that can be among the k nearest by what is known
// roughly of all: as a sieve, but it counts on the rows that seem nearest being
// near, and looks at these before it knows what is out.
type strainer struct {
	query   *codes.Query
	near    top     // rows that seem nearest
	floor   float32 // k rows have larger dot products
	passing []Scored
}

func newStrainer(query *codes.Query, k int) *strainer {
	return &strainer{query: query, floor: float32(math.Inf(-1)), near: newTop(k)}
}

// strain is the subset of rows that may hold the k largest dot products.
func (v *view) strain(ctx context.Context, query []float32, k int, rows Bits) (Bits, error) {
	const parts = 2
	q := codes.NewQuery(query)
	var all [parts]*strainer
	group, gctx := parallel.NewGroup(ctx)
	for i := range all {
		all[i] = newStrainer(q, k)
		group.Go(func() error { return all[i].pass(gctx, v, rows, v.rows*i/parts, v.rows*(i+1)/parts) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	first := all[0]
	for _, s := range all[1:] {
		for _, key := range s.near.settle() {
			first.near.offerKey(key)
		}
		first.floor = max(first.floor, s.floor)
	}
	first.settle(v)
	passed := NewBits(v.rows)
	for _, s := range all {
		for _, row := range s.passing {
			if row.Dot >= first.floor {
				passed.Set(int(row.Row))
			}
		}
	}
	return passed, nil
}

// pass looks at the rows from low to high-1, or gives up when ctx ends.
func (s *strainer) pass(ctx context.Context, v *view, rows Bits, low, high int) error {
	var dots [runRows + codes.CoarseFours]int32
	n, settleAt := 0, low+(high-low)/64
	for r := range v.runs(rows, low, high) {
		if n++; n%checkRuns == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if at := r.block.first + r.from; at >= settleAt {
			s.settle(v)
			settleAt = at + (at - low)
		}
		if c := r.block.coarsened(); c != nil {
			s.query.Dots(dots[:r.n], c, r.from)
			s.takeCoarse(r, c, dots[:r.n])
			continue
		}
		r.block.products(dots[:r.n], s.query, r.from)
		s.take(r, dots[:r.n])
	}
	return ctx.Err()
}

func (b *block) coarsened() *codes.Coarse {
	if b.coarse == nil {
		return nil
	}
	return b.coarse.Load()
}

func (s *strainer) takeCoarse(r run, c *codes.Coarse, dots []int32) {
	first := int32(r.block.first + r.from) //nolint:gosec // as the rows of a log
	codings := c.Codings[2*r.from:]
	codings = codings[:2*len(dots)]
	scale, length, rest := s.query.Scale, s.query.Length, s.query.Margin(c.Length)
	floor, near, loses := s.floor, s.near.floor, length
	if c.Exact {
		loses = 0
	}
	least := s.least(scale*c.Scale, length*c.Loss+rest)
	for i, dot := range dots {
		if dot < least {
			continue
		}
		about := float32(s.query.Product(dot)) * scale * codings[2*i]
		most := about + (loses*codings[2*i+1] + rest)
		if most < floor {
			continue
		}
		row := first + int32(i) //nolint:gosec // as above
		s.passing = append(s.passing, Scored{Row: row, Dot: most})
		if about >= near {
			s.near.offer(Scored{Row: row, Dot: about})
			near = s.near.floor
		}
	}
}

// least is a sum of products of codes below which a row is out, by the largest
// scale and margin of all.
func (s *strainer) least(scale, margin float32) int32 {
	least := (float64(s.floor)-float64(margin))/float64(scale)*(1-1e-5) - 2
	if !(least > 0) || least > math.MaxInt32/4 {
		return math.MinInt32
	}
	return s.query.Least(int32(least))
}

func (s *strainer) take(r run, dots []int32) {
	first := int32(r.block.first + r.from) //nolint:gosec // as the rows of a log
	codings := r.block.codings[r.from*codes.CodingSize:]
	for i, dot := range dots {
		about, margin := s.query.Estimate(dot, (*[codes.CodingSize]float32)(codings[i*codes.CodingSize:]))
		if about+margin < s.floor {
			continue
		}
		row := first + int32(i) //nolint:gosec // as above
		s.passing = append(s.passing, Scored{Row: row, Dot: about + margin})
		s.near.offer(Scored{Row: row, Dot: about})
	}
}

// settle learns a better floor from the rows that seem nearest, by their codes.
func (s *strainer) settle(v *view) {
	nearest := s.near.settle()
	if len(nearest) < s.near.best.Limit {
		return
	}
	least := float32(math.Inf(1))
	var product [1 + codes.CoarseFours]int32
	for _, key := range nearest {
		b, i := v.locate(int(scoredOf(key).Row))
		b.products(product[:1], s.query, i)
		about, margin := s.query.Estimate(product[0], (*[codes.CodingSize]float32)(b.codings[i*codes.CodingSize:]))
		least = min(least, about-margin)
	}
	s.floor = max(s.floor, least)
}
