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

	loss  float32 // at least |q-q'|
	slack float32 // the rounding errors, for vectors of length 1
}

// tiny covers what is lost in products too small for a float32.
const tiny = 1e-38

// NewQuery makes codes of a query, which Check has passed.
func NewQuery(query []float32) *Query {
	dims := len(query)
	q := &Query{Codes: make([]int8, dims)}
	q.Scale = quantize(query, q.Codes)
	var loss, length, coded float64
	for i, x := range query {
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

// Padded is the codes with zeros up to whole groups of Coarse, and their sum times
// 15: with dot of Dots and the scale of a row, Scale·scale·(2·dot-sum) is about its dot
// product.
func (q *Query) Padded() (codes []int8, sum int32) {
	codes = make([]int8, (len(q.Codes)+coarseGroup-1)/coarseGroup*coarseGroup)
	copy(codes, q.Codes)
	for _, c := range codes {
		sum += 15 * int32(c)
	}
	return codes, sum
}
