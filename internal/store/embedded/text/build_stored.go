package text

import (
	"encoding/binary"

	"github.com/golang/snappy"
)

// writeStored writes the stored fields of all documents and an index of them. It
// returns where the index is.
func (b *builder) writeStored() uint64 {
	offsets := make([]uint64, len(b.docs))
	var value uint64 // number of the field
	for i, f := range b.fields {
		if f.name == FieldValue {
			value = uint64(i) //nolint:gosec // not negative
		}
	}
	var meta []byte
	for i, d := range b.docs {
		offsets[i] = b.offset()
		meta = binary.AppendUvarint(meta[:0], uint64(len(d.id)))
		b.data = b.data[:0]
		for _, field := range d.Fields {
			if f, ok := field.(*storedField); ok {
				for _, v := range []uint64{value, uint64(f.EncodedFieldType()), uint64(len(b.data)), uint64(len(f.value)), 0} {
					meta = binary.AppendUvarint(meta, v)
				}
				b.data = append(b.data, f.value...)
			}
		}
		b.compressed = snappy.Encode(b.compressed[:cap(b.compressed)], b.data)
		b.uvarint(uint64(len(meta)), uint64(len(d.id)+len(b.compressed)))
		b.out = append(b.out, meta...)
		b.out = append(b.out, d.id...)
		b.out = append(b.out, b.compressed...)
	}
	start := b.offset()
	for _, at := range offsets {
		b.out = binary.BigEndian.AppendUint64(b.out, at)
	}
	b.uvarint(0) // documents within documents
	return start
}
