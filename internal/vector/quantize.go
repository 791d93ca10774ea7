package vector

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

// maxCode is the largest code: 127 times 256, so that its hi is 127.
const maxCode = 32_512

// Quantize makes 16-bit codes c, -32512 to 32512, such that v[i] is about
// scale*c[i]: scale is max|v|/32512, and codes are rounded to the nearest, ties
// to even, which puts scale*c within max|v|/64,000 of v where max|v| is over
// 1e-33. The scale of a vector of zeros is 0. The components must be finite.
//
// It writes c as 256*hi + lo, hi the nearest to c/256: hi is in -127..127 and
// with 256*scale an 8-bit coding by itself. hi and lo must be as long as v.
func Quantize(v []float32, hi, lo []int8) (scale float32) {
	var largest float32
	for _, x := range v {
		if x < 0 {
			x = -x
		}
		if x > largest {
			largest = x
		}
	}
	scale = largest / maxCode
	if scale == 0 {
		clear(hi[:len(v)])
		clear(lo[:len(v)])
		return 0
	}
	for i, x := range v {
		// A float32 above toInteger has no fraction: the addition rounds. A
		// denormal scale is so coarse that quotients exceed maxCode.
		code := int32(float32(x/scale+toInteger) - toInteger)
		code = min(max(code, -maxCode), maxCode)
		h := (code + 128) >> 8
		hi[i], lo[i] = int8(h), int8(code-h<<8)
	}
	return scale
}

// A coded is a vector as a file keeps it. It stands for the vector with the
// components scale*(256*hi[i]+lo[i]), and without lo roughly for the same.
type coded struct {
	coding
	hi, lo []int8 // nil where there is no vector
}

// A coding says how the codes of a vector relate to it.
type coding struct {
	scale float32
	// loss is at least the length of the part that lo stands for, scale*lo.
	loss float32
	// length is at least the sum of the lengths of the parts, 256*scale*hi and
	// scale*lo, and so at least the length of the vector.
	length float32
}

// codingSize is the number of float32 of a coding in a file.
const codingSize = 3

func encode(v []float32) coded {
	codes := make([]int8, 2*len(v))
	c := coded{hi: codes[:len(v):len(v)], lo: codes[len(v):]}
	c.scale = Quantize(v, c.hi, c.lo)
	var hi, lo int64
	for i, h := range c.hi {
		l := c.lo[i]
		hi += int64(h) * int64(h)
		lo += int64(l) * int64(l)
	}
	scale := float64(c.scale)
	loss := scale * math.Sqrt(float64(lo))
	c.loss, c.length = roundUp(loss), roundUp(loss+256*scale*math.Sqrt(float64(hi)))
	return c
}

// vector is a new slice, or nil where there is no vector.
func (c coded) vector() []float32 {
	if c.hi == nil {
		return nil
	}
	v := make([]float32, len(c.hi))
	for i, hi := range c.hi {
		v[i] = c.scale * float32(256*int32(hi)+int32(c.lo[i]))
	}
	return v
}

// combine is the dot product of a query and a vector with that scale, by the
// dot products of the query and hi and lo. This and DotF32I8 define what the
// dot product is, to the bit.
func combine(scale, hi, lo float32) float32 {
	return scale * (float32(256*hi) + lo)
}

func roundUp(x float64) float32 {
	return math.Nextafter32(float32(x), float32(math.Inf(1)))
}

// checkVector refuses vectors of the wrong size, with components that are not
// finite, or longer than maxLength.
func checkVector(v []float32, dims int) error {
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
