package vector

import (
	"context"
	"math"

	"github.com/ragnav/ragnav/internal/parallel"
)

// parallelAbove is the number of eligible rows, about 0.5 ms of work, from
// which two goroutines sift. With both processors free they take 1.9 ms for
// 100,000 rows, one 3.2 ms.
const parallelAbove = 16_384

// A sieve finds the rows that can be among the k with the largest dot products
// with the query in 8-bit codes as well. With q for the query, q' for what its
// codes stand for, and v for a vector as it is kept,
//
//	|q·v - q'·v| <= |q-q'|·|v|
//
// which are known. So each row has a lower and an upper bound, and a row whose
// upper bound is below the k-th largest lower bound is out. The others, a few times
// k unless vectors crowd together, are the ones to compute in full. The bounds
// include the rounding errors of the sieve itself and of the full computation, so
// nothing is ever lost.
type sieve struct {
	codes   []int8  // of the query
	scale   float32 // of a product of codes, but for the scale of the row
	loss    float32 // at least |q-q'|
	length  float32 // at least |q| and |q'|
	slack   float32 // the rounding errors, for vectors of length 1
	floor   floor   // of the lower bounds
	passing []Scored
}

// tiny covers what is lost in products too small for a float32.
const tiny = 1e-38

func newSieve(query []float32, k int) *sieve {
	dims := len(query)
	s := &sieve{codes: make([]int8, dims), floor: newFloor(k)}
	s.scale = Quantize(query, s.codes)
	var loss, length, coded float64
	for i, x := range query {
		c := float64(s.scale) * float64(s.codes[i])
		loss += (float64(x) - c) * (float64(x) - c)
		length += float64(x) * float64(x)
		coded += c * c
	}
	s.loss, s.length = roundUp(math.Sqrt(loss)), roundUp(math.Sqrt(max(length, coded)))
	// The depth of the sums of DotF32I8, which are relative to the length of a
	// coding, and as much again for all else, in units of the last place.
	s.slack = float32(dims/lanes+2*lanes) * 0x1p-23
	return s
}

// sift is the subset of rows that may hold the k largest dot products.
func (v *view) sift(ctx context.Context, query []float32, k int, rows Bits) (Bits, error) {
	sieves := []*sieve{newSieve(query, k)}
	if rows.Count() > parallelAbove {
		sieves = append(sieves, newSieve(query, k))
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
	var dots [runRows]int32
	dims, n := len(s.codes), 0
	for r := range v.runs(rows, low, high) {
		if n++; n%checkRuns == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		DotInt8Rows(dots[:r.n], s.codes, r.block.codes[r.from*dims:][:r.n*dims])
		s.take(r, dots[:r.n])
	}
	return ctx.Err()
}

func (s *sieve) take(r run, dots []int32) {
	first := int32(r.block.first + r.from)
	floor := s.floor.at
	codings := r.block.codings[r.from*codingSize:]
	for i, dot := range dots {
		about, margin := s.estimate(dot, (*[codingSize]float32)(codings[i*codingSize:]))
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

// estimate is a dot product and how far off it may be, by the dot product of
// the codes and the coding of the row.
func (s *sieve) estimate(dot int32, c *[codingSize]float32) (about, margin float32) {
	scale, length := c[0], c[1]
	about = float32(dot) * s.scale * scale
	return about, (s.loss+s.length*s.slack)*length + tiny
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
		c, err := newCoarse(b, v.gen.dims, v.gen.arena.take)
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
	sieve *sieve
	query []int8 // codes of the query, with zeros up to whole groups
	sum   int32  // of its codes, times 15

	near    top     // rows that seem nearest
	floor   float32 // k rows have larger dot products
	passing []Scored
}

func newStrainer(query []float32, k int) *strainer {
	s := &strainer{sieve: newSieve(query, k), floor: float32(math.Inf(-1)), near: newTop(k)}
	s.query = make([]int8, (len(query)+coarseGroup-1)/coarseGroup*coarseGroup)
	copy(s.query, s.sieve.codes)
	for _, c := range s.query {
		s.sum += 15 * int32(c)
	}
	return s
}

// strain is the subset of rows that may hold the k largest dot products.
func (v *view) strain(ctx context.Context, query []float32, k int, rows Bits) (Bits, error) {
	const parts = 2
	var all [parts]*strainer
	group, gctx := parallel.NewGroup(ctx)
	for i := range all {
		all[i] = newStrainer(query, k)
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
	var dots [runRows + coarseFours]int32
	dims, n, settleAt := len(s.sieve.codes), 0, low+(high-low)/64
	for r := range v.runs(rows, low, high) {
		if n++; n%checkRuns == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if at := r.block.first + r.from; at >= settleAt {
			s.settle(v)
			settleAt = at + (at - low)
		}
		if c := r.block.coarsened(); c != nil {
			dotNibblesRows(dots[:r.n], s.query, c.codes[r.from*c.rowBytes:], c.rowBytes)
			s.takeCoarse(r, c, dots[:r.n])
			continue
		}
		DotInt8Rows(dots[:r.n], s.sieve.codes, r.block.codes[r.from*dims:][:r.n*dims])
		s.take(r, dots[:r.n])
	}
	return ctx.Err()
}

func (b *block) coarsened() *coarse {
	if b.coarse == nil {
		return nil
	}
	return b.coarse.Load()
}

func (s *strainer) takeCoarse(r run, c *coarse, dots []int32) {
	first := int32(r.block.first + r.from) //nolint:gosec // as the rows of a log
	codings := c.codings[2*r.from:]
	codings = codings[:2*len(dots)]
	scale, length := s.sieve.scale, s.sieve.length
	rest := (s.sieve.loss+s.sieve.length*s.sieve.slack)*c.length + tiny
	floor, near := s.floor, s.near.floor
	least := s.least(scale*c.scale, length*c.loss+rest)
	for i, dot := range dots {
		if dot < least {
			continue
		}
		about := float32(2*dot-s.sum) * scale * codings[2*i]
		most := about + (length*codings[2*i+1] + rest)
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
	return (int32(least) + s.sum) / 2
}

func (s *strainer) take(r run, dots []int32) {
	first := int32(r.block.first + r.from) //nolint:gosec // as the rows of a log
	codings := r.block.codings[r.from*codingSize:]
	for i, dot := range dots {
		about, margin := s.sieve.estimate(dot, (*[codingSize]float32)(codings[i*codingSize:]))
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
	for _, key := range nearest {
		b, i := v.locate(int(scoredOf(key).Row))
		c := b.coded(i, v.gen.dims)
		about, margin := s.sieve.estimate(DotInt8(s.sieve.codes, c.codes), &[codingSize]float32{c.scale, c.length})
		least = min(least, about-margin)
	}
	s.floor = max(s.floor, least)
}
