package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// A word is what columns are made of.
type word interface{ ~uint32 | ~int32 | ~float32 }

// littleEndian tells whether words in memory look as they do in the file.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// column reads b as words, without copying. b must start at a multiple of 4
// bytes and must not be changed.
func column[W word](b []byte) []W {
	if len(b) < 4 {
		return nil
	}
	return unsafe.Slice((*W)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// twoWords is what pairs of words are read as.
type twoWords interface{ resolve.SymbolID | pair }

// pairColumn reads b as pairs of words.
func pairColumn[P twoWords](b []byte) []P {
	if len(b) < 8 {
		return nil
	}
	return unsafe.Slice((*P)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
}

// pairBytes is what pairColumn reads.
func pairBytes[P twoWords](pairs []P) []byte {
	if len(pairs) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(pairs))), 8*len(pairs))
}

// bytesOf is what column reads.
func bytesOf[W word](words []W) []byte {
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}

// Aligned returns n bytes of memory that words can be read from.
func Aligned(n int) []byte {
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// swapWords turns the words of a file into those of a machine with the other
// order of bytes, or back.
func swapWords(b []byte) {
	for i := 0; i+4 <= len(b); i += 4 {
		b[i], b[i+1], b[i+2], b[i+3] = b[i+3], b[i+2], b[i+1], b[i]
	}
}

// A csr collects rows by what they belong to, in two passes: count, then put.
type csr struct {
	starts []uint32
	next   []uint32
}

func newCSR(n int) *csr { return &csr{starts: make([]uint32, n+1)} }

func (c *csr) count(i uint32) { c.starts[i+1]++ }

// place ends the counting and returns the number of rows.
func (c *csr) place() int {
	for i := 1; i < len(c.starts); i++ {
		c.starts[i] += c.starts[i-1]
	}
	c.next = append([]uint32(nil), c.starts...)
	return int(c.starts[len(c.starts)-1])
}

// put returns where the next row of i goes.
func (c *csr) put(i uint32) uint32 {
	at := c.next[i]
	c.next[i]++
	return at
}

// rows are those of i.
func rows[T any](starts []uint32, all []T, i int) []T { return all[starts[i]:starts[i+1]:starts[i+1]] }

// identify is the identity of a graph: a hash of its columns.
func identify(p *Columns) ID {
	h := sha256.New()
	for i := range p {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(p[i]))))
		h.Write(InFileOrder(i, p[i]))
	}
	return ID(h.Sum(nil))
}

// FromFileOrder turns a column with the bytes in the order of the file into one of
// this machine.
func FromFileOrder(n int, b []byte) {
	if !littleEndian && !part(n).isBytes() {
		swapWords(b)
	}
}

// InFileOrder is a column with the bytes in the order of the file.
func InFileOrder(n int, b []byte) []byte {
	if littleEndian || part(n).isBytes() {
		return b
	}
	b = slices.Clone(b)
	swapWords(b)
	return b
}
