package codes

import "math"

// A Query is a query in 8-bit codes as well. With q for the query, q' for what its
// codes stand for, and v for a vector as it is kept,
//
//	|q·v - q'·v| <= |q-q'|·|v|
//
// which are known.
type Query struct {
	Codes  []int8
	Scale  float32 // of a product of codes, but for the scale of the row
	Length float32 // at least |q| and |q'|

	padded []int8  // codes with zeros up to whole groups of Coarse
	sum    int32   // of codes, times maxLevel
	loss   float32 // at least |q-q'|
	slack  float32 // the rounding errors, for vectors of length 1
}

// tiny covers what is lost in products too small for a float32.
const tiny = 1e-38

// NewQuery makes codes of a query, which Check has passed.
func NewQuery(query []float32) *Query {
	dims := len(query)
	padded := make([]int8, (dims+coarseGroup-1)/coarseGroup*coarseGroup)
	q := &Query{Codes: padded[:dims:dims], padded: padded}
	q.Scale = quantize(query, q.Codes)
	var loss, length, coded float64
	for i, x := range query {
		q.sum += maxLevel * int32(q.Codes[i])
		c := float64(q.Scale) * float64(q.Codes[i])
		loss += (float64(x) - c) * (float64(x) - c)
		length += float64(x) * float64(x)
		coded += c * c
	}
	q.loss, q.Length = roundUp(math.Sqrt(loss)), roundUp(math.Sqrt(max(length, coded)))
	// The depth of the sums of DotF32I8, which are relative to the length of a
	// coding, and as much again for all else, in units of the last place.
	q.slack = float32(dims/lanes+2*lanes) * 0x1p-23
	return q
}

// Estimate is a dot product and how far off it may be, by the dot product of
// the codes and the coding of the row. The margin includes the rounding errors of
// both this and the full computation.
func (q *Query) Estimate(dot int32, c *[CodingSize]float32) (about, margin float32) {
	return float32(dot) * q.Scale * c[0], q.Margin(c[1])
}

// Margin is that of Estimate for a row of that length.
func (q *Query) Margin(length float32) float32 { return (q.loss+q.Length*q.slack)*length + tiny }

// Dots sets dst[i] to the dot product of the query and the 4-bit codes of the rows of c
// from number from on: with the scale of a row, Scale·scale·Product(dot) is about that
// with the row. Of dst, CoarseFours-1 more may be written to, within its capacity.
func (q *Query) Dots(dst []int32, c *Coarse, from int) {
	dotNibblesRows(dst, q.padded, c.codes[from*c.rowBytes:], c.rowBytes)
}

// Product is the dot product of the query's codes and levels, by the one with 4-bit codes.
func (q *Query) Product(dot int32) int32 { return 2*dot - q.sum }

// Least is the least dot that has a product of least.
func (q *Query) Least(least int32) int32 { return (least + q.sum) / 2 }
