package graph

import (
	"encoding/binary"
	"hash/crc32"
	"io"
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

// aligned returns n bytes of memory that words can be read from.
func aligned(n int) []byte {
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

// A rowPart is a part that is read row by row: from memory while a graph is as
// it was built, later from its file.
type rowPart struct {
	starts, sums []uint32
	data         []byte // nil: in the file
	file         extent
}

// rowsPart gives a part its rows; index is the part before it.
func rowsPart(index []uint32, data []byte, file extent, n int) (rowPart, bool) {
	if len(index) != 2*n+1 {
		return rowPart{}, false
	}
	return rowPart{starts: index[:n+1], sums: index[n+1:], data: data, file: file}, true
}

// rowIndex is the part before one whose rows follow each other in data.
func rowIndex(starts []uint32, data []byte) []byte {
	index := append(make([]uint32, 0, 2*len(starts)-1), starts...)
	for i := range starts[1:] {
		index = append(index, crc32.Checksum(data[starts[i]:starts[i+1]], castagnoli))
	}
	return bytesOf(index)
}

// checkSum reads a part through to see whether it is what was written.
func (e extent) checkSum(r io.ReaderAt) bool {
	sum, buf := uint32(0), make([]byte, min(e.size, 1<<18))
	for e.size > 0 {
		b := buf[:min(e.size, int64(len(buf)))]
		if _, err := r.ReadAt(b, e.at); err != nil {
			return false
		}
		sum = crc32.Update(sum, castagnoli, b)
		e.at, e.size = e.at+int64(len(b)), e.size-int64(len(b))
	}
	return sum == e.sum
}

// A rowReader decodes a row of varints. After an error it gives zeros.
type rowReader struct {
	b   []byte
	bad bool
}

func (r *rowReader) number() int {
	// Most numbers are small.
	if len(r.b) > 0 && r.b[0] < 0x80 {
		n := int(r.b[0])
		r.b = r.b[1:]
		return n
	}
	n, size := binary.Uvarint(r.b)
	if r.check(size > 0 && n < 1<<31); r.bad {
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

func (r *rowReader) signed() int {
	n, size := binary.Varint(r.b)
	if r.check(size > 0 && n < 1<<31 && n > -1<<31); r.bad {
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

func (r *rowReader) byte() byte {
	if r.check(len(r.b) > 0); r.bad {
		return 0
	}
	n := r.b[0]
	r.b = r.b[1:]
	return n
}

func (r *rowReader) check(ok bool) {
	if !ok {
		r.bad, r.b = true, nil
	}
}

// list makes as many elements as the next number says, none if that is more
// than there are bytes.
func list[T any](r *rowReader) []T {
	n := r.number()
	if r.check(n <= len(r.b)); r.bad || n == 0 {
		return nil
	}
	return make([]T, n)
}
