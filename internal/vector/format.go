package vector

// The file format.
//
// A generation of a log is one file, vectors-N.log with N in hexadecimal. It is
// a file header followed by blocks, and only ever grows. Numbers are
// little-endian, all offsets are from the start of the file unless said
// otherwise, and every section starts at a multiple of 64 bytes; the bytes
// between sections are zero. Checksums are CRC-32C.
//
// The file header has 64 bytes:
//
//	 0  8  "ragnavV4"
//	 8  4  dims, the number of components of a vector
//	12  4  checksum of bytes 0 to 11
//
// A block is written by one call. Its rows have different ids. Rows with a
// vector come first, then rows without, then deletions. Its header has 64 bytes:
//
//	 0  4  "RVB4"
//	 4  4  checksum of the bytes from 8 to the end of the index section
//	 8  4  checksum of the bytes from there to the end of the block
//	12  4  number of rows
//	16  4  number of rows that are no deletions
//	20  4  number of rows with a vector
//	24  4  bytes of all ids
//	28  4  bytes of all metas
//	32  8  offset of the block
//	40  4  bytes of all values
//	44  4  the largest scale (float32) if all vectors pack (see package codes), else 0
//	48  4  the largest length (float32), likewise
//
// The sections follow in this order; their sizes follow from the header:
//
//	index    per row: end of its id in ids, end of its meta in metas (4 bytes
//	         each); then ids (see appendIDs); then metas
//	codings  per vector: scale, length (float32 each, see codes.Vector)
//	codes    per vector: dims int8; if all pack dims/2 bytes (see codes.Packed), and
//	         zeros of three vectors more
//	values   per row that is no deletion: see package values; nothing where all
//	         are empty
//
// A vector has the components scale*code: with 256 dimensions it takes 264 bytes, or
// 136. What was appended had float32 components; package codes says how far from them
// that is. Blocks that pack came with format 5 of package embedded.
//
// The block's length is a multiple of 64. Nothing marks the end of a log: the
// owner keeps the offset up to which it is committed (a Mark), and what lies
// beyond is the remains of a write that never was.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/ragnav/ragnav/internal/vector/codes"
	"github.com/ragnav/ragnav/internal/vector/values"
)

// ErrCorrupt is wrapped by the errors about files that are not what was written.
var ErrCorrupt = errors.New("the vector log is damaged")

const (
	fileMagic  = "ragnavV4"
	blockMagic = "RVB4"
	alignment  = 64
	headerSize = 64
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func fileHeader(dims int) []byte {
	h := make([]byte, headerSize)
	copy(h, fileMagic)
	binary.LittleEndian.PutUint32(h[8:], uint32(dims))
	binary.LittleEndian.PutUint32(h[12:], crc32.Checksum(h[:12], castagnoli))
	return h
}

// checkFileHeader refuses anything but a header for vectors of dims components.
func checkFileHeader(h []byte, dims int) error {
	if len(h) < headerSize {
		return fmt.Errorf("no file header: %w", ErrCorrupt)
	}
	got := int(binary.LittleEndian.Uint32(h[8:]))
	if !bytes.Equal(h[:headerSize], fileHeader(got)) {
		return fmt.Errorf("no file header: %w", ErrCorrupt)
	}
	if got != dims {
		return fmt.Errorf("vectors have %d components, not %d; index again after a change of the embedder", got, dims)
	}
	return nil
}

// A layout holds the counts of a block and what follows from them: where the
// sections start, in bytes from the start of the block.
type layout struct {
	rows, live, vectors, ids, metas, values int64

	packed bool

	idsAt, metasAt, indexEnd, codings, codes, valuesAt, end int64
}

func (l layout) place(dims int) layout {
	l.idsAt = headerSize + 8*l.rows
	l.metasAt = l.idsAt + l.ids
	l.indexEnd = l.metasAt + l.metas
	l.codings = aligned(l.indexEnd)
	l.codes = aligned(l.codings + l.vectors*4*codes.CodingSize)
	size := l.vectors * int64(dims)
	if l.packed {
		size = int64(codes.PackedSize(int(l.vectors), dims))
	}
	l.valuesAt = aligned(l.codes + size)
	l.end = aligned(l.valuesAt + l.values)
	return l
}

func aligned(n int64) int64 { return (n + alignment - 1) &^ (alignment - 1) }

// A sheet is what a block is written of.
type sheet struct {
	entries []entry // arranged
	ids     []byte
	ends    []int  // of each id in ids
	values  []byte // as they are written
	layout  layout
}

// sheetOf makes what a block of entries is written of.
func sheetOf(entries []entry, dims int) sheet {
	s := sheet{entries: arrange(entries)}
	s.ids, s.ends = appendIDs(nil, s.entries)
	l := layout{rows: int64(len(s.entries)), ids: int64(len(s.ids)), packed: true}
	var all [][]byte
	empty := true
	for i := range s.entries {
		e := &s.entries[i]
		if e.deleted {
			continue
		}
		l.live++
		l.metas += int64(len(e.meta))
		if e.Codes != nil {
			l.vectors++
			l.packed = l.packed && e.Packs()
		}
		all, empty = append(all, e.value), empty && len(e.value) == 0
	}
	l.packed = l.packed && l.vectors > 0
	if !empty {
		s.values = values.Encode(all)
	}
	l.values = int64(len(s.values))
	s.layout = l.place(dims)
	return s
}

// appendTo appends to buf the block for that offset in the file.
func (s sheet) appendTo(buf []byte, dims int, offset int64) []byte {
	l, start := s.layout, len(buf)
	buf = append(buf, make([]byte, l.end)...)
	b := buf[start:]
	copy(b, blockMagic)
	for i, n := range []int64{l.rows, l.live, l.vectors, l.ids, l.metas} {
		binary.LittleEndian.PutUint32(b[12+4*i:], uint32(n))
	}
	binary.LittleEndian.PutUint64(b[32:], uint64(offset))
	binary.LittleEndian.PutUint32(b[40:], uint32(l.values))
	s.putIndex(b)
	putVectors(b, l, s.entries, dims)
	copy(b[l.valuesAt:], s.values)
	binary.LittleEndian.PutUint32(b[8:], crc32.Checksum(b[l.indexEnd:], castagnoli))
	binary.LittleEndian.PutUint32(b[4:], crc32.Checksum(b[8:l.indexEnd], castagnoli))
	return buf
}

func (s sheet) putIndex(b []byte) {
	copy(b[s.layout.idsAt:], s.ids)
	meta := s.layout.metasAt
	for i := range s.entries {
		meta += int64(copy(b[meta:], s.entries[i].meta))
		ends := b[headerSize+8*i:]
		binary.LittleEndian.PutUint32(ends, uint32(s.ends[i]))
		binary.LittleEndian.PutUint32(ends[4:], uint32(meta-s.layout.metasAt))
	}
}

func putVectors(b []byte, l layout, entries []entry, dims int) {
	var scale, length float32
	for i, e := range entries[:l.vectors] {
		coding := b[int(l.codings)+i*4*codes.CodingSize:]
		for j, x := range []float32{e.Scale, e.Length} {
			binary.LittleEndian.PutUint32(coding[4*j:], math.Float32bits(x))
		}
		if l.packed {
			codes.Packed(b[l.codes:]).Put(i, e.Codes)
			scale, length = max(scale, e.Scale), max(length, e.Length)
			continue
		}
		copy(view8(b[l.codes:], int(l.end-l.codes))[i*dims:], e.Codes)
	}
	if l.packed {
		binary.LittleEndian.PutUint32(b[44:], math.Float32bits(scale))
		binary.LittleEndian.PutUint32(b[48:], math.Float32bits(length))
	}
}

// worth is how many bytes more an id must share with the next one than with its
// base to be a base itself.
const worth = 8

// appendIDs appends the ids of entries, and returns where each ends. An id is
// written as how many rows before it its base is, how many bytes it shares with
// that, as varints, and the rest; a base is written as 0 and itself.
func appendIDs(b []byte, entries []entry) (ids []byte, ends []int) {
	ends = make([]int, len(entries))
	base := 0
	for i := range entries {
		id, shared := entries[i].id, 0
		if i > 0 {
			shared = sharedBytes(entries[base].id, id)
		}
		if i+1 < len(entries) && sharedBytes(id, entries[i+1].id) >= shared+worth {
			shared = 0
		}
		if shared == 0 {
			base, b = i, append(b, 0)
		} else {
			b = binary.AppendUvarint(b, uint64(i-base)) //nolint:gosec // base is a row before
			b = binary.AppendUvarint(b, uint64(shared))
		}
		b = append(b, id[shared:]...)
		ends[i] = len(b)
	}
	return b, ends
}

func sharedBytes(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
