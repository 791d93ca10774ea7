package codes

import (
	"math"
	"sync"
)

const (
	coarseGroup = 64 // components that share 32 bytes: the low halves are of the first 32

	// CoarseFours is how many rows Dots takes at a time.
	CoarseFours = 4
)

// A Coarse is rows of vectors in 4 bits a component. A code u, 0 to 15,
// stands for (2u-15)·scale.
type Coarse struct {
	Codings []float32 // scale and loss of each row: loss is at least the length of what the codes leave
	// The largest of all rows: length is at least that of the vector, and of what
	// stands for it.
	Scale, Loss, Length float32
	// Exact says that the codes leave nothing: what goes for a loss is the length.
	Exact bool

	rowBytes int
	codes    []byte
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

// NewCoarse makes those of rows, which lie one after the other as their codings do,
// in zeroed memory of take.
func NewCoarse(codings []float32, rows []int8, dims int, take func(n int) ([]byte, error)) (*Coarse, error) {
	n := len(codings) / CodingSize
	c := &Coarse{
		rowBytes: (dims + coarseGroup - 1) / coarseGroup * (coarseGroup / 2),
		Codings:  make([]float32, 2*n),
	}
	var err error
	if c.codes, err = take(c.rowBytes * (n + CoarseFours - 1)); err != nil {
		return nil, err
	}
	table := coarseOf()
	for i := range n {
		codes := c.codes[i*c.rowBytes:][:c.rowBytes]
		scale, length := float64(codings[CodingSize*i]), float64(codings[CodingSize*i+1])
		// Of 16 levels for a normal distribution, steps of a third of the deviation leave least.
		step := 1
		if scale > 0 {
			step = int(min(max(0.335*length/scale/math.Sqrt(float64(dims))+0.5, 1), coarseSteps-1))
		}
		of := &table[step]
		left := 0
		for j, x := range rows[i*dims:][:dims] {
			e := of[uint8(x)] //nolint:gosec // its bits
			left += int(e.left)
			codes[j/coarseGroup*(coarseGroup/2)+j%(coarseGroup/2)] |= e.code << (j % coarseGroup / (coarseGroup / 2) * 4)
		}
		loss := scale / 2 * math.Sqrt(float64(left))
		c.Codings[2*i], c.Codings[2*i+1] = float32(scale)/2*float32(step), roundUp(loss)
		c.Scale, c.Loss = max(c.Scale, c.Codings[2*i]), max(c.Loss, c.Codings[2*i+1])
		c.Length = max(c.Length, roundUp(length+loss))
	}
	return c, nil
}
