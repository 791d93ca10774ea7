package vector

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		{"ties to even", []float32{127, 0.5, 1.5, -2.5}, 1, []int8{127, 0, 2, -2}},
		{"denormals that have no scale", []float32{1e-45, -3e-45}, 0, []int8{0, 0}},
		{"denormals with a coarse scale", []float32{190 * 0x1p-149, -190 * 0x1p-149}, 0x1p-149, []int8{127, -127}},
		{"huge", []float32{math.MaxFloat32, -math.MaxFloat32}, math.MaxFloat32 / 127, []int8{127, -127}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			codes := make([]int8, len(tt.v))
			scale := Quantize(tt.v, codes)
			if scale != tt.scale {
				t.Errorf("scale = %v, want %v", scale, tt.scale)
			}
			if diff := cmp.Diff(tt.codes, codes); diff != "" {
				t.Errorf("codes (-want +got):\n%s", diff)
			}
		})
	}
}

// The sieve depends on these bounds.
func TestCodingBoundsTheLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		v := make([]float32, 1+rng.IntN(300))
		size := math.Pow(10, float64(rng.IntN(80)-60))
		for i := range v {
			v[i] = float32(rng.NormFloat64() * size)
		}
		codes := make([]int8, len(v))
		c := encode(v, codes)
		var loss, length float64
		for i, x := range v {
			d := float64(x) - float64(c.scale)*float64(codes[i])
			loss += d * d
			length += float64(x) * float64(x)
		}
		if math.Sqrt(loss) > float64(c.loss) || math.Sqrt(length) > float64(c.length) {
			t.Errorf("size %g: loss %g, length %g, want no more than %+v", size, math.Sqrt(loss), math.Sqrt(length), c)
		}
	}
}
