// Package values keeps many small values in few bytes: neighbours are compressed
// together, and each can be read by itself.
package values

import (
	"encoding/binary"
	"errors"
	"slices"
	"sort"

	"github.com/golang/snappy"

	"github.com/ragnav/ragnav/internal/wire"
)

// A section of values is, little-endian, the number of its chunks; for each chunk
// the number of its first value and where its bytes end, 4 bytes each; then the
// bytes of the chunks. A chunk is compressed by snappy: its values one after the
// other, each after its length as a varint. No values are no bytes.

// chunkBytes is from where on a chunk takes no more values. What it holds is
// uncompressed to read one of them, in some 10 µs; twice as much is 7% smaller.
const chunkBytes = 8 << 10

// mostBytes is what a chunk may have, uncompressed.
const mostBytes = 64 << 20

const entryBytes = 8 // of a chunk, before the bytes of all

// ErrDamaged is a section that is not what was written.
var ErrDamaged = errors.New("the stored values are damaged")

// Encode is the section of values, numbered from 0.
func Encode(all [][]byte) []byte {
	var entries, data, chunk, compressed []byte
	first := 0
	for i, v := range all {
		chunk = wire.AppendText(chunk, v)
		if len(chunk) < chunkBytes && i+1 < len(all) {
			continue
		}
		compressed = snappy.Encode(compressed[:cap(compressed)], chunk)
		data = append(data, compressed...)
		entries = binary.LittleEndian.AppendUint32(entries, uint32(first))     //nolint:gosec // rows of a block
		entries = binary.LittleEndian.AppendUint32(entries, uint32(len(data))) //nolint:gosec // bytes of a block
		first, chunk = i+1, chunk[:0]
	}
	if len(entries) == 0 {
		return nil
	}
	section := binary.LittleEndian.AppendUint32(nil, uint32(len(entries)/entryBytes)) //nolint:gosec // far fewer
	return append(append(section, entries...), data...)
}

// A Reader reads a section. It keeps the chunk that it read last, so that it is
// fast in order. It has one user at a time.
type Reader struct {
	entries, data []byte
	number        int // of the chunk
	chunk         []byte
	reuses        bool // the memory of the chunk for the next one
}

// NewReader reads that section, damaged or not.
func NewReader(section []byte) *Reader {
	r := new(Reader)
	r.begin(section)
	return r
}

// Reuse reads that section from now on, and each chunk into the memory of the one before:
// a value is gone when the next one is read.
func (r *Reader) Reuse(section []byte) {
	r.reuses = true
	r.begin(section)
}

func (r *Reader) begin(section []byte) {
	r.entries, r.data, r.number = nil, nil, -1
	if len(section) < 4 {
		return
	}
	size := entryBytes * int64(binary.LittleEndian.Uint32(section))
	if section = section[4:]; size <= int64(len(section)) {
		r.entries, r.data = section[:size], section[size:]
	}
}

// Value is the value of that number, which shares memory with others that were
// read before and after it. The error is ErrDamaged.
func (r *Reader) Value(number int) ([]byte, error) {
	chunk := sort.Search(len(r.entries)/entryBytes, func(i int) bool { return r.first(i) > number }) - 1
	if chunk < 0 {
		return nil, ErrDamaged
	}
	if err := r.open(chunk); err != nil {
		return nil, err
	}
	left := wire.Reader[[]byte]{Rest: r.chunk}
	for i := r.first(chunk); ; i++ {
		v := left.Text()
		if left.Bad {
			return nil, ErrDamaged
		}
		if i == number {
			return slices.Clip(v), nil
		}
	}
}

func (r *Reader) first(chunk int) int {
	return int(binary.LittleEndian.Uint32(r.entries[entryBytes*chunk:]))
}

func (r *Reader) end(chunk int) uint32 {
	return binary.LittleEndian.Uint32(r.entries[entryBytes*chunk+4:])
}

// open uncompresses a chunk.
func (r *Reader) open(chunk int) error {
	if chunk == r.number {
		return nil
	}
	from, to := uint32(0), r.end(chunk)
	if chunk > 0 {
		from = r.end(chunk - 1)
	}
	if from > to || int64(to) > int64(len(r.data)) {
		return ErrDamaged
	}
	if n, err := snappy.DecodedLen(r.data[from:to]); err != nil || n > mostBytes {
		return ErrDamaged
	}
	var into []byte
	if r.reuses {
		into, r.number = r.chunk[:cap(r.chunk)], -1
	}
	data, err := snappy.Decode(into, r.data[from:to])
	if err != nil {
		return ErrDamaged
	}
	r.number, r.chunk = chunk, data
	return nil
}
