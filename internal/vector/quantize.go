package vector

import (
	"errors"
	"fmt"
	"math"
	"sync"
)

// maxLength bounds the length of vectors and queries, so that no dot product of
// two of them overflows a float32.
const maxLength = 1e18

// toInteger is 1.5 times 2 to the 23rd.
const toInteger = 0x1.8p23

// maxCode is the largest code.
const maxCode = 127

// Quantize makes codes, -127 to 127, such that v[i] is about scale*codes[i]:
// scale is max|v|/127, and codes are rounded to the nearest, ties to even, which
// puts scale*codes within max|v|/250 of v where max|v| is over 1e-36. The scale
// of a vector of zeros is 0. The components must be finite. The codes must be as
// long as v.
func Quantize(v []float32, codes []int8) (scale float32) {
	scale = largest(v) / maxCode
	if scale == 0 {
		clear(codes[:len(v)])
		return 0
	}
	round(codes[:len(v)], v, scale)
	return scale
}

// A coded is a vector as a file keeps it. It stands for the vector with the
// components scale*codes[i].
type coded struct {
	coding
	codes []int8 // nil where there is no vector
}

// A coding says how the codes of a vector relate to it.
type coding struct {
	scale  float32
	length float32 // at least that of the vector
}

// codingSize is the number of float32 of a coding in a file.
const codingSize = 2

// encode keeps the length of v, so that dot products with it stay cosines.
func encode(v []float32) coded {
	c := coded{codes: make([]int8, len(v))}
	if c.scale = Quantize(v, c.codes); c.scale == 0 {
		return c
	}
	var square int64
	var length float64
	for i, x := range c.codes {
		square += int64(x) * int64(x)
		length += float64(v[i]) * float64(v[i])
	}
	codes := math.Sqrt(float64(square))
	c.scale = float32(math.Sqrt(length) / codes)
	c.length = roundUp(float64(c.scale) * codes)
	return c
}

// Rounded is the vector that is kept of v: of its length, and in its direction as
// far as 8 bits a component tell. That of it is the same again. It is nil for nil.
func Rounded(v []float32) []float32 {
	if v == nil {
		return nil
	}
	return encode(v).vector()
}

// vector is a new slice, or nil where there is no vector.
func (c coded) vector() []float32 {
	if c.codes == nil {
		return nil
	}
	v := make([]float32, len(c.codes))
	for i, x := range c.codes {
		v[i] = c.scale * float32(x)
	}
	return v
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

const (
	// Above coarseAbove eligible rows a pass over 4 bits a component comes first,
	// which reads half as much as one over the codes. Few times k rows have to be
	// looked at again.
	coarseAbove = 131_072
	// The 4 bits are made of rows in memory, beside those of the file, once a process
	// has searched often enough, and of so many rows for each search.
	coarseAfter  = 3
	coarseBudget = 16_384

	coarseGroup = 64 // components that share 32 bytes: the low halves are of the first 32
	coarseFours = 4  // rows that the kernel takes at a time
)

// A coarse is the vectors of a block in 4 bits a component. A code u, 0 to 15,
// stands for (2u-15)·scale.
type coarse struct {
	rowBytes int
	codes    []byte
	codings  []float32 // scale and loss of each row: loss is at least the length of what the codes leave
	// The largest of all rows: length is at least that of the vector, and of what
	// stands for it.
	scale, loss, length float32
}

// coarseSteps is by how many codes two 4-bit codes may be apart.
const coarseSteps = 32

// coarseOf has, for each step and code, the 4-bit code and the square of twice
// what it leaves.
var coarseOf = sync.OnceValue(func() *[coarseSteps][256]struct {
	code uint8
	left uint16
} {
	t := new([coarseSteps][256]struct {
		code uint8
		left uint16
	})
	for step := 1; step < coarseSteps; step++ {
		for code := -128; code < 128; code++ {
			u := min(max(int(math.Floor(float64(code)/float64(step)))+8, 0), 15)
			left := 2*code - (2*u-15)*step
			t[step][uint8(code)].code, t[step][uint8(code)].left = uint8(u), uint16(left*left) //nolint:gosec // up to 15, and 241 squared
		}
	}
	return t
})

// newCoarse makes the codes of a block, in memory of take.
func newCoarse(b *block, dims int, take func(n int) ([]byte, error)) (*coarse, error) {
	c := &coarse{
		rowBytes: (dims + coarseGroup - 1) / coarseGroup * (coarseGroup / 2),
		codings:  make([]float32, 2*b.vectors),
	}
	var err error
	if c.codes, err = take(c.rowBytes * (b.vectors + coarseFours - 1)); err != nil {
		return nil, err
	}
	table := coarseOf()
	for i := range b.vectors {
		v := b.coded(i, dims)
		codes := c.codes[i*c.rowBytes:][:c.rowBytes]
		scale := float64(v.scale)
		// Of 16 levels for a normal distribution, steps of a third of the deviation leave least.
		step := 1
		if scale > 0 {
			step = int(min(max(0.335*float64(v.length)/scale/math.Sqrt(float64(dims))+0.5, 1), coarseSteps-1))
		}
		of := &table[step]
		left := 0
		for j, x := range v.codes {
			e := of[uint8(x)] //nolint:gosec // its bits
			left += int(e.left)
			codes[j/coarseGroup*(coarseGroup/2)+j%(coarseGroup/2)] |= e.code << (j % coarseGroup / (coarseGroup / 2) * 4)
		}
		loss := scale / 2 * math.Sqrt(float64(left))
		c.codings[2*i], c.codings[2*i+1] = float32(scale)/2*float32(step), roundUp(loss)
		c.scale, c.loss = max(c.scale, c.codings[2*i]), max(c.loss, c.codings[2*i+1])
		c.length = max(c.length, roundUp(float64(v.length)+loss))
	}
	return c, nil
}
