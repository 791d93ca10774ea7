package codes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestQuantize(t *testing.T) {
	tests := []struct {
		name  string
		v     []float32
		scale float32
		codes []int8
	}{
		{"empty", nil, 0, []int8{}},
		{"zeros", []float32{0, 0}, 0, []int8{0, 0}},
		{"the largest is 127", []float32{127, -127, 64, 0}, 1, []int8{127, -127, 64, 0}},
		{"the negative largest", []float32{-254, 127}, 2, []int8{-127, 64}},
		{"the nearest", []float32{127, 1.4, 1.6, -1.4, -1.6}, 1, []int8{127, 1, 2, -1, -2}},
		{"ties to even", []float32{127, 0.5, 1.5, -2.5}, 1, []int8{127, 0, 2, -2}},
		{"denormals that have no scale", []float32{1e-45, -3e-45}, 0, []int8{0, 0}},
		{"denormals with a coarse scale", []float32{188 * 0x1p-149, -188 * 0x1p-149}, 0x1p-149, []int8{127, -127}},
		{"huge", []float32{math.MaxFloat32, -math.MaxFloat32}, math.MaxFloat32 / maxCode, []int8{127, -127}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			codes := make([]int8, len(tt.v))
			scale := quantize(tt.v, codes)
			if scale != tt.scale {
				t.Errorf("scale = %v, want %v", scale, tt.scale)
			}
			if diff := cmp.Diff(tt.codes, codes); diff != "" {
				t.Errorf("codes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestKernelsOfOneVector compares those in use with the plain Go ones.
func TestKernelsOfOneVector(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 31))
	for range 2000 {
		v := anySize(rng)
		if rng.IntN(4) == 0 { // halves, which are ties, and values of which the scale is too coarse
			for i := range v {
				v[i] = float32(rng.IntN(2*maxCode+1)-maxCode) / 2
			}
		} else if rng.IntN(4) == 0 {
			for i := range v {
				v[i] = math.Float32frombits(rng.Uint32N(400) | rng.Uint32N(2)<<31)
			}
		}
		if got, want := largest(v), largestGeneric(v); got != want {
			t.Fatalf("largest of %v = %v, want %v", v, got, want)
		}
		codes, want := make([]int8, len(v)), make([]int8, len(v))
		if scale := largest(v) / maxCode; scale != 0 {
			round(codes, v, scale)
			roundGeneric(want, v, scale)
			if !slices.Equal(codes, want) {
				t.Fatalf("codes of %v = %v, want %v", v, codes, want)
			}
		}
		added, sum, w := slices.Clone(v), slices.Clone(v), rng.Float32()*v[0]
		AddScaled(added, want, w)
		addScaledGeneric(sum, want, w)
		if !slices.Equal(bitsOf(added), bitsOf(sum)) {
			t.Fatalf("%v + %v × %v = %v, want %v", v, w, want, added, sum)
		}
	}
}

// anySize is a vector of any dimensions and size that is not too small for codes.
func anySize(rng *rand.Rand) []float32 {
	v := make([]float32, 1+rng.IntN(300))
	size := math.Pow(10, float64(rng.IntN(46)-30))
	for i := range v {
		v[i] = float32(rng.NormFloat64() * size)
	}
	return v
}

// unit is a vector of length 1.
func unit(rng *rand.Rand, dims int) []float32 { return near(rng, make([]float32, dims), 1) }

// near is the direction of centre, disturbed by a random vector.
func near(rng *rand.Rand, centre []float32, noise float64) []float32 {
	v := make([]float32, len(centre))
	var square float64
	for i := range v {
		v[i] = centre[i] + float32(noise*rng.NormFloat64())
		square += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(square))
	}
	return v
}

func TestCodesAreClose(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 29))
	for range 300 {
		v := anySize(rng)
		var largest, worst float64
		for i, x := range Encode(v).Floats() {
			largest = max(largest, math.Abs(float64(v[i])))
			worst = max(worst, math.Abs(float64(x)-float64(v[i])))
		}
		if worst > largest/200 { // with few components the length moves them, too
			t.Errorf("a component is off by %g, want at most a 200th of %g", worst, largest)
		}
	}
}

// What is kept has the length of what was given, and is kept as it is.
func TestRounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 35))
	for range 300 {
		v := unit(rng, 1+rng.IntN(300))
		got := Rounded(v)
		var length float64
		for _, x := range got {
			length += float64(x) * float64(x)
		}
		if math.Abs(length-1) > 1e-5 {
			t.Errorf("%d dimensions: the square of the length is %v, want 1", len(v), length)
		}
		if diff := cmp.Diff(got, Rounded(got), cmpopts.EquateApprox(1e-6, 0)); diff != "" {
			t.Errorf("again (-once +twice):\n%s", diff)
		}
	}
	if got := Rounded(nil); got != nil {
		t.Errorf("of nil: %v", got)
	}
	if got := Rounded([]float32{0, 0}); len(got) != 2 || got[0] != 0 {
		t.Errorf("of zeros: %v", got)
	}
}

// What is kept must rank as what was appended.
func TestDotProductsOfCodesAreClose(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 31))
	for dims, within := range map[int]float64{2: 6e-3, 40: 6e-3, 256: 3e-3, 1024: 2e-3} {
		for range 200 {
			q, v := unit(rng, dims), unit(rng, dims)
			if rng.IntN(2) == 0 {
				v = near(rng, q, 0.3/math.Sqrt(float64(dims)))
			}
			var want float64
			for i, x := range v {
				want += float64(q[i]) * float64(x)
			}
			if got := Encode(v).dot(q); math.Abs(float64(got)-want) > within {
				t.Errorf("%d dimensions: dot product %v, want %v within %v", dims, got, want, within)
			}
		}
	}
}

// dot is the definition in the comment on Nearest.
func (c Vector) dot(query []float32) float32 {
	return c.Scale * documentedDot(query, c.Codes)
}

// The dot product by codes is that with the vector.
func TestDotByCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 33))
	for range 200 {
		v := anySize(rng)
		c, q := Encode(v), unit(rng, len(v))
		var want float64
		for i, x := range c.Floats() {
			want += float64(q[i]) * float64(x)
		}
		if got := c.dot(q); math.Abs(float64(got)-want) > 1e-6*float64(c.Length) {
			t.Errorf("dot product %g, want %g", got, want)
		}
	}
}

// The sieve depends on this bound.
func TestCodingBoundsTheLength(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		v := make([]float32, 1+rng.IntN(300))
		size := math.Pow(10, float64(rng.IntN(62)-44)) // denormals too
		for i := range v {
			v[i] = float32(rng.NormFloat64() * size)
		}
		c := Encode(v)
		var square float64
		for i := range v {
			x := float64(c.Scale) * float64(c.Codes[i])
			square += x * x
		}
		if got, want := float64(c.Length), math.Sqrt(square); got < want || got > want*1.1+1e-44 {
			t.Errorf("size %g: the bound is %g, want at least, and about, %g", size, got, want)
		}
	}
}

// A vector that was read from its codes gets the same codes and the same scale
// when it is put again. For scales that is so for each of a binade, and with
// that for all but denormals.
func TestQuantizeAgain(t *testing.T) {
	for bits := math.Float32bits(1); bits < math.Float32bits(2); bits++ {
		scale := math.Float32frombits(bits) / maxCode
		if again := float32(scale*maxCode) / maxCode; again != scale {
			t.Fatalf("of %v the scale is %v, then %v", math.Float32frombits(bits), scale, again)
		}
	}
	rng := rand.New(rand.NewPCG(8, 9))
	for n := range 2000 {
		v := make([]float32, 1+n%300)
		for i := range v {
			v[i] = float32(rng.NormFloat64())
		}
		first := Encode(v)
		again := Encode(first.Floats())
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatalf("vector %d (-once +twice):\n%s", n, diff)
		}
	}
}
