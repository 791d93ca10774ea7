package codes

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sizes are lengths around the widths of the kernels.
var sizes = []int{0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 100, 127, 128, 255, 256, 257, 384, 1000}

func TestDotF32I8(t *testing.T) {
	tests := []struct {
		name string
		a    []float32
		b    []int8
		want float32
	}{
		{"empty", nil, nil, 0},
		{"one", []float32{3}, []int8{-2}, -6},
		{"orthogonal", []float32{1, 0}, []int8{0, 1}, 0},
		{"the ends of the range", []float32{1, 2}, []int8{-128, 127}, 126},
		{"integers over a whole group", ramp(40), rampCodes(40), 20540},
		{"overflow", []float32{3e38, 3e38}, []int8{2, 1}, float32(math.Inf(1))},
		{"denormal", []float32{1e-45}, []int8{2}, 3e-45},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := DotF32I8(tt.a, tt.b); got != tt.want {
				t.Errorf("DotF32I8 = %v, want %v", got, tt.want)
			}
		})
	}
}

// ramp is 0, 1, … n-1.
func ramp(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(i)
	}
	return v
}

func rampCodes(n int) []int8 {
	v := make([]int8, n)
	for i := range v {
		v[i] = int8(i)
	}
	return v
}

func TestDotRefusesShapes(t *testing.T) {
	for name, f := range map[string]func(){
		"lengths differ":  func() { DotF32I8(ramp(3), rampCodes(4)) },
		"rows too short":  func() { DotF32I8Rows(make([]float32, 2), ramp(3), rampCodes(5)) },
		"codes too short": func() { DotInt8Rows(make([]int32, 2), make([]int8, 3), make([]int8, 7)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

// oddFloats are values that tell implementations apart: sums whose order shows,
// denormals, zeros of both signs, values that overflow, infinities.
var oddFloats = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, 1e-45, -1e-45, 1e-38, 1.1754944e-38, 1e-20, 0.1, -0.3,
	1 << 24, 1<<24 + 2, 1e18, -1e19, 3e38, -3e38, math.MaxFloat32, float32(math.Inf(1)),
}

func oddVector(rng *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	odd := rng.IntN(3) // how odd: not, some, all
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		if rng.IntN(2) < odd {
			v[i] = oddFloats[rng.IntN(len(oddFloats))]
		}
	}
	return v
}

func TestKernelsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, dims := range sizes {
		for n := range 10 {
			compareKernels(t, oddVector(rng, dims), toCodes(oddVector(rng, n*dims)))
		}
	}
}

func FuzzKernelsAgree(f *testing.F) {
	f.Add(uint16(33), []byte("\x00\x00\x80\x7f\x01\x00\x00\x00\xff\xff\x7f\x7f"))
	f.Add(uint16(64), []byte("0123456789abcdef"))
	f.Add(uint16(1), []byte{})
	f.Fuzz(func(t *testing.T, size uint16, data []byte) {
		dims := int(size)%300 + 1
		v := make([]float32, 5*dims)
		for i := range v {
			var word [4]byte
			for j := range word {
				if len(data) > 0 {
					word[j] = data[(i*4+j)%len(data)] + byte(i*4/max(len(data), 1))
				}
			}
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(word[:]))
		}
		compareKernels(t, v[:dims], toCodes(v[dims:]))
	})
}

// compareKernels checks that the kernels in use, the plain Go ones and the
// documented order give the same bits.
func compareKernels(t *testing.T, query []float32, codes []int8) {
	t.Helper()
	dims, n := len(query), 0
	if dims > 0 {
		n = len(codes) / dims
	}
	got, want := make([]float32, n), make([]float32, n)
	codeQuery := toCodes(query)
	gotCodes, wantCodes := make([]int32, n), make([]int32, n)
	DotF32I8Rows(got, query, codes)
	DotInt8Rows(gotCodes, codeQuery, codes)
	for i := range n {
		want[i] = documentedDot(query, codes[i*dims:][:dims])
		for j, c := range codeQuery {
			wantCodes[i] += int32(c) * int32(codes[i*dims+j])
		}
	}
	if diff := cmp.Diff(bitsOf(want), bitsOf(got)); diff != "" {
		t.Errorf("DotF32I8Rows of %d rows of %d (-want +got):\n%s", n, dims, diff)
	}
	if diff := cmp.Diff(wantCodes, gotCodes); diff != "" {
		t.Errorf("DotInt8Rows of %d rows of %d (-want +got):\n%s", n, dims, diff)
	}
	if dims < lanes {
		return
	}
	// The plain Go kernels leave the rest of a row to their caller.
	for i := range n {
		want[i] = documentedDot(query[:dims-dims%lanes], codes[i*dims:][:dims-dims%lanes])
		for j := dims - dims%codeLanes; j < dims; j++ {
			wantCodes[i] -= int32(codeQuery[j]) * int32(codes[i*dims+j])
		}
	}
	dotF32I8RowsGeneric(got, query, codes)
	dotInt8RowsGeneric(gotCodes, codeQuery, codes)
	if diff := cmp.Diff(bitsOf(want), bitsOf(got)); diff != "" {
		t.Errorf("dotF32I8RowsGeneric of %d rows of %d (-want +got):\n%s", n, dims, diff)
	}
	if diff := cmp.Diff(wantCodes, gotCodes); diff != "" {
		t.Errorf("dotInt8RowsGeneric of %d rows of %d (-want +got):\n%s", n, dims, diff)
	}
}

// documentedDot is the comment on lanes, word by word.
func documentedDot(a []float32, b []int8) float32 {
	whole := len(a) - len(a)%lanes
	var sum [lanes]float32
	for i := range whole {
		sum[i%lanes] += float32(a[i] * float32(b[i]))
	}
	for _, half := range []int{16, 8, 4, 2, 1} {
		for i := range half {
			sum[i] += sum[i+half]
		}
	}
	for i := whole; i < len(a); i++ {
		sum[0] += float32(a[i] * float32(b[i]))
	}
	return sum[0]
}

// bitsOf makes all NaNs one.
func bitsOf(v []float32) []uint32 {
	out := make([]uint32, len(v))
	for i, x := range v {
		out[i] = math.Float32bits(x)
		if x != x {
			out[i] = math.Float32bits(float32(math.NaN()))
		}
	}
	return out
}

// toCodes takes all codes, -128 included.
func toCodes(v []float32) []int8 {
	codes := make([]int8, len(v))
	for i, x := range v {
		codes[i] = int8(math.Float32bits(x) ^ math.Float32bits(x)>>23)
	}
	return codes
}
