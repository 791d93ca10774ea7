// Package codes keeps vectors in 8 or 4 bits a component, and computes with them as
// they are kept: no package but this one knows how a code relates to a number.
//
//   - [Encode] makes the codes of a vector, which from then on is what they
//     stand for. Of one that [Coarsen] put on 16 levels they are these, and fit 4 bits: so who
//     makes vectors says how much of them counts, and what keeps them loses nothing more.
//   - [Packed] is rows of such vectors.
//   - [DotF32I8Rows] and [DotInt8Rows] are the kernels. Assembly
//     (AVX2) and plain Go give the same bits; the build tag purego leaves the
//     assembly out.
//   - [Query] is a query in codes, with what dot products with it may be off by.
//   - [Coarse] is 4 bits a component, for a first pass over many rows.
package codes

import (
	"errors"
	"fmt"
	"math"
)

// maxLength bounds the length of vectors and queries, so that no dot product of
// two of them overflows a float32.
const maxLength = 1e18

// toInteger is 1.5 times 2 to the 23rd.
const toInteger = 0x1.8p23

// maxCode is the largest code.
const maxCode = 127

// quantize makes codes, -127 to 127, such that v[i] is about scale*codes[i]:
// scale is max|v|/127, and codes are rounded to the nearest, ties to even, which
// puts scale*codes within max|v|/250 of v where max|v| is over 1e-36. The scale
// of a vector of zeros is 0. The components must be finite. The codes must be as
// long as v.
func quantize(v []float32, codes []int8) (scale float32) {
	scale = largest(v) / maxCode
	if scale == 0 {
		clear(codes[:len(v)])
		return 0
	}
	round(codes[:len(v)], v, scale)
	return scale
}

// A Vector is a vector as it is kept. It stands for the one with the components
// Scale*Codes[i].
type Vector struct {
	Scale  float32
	Length float32 // at least that of the vector
	Codes  []int8  // nil where there is no vector
}

// CodingSize is how many float32 a vector has beside its codes: scale and length.
const CodingSize = 2

// Encode keeps the length of v, which Check has passed, so that dot products with it
// stay cosines.
func Encode(v []float32) Vector {
	c := Vector{Codes: make([]int8, len(v))}
	if Packs(len(v)) {
		c.Scale = level(v, c.Codes)
	}
	if c.Scale == 0 {
		c.Scale = quantize(v, c.Codes)
	}
	if c.Scale == 0 {
		return c
	}
	var square int64
	var length float64
	for i, x := range c.Codes {
		square += int64(x) * int64(x)
		length += float64(v[i]) * float64(v[i])
	}
	codes := math.Sqrt(float64(square))
	c.Scale = float32(math.Sqrt(length) / codes)
	c.Length = roundUp(float64(c.Scale) * codes)
	return c
}

// Rounded is the vector that is kept of v: of its length, and in its direction as
// far as 8 bits a component tell; it is v where that is on 16 levels. That of it is the same again. It is nil for nil.
func Rounded(v []float32) []float32 {
	if v == nil {
		return nil
	}
	return Encode(v).Floats()
}

// Floats is a new slice, or nil where there is no vector.
func (c Vector) Floats() []float32 {
	if c.Codes == nil {
		return nil
	}
	v := make([]float32, len(c.Codes))
	for i, x := range c.Codes {
		v[i] = c.Scale * float32(x)
	}
	return v
}

func roundUp(x float64) float32 {
	return math.Nextafter32(float32(x), float32(math.Inf(1)))
}

// Check refuses vectors of the wrong size, with components that are not
// finite, or longer than maxLength.
func Check(v []float32, dims int) error {
	if len(v) != dims {
		return fmt.Errorf("the vector has %d components, not %d", len(v), dims)
	}
	var length float64
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	if math.IsNaN(length) || length > maxLength*maxLength {
		return errors.New("the vector has components that are not finite or too large")
	}
	return nil
}
