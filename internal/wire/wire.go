// Package wire reads what encoding/binary appends: numbers of variable length
// and bytes, one after the other, from a file or another process that may have
// damaged them.
package wire

import (
	"encoding/binary"
	"math"
)

// A Reader reads from bytes, or from a string, whose parts then share its
// memory. After the first thing that can't be it is bad, and reads zeros; so
// whoever reads many things looks once, at the end.
type Reader[T string | []byte] struct {
	Rest T // what is to be read
	Bad  bool
}

// Check makes the reader bad if something that was read can't be.
func (r *Reader[T]) Check(ok bool) {
	if !ok {
		var none T
		r.Rest, r.Bad = none, true
	}
}

// Uvarint reads what binary.AppendUvarint wrote.
func (r *Reader[T]) Uvarint() uint64 {
	if len(r.Rest) > 0 && r.Rest[0] < 0x80 { // most numbers are small
		n := uint64(r.Rest[0])
		r.Rest = r.Rest[1:]
		return n
	}
	return r.long()
}

// long reads a number of several bytes.
func (r *Reader[T]) long() (n uint64) {
	for i := range min(len(r.Rest), binary.MaxVarintLen64) {
		b := r.Rest[i]
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if i == binary.MaxVarintLen64-1 && b > 1 {
				break // more than 64 bits
			}
			r.Rest = r.Rest[i+1:]
			return n
		}
	}
	r.Check(false)
	return 0
}

// Varint reads what binary.AppendVarint wrote.
func (r *Reader[T]) Varint() int64 {
	n := r.Uvarint()
	return int64(n>>1) ^ -int64(n&1) //nolint:gosec // zigzag, as encoding/binary
}

// UpTo reads a number that is at most that, which is not negative.
func (r *Reader[T]) UpTo(most int) int {
	n := r.Uvarint()
	if n > uint64(most) { //nolint:gosec // not negative
		r.Check(false)
		return 0
	}
	return int(n) //nolint:gosec // checked
}

// Int reads a number below 2³¹.
func (r *Reader[T]) Int() int {
	if len(r.Rest) > 0 && r.Rest[0] < 0x80 { // as Uvarint does: rows of the graph are made of these
		n := int(r.Rest[0])
		r.Rest = r.Rest[1:]
		return n
	}
	return r.UpTo(math.MaxInt32)
}

// Int32 reads a number of either sign.
func (r *Reader[T]) Int32() int {
	n := r.Varint()
	if n != int64(int32(n)) { //nolint:gosec // that is asked
		r.Check(false)
		return 0
	}
	return int(n)
}

// Count reads how many things follow that take a byte each at least.
func (r *Reader[T]) Count() int {
	n := r.Int()
	if n > len(r.Rest) {
		r.Check(false)
		return 0
	}
	return n
}

// Byte reads one.
func (r *Reader[T]) Byte() byte {
	if len(r.Rest) == 0 {
		r.Check(false)
		return 0
	}
	b := r.Rest[0]
	r.Rest = r.Rest[1:]
	return b
}

// Take reads n bytes, none if there are fewer.
func (r *Reader[T]) Take(n uint64) T {
	if n > uint64(len(r.Rest)) {
		r.Check(false)
		n = 0
	}
	b := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return b
}

// Text reads what AppendText wrote.
func (r *Reader[T]) Text() T { return r.Take(r.Uvarint()) }

// AppendText appends the length of a text and the text.
func AppendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}
