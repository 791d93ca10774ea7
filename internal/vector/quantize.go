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

// Quantize writes to dst, which must be as long as v, codes in -127..127 such
// that v[i] is about scale*dst[i]: scale is max|v|/127, and codes are rounded
// to the nearest, ties to even. The scale of a vector of zeros is 0. The
// components must be finite.
func Quantize(v []float32, dst []int8) (scale float32) {
	var largest float32
	for _, x := range v {
		if x < 0 {
			x = -x
		}
		if x > largest {
			largest = x
		}
	}
	scale = largest / 127
	if scale == 0 {
		clear(dst[:len(v)])
		return 0
	}
	for i, x := range v {
		// A float32 above toInteger has no fraction: the addition rounds. A
		// denormal scale is so coarse that quotients exceed 127.
		code := int32(float32(x/scale+toInteger) - toInteger)
		dst[i] = int8(min(max(code, -127), 127))
	}
	return scale
}

// A coding says how codes relate to the vector that they were made from.
type coding struct {
	scale float32
	// loss is at least the length of the difference between the vector and
	// scale*codes.
	loss float32
	// length is at least the length of the vector and of scale*codes.
	length float32
}

// codingSize is the number of float32 of a coding in a file.
const codingSize = 3

func encode(v []float32, codes []int8) coding {
	scale := Quantize(v, codes)
	var loss, length, coded float64
	for i, x := range v {
		c := float64(scale) * float64(codes[i])
		loss += (float64(x) - c) * (float64(x) - c)
		length += float64(x) * float64(x)
		coded += c * c
	}
	return coding{
		scale:  scale,
		loss:   roundUp(math.Sqrt(loss)),
		length: roundUp(math.Sqrt(max(length, coded))),
	}
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
