package codes

import (
	"encoding/binary"
	"math"
	"unsafe"
)

const (
	// maxLevel is the largest of the 16 levels that fit 4 bits: the odd numbers from
	// -15 to 15. The level 2u-15 is kept as u.
	maxLevel = 15
	// levelStep is how far apart levels are, by the deviation of the components: of 16
	// for a normal distribution, steps of a third of it leave least.
	levelStep = 0.335
	// largestAt is how many steps the largest component is off 0 at least: the largest
	// level is for those from 7 on.
	largestAt = 7.01
	// onLevel is by how much of the largest component one may be off its level.
	onLevel = 1e-5
)

// Coarsen puts v, which Check has passed, on 16 levels, in place: a vector of the same
// length that packs. The largest component has the largest level.
func Coarsen(v []float32) {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	step := float32(min(levelStep*math.Sqrt(square/float64(len(v))), float64(largest(v))/largestAt))
	if !(step > 0) {
		return
	}
	for i := range v {
		v[i] -= step / 2
	}
	var few [512]int8
	codes := append(few[:0], make([]int8, len(v))...)
	round(codes, v, step)
	var levels int
	for i, u := range codes {
		codes[i] = 2*min(max(u, -8), 7) + 1
		levels += int(codes[i]) * int(codes[i])
	}
	scale := float32(math.Sqrt(square / float64(levels)))
	for i, x := range codes {
		v[i] = scale * float32(x)
	}
}

// level sets codes to the levels of a vector on them, as Coarsen puts it; the scale is 0 for
// others.
func level(v []float32, codes []int8) (scale float32) {
	most := largest(v)
	if scale = most / maxLevel; scale == 0 {
		return 0
	}
	codes = codes[:len(v)]
	round(codes, v, scale)
	for i, x := range v {
		off := x - scale*float32(codes[i])
		if codes[i]&1 == 0 || off > onLevel*most || off < -onLevel*most {
			return 0
		}
	}
	return scale
}

// packs reports whether the codes are levels.
func packs(codes []int8) bool {
	for _, x := range codes {
		if x&1 == 0 || x > maxLevel || x < -maxLevel {
			return false
		}
	}
	return true
}

// Packs reports whether vectors of so many components may pack.
func Packs(dims int) bool { return dims > 0 && dims%coarseGroup == 0 }

// Packs reports whether a vector takes 4 bits a component without any loss.
func (c Vector) Packs() bool { return c.Scale > 0 && Packs(len(c.Codes)) && packs(c.Codes) }

// A Packed is rows of vectors that pack, as they lie in memory one after the other.
type Packed []byte

// PackedSize is how many bytes n such rows take. There are some more behind the last,
// which kernels may read.
func PackedSize(n, dims int) int { return (n + CoarseFours - 1) * (dims / 2) }

// With u in each byte, 2u-15 is 2u+lessBytes, the highest bit turned.
const (
	fourBits  = 0x0f0f0f0f0f0f0f0f
	lessBytes = 0x7171717171717171
	turnBytes = 0x8080808080808080
)

// Put sets row i to levels.
func (p Packed) Put(i int, levels []int8) {
	const half = coarseGroup / 2
	row, from := p[i*len(levels)/2:][:len(levels)/2], view(levels)
	for ; len(from) >= coarseGroup; row, from = row[half:], from[coarseGroup:] {
		for j := 0; j < half; j += 8 {
			low := binary.LittleEndian.Uint64(from[j:]) ^ turnBytes - lessBytes
			high := binary.LittleEndian.Uint64(from[j+half:]) ^ turnBytes - lessBytes
			binary.LittleEndian.PutUint64(row[j:], low>>1|high<<3)
		}
	}
}

// Row sets levels to those of row i.
func (p Packed) Row(levels []int8, i int) {
	unpack(levels, p[i*len(levels)/2:][:len(levels)/2])
}

// unpackGeneric sets levels to those of rows, which have half as many bytes.
func unpackGeneric(levels []int8, rows []byte) {
	const half = coarseGroup / 2
	for to := view(levels); len(rows) >= half; rows, to = rows[half:], to[coarseGroup:] {
		for j := 0; j < half; j += 8 {
			x := binary.LittleEndian.Uint64(rows[j:])
			binary.LittleEndian.PutUint64(to[j:], (x&fourBits<<1+lessBytes)^turnBytes)
			binary.LittleEndian.PutUint64(to[j+half:], (x>>4&fourBits<<1+lessBytes)^turnBytes)
		}
	}
}

func view(codes []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(codes))), len(codes))
}

// DotF32Rows is DotF32I8Rows for the rows from number from on. It computes as many at once
// as there is scratch for.
func (p Packed) DotF32Rows(dst, query []float32, from int, scratch []int8) {
	dims := len(query)
	if len(scratch) < dims {
		scratch = make([]int8, dims)
	}
	for len(dst) > 0 {
		n := min(len(dst), len(scratch)/dims)
		unpack(scratch[:n*dims], p[from*dims/2:][:n*dims/2])
		DotF32I8Rows(dst[:n], query, scratch[:n*dims])
		dst, from = dst[n:], from+n
	}
}

// Coarse is p as 4-bit codes that leave nothing, with the codings of its rows, and the
// largest scale and length of all.
func (p Packed) Coarse(codings []float32, dims int, scale, length float32) *Coarse {
	return &Coarse{Codings: codings, Scale: scale, Length: length, Exact: true, rowBytes: dims / 2, codes: p}
}
