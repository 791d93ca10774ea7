package text

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	zap "github.com/blevesearch/zapx/v17"
)

// noDocValues is what the format has in place of where values by document are.
const noDocValues = math.MaxUint64

// writeTerms writes postings and dictionary of each field.
func (b *builder) writeTerms() error {
	for _, f := range b.fields {
		if err := b.writeDictionary(f); err != nil {
			return err
		}
		at := b.offset()
		b.uvarint(uint64(b.encoded.Len()))
		b.out = append(b.out, b.encoded.Bytes()...)
		f.address = b.offset()
		b.uvarint(noDocValues, noDocValues, at)
	}
	return nil
}

// writeDictionary writes the postings of a field and encodes its dictionary.
func (b *builder) writeDictionary(f *fieldTerms) error {
	b.encoded.Reset()
	if err := b.dictionary.Reset(&b.encoded); err != nil {
		return err
	}
	grouped, ends := f.group(b.grouped)
	b.grouped = grouped
	of := func(term uint32) []posting {
		if term == 0 {
			return grouped[:ends[0]]
		}
		return grouped[ends[term-1]:ends[term]]
	}
	var key []byte
	for order := f.sorted(); len(order) > 0; {
		list, n := of(order[0]), f.same(order)
		if n > 1 {
			list = slices.Clone(list)
			for _, term := range order[1:n] {
				list = append(list, of(term)...)
			}
			slices.SortFunc(list, func(a, b posting) int { return cmp.Compare(a.doc, b.doc) })
		}
		at := b.writePostings(join(list))
		key = append(key[:0], f.terms[order[0]]...)
		if err := b.dictionary.Insert(key, at); err != nil {
			return err
		}
		order = order[n:]
	}
	return b.dictionary.Close()
}

// writePostings writes the postings of a term. It returns what the dictionary
// says of them: where they are, or what they are.
func (b *builder) writePostings(list []posting) uint64 {
	if len(list) == 1 && list[0].freq == 1 {
		return zap.FSTValEncode1Hit(uint64(list[0].doc), uint64(list[0].norm))
	}
	frequencies := b.writeFrequencies(list)
	b.data = appendSet(b.data[:0], list)
	at := b.offset()
	b.uvarint(frequencies, 0, uint64(len(b.data))) // 0: no positions of words
	b.out = append(b.out, b.data...)
	return at
}

// appendSet appends the documents of postings as a set in the format of package
// roaring, with a container for each 65,536 numbers: its own sets take longer.
func appendSet(out []byte, list []posting) []byte {
	const (
		cookie    = 12346 // of sets without runs
		mostArray = 4096  // numbers; more of them are bits
		bits      = 1 << 16 / 8
	)
	var ends []int // of the containers, in list
	for i := range list {
		if i+1 == len(list) || list[i].doc>>16 != list[i+1].doc>>16 {
			ends = append(ends, i+1)
		}
	}
	start := len(out)
	out = binary.LittleEndian.AppendUint32(out, cookie)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(ends))) //nolint:gosec // at most 1<<16
	from := 0
	for _, end := range ends {
		out = binary.LittleEndian.AppendUint16(out, uint16(list[from].doc>>16)) //nolint:gosec // the upper half
		out = binary.LittleEndian.AppendUint16(out, uint16(end-from-1))         //nolint:gosec // at most 1<<16 of them
		from = end
	}
	at := len(out) - start + 4*len(ends) // of a container's content
	from = 0
	for _, end := range ends {
		out = binary.LittleEndian.AppendUint32(out, uint32(at)) //nolint:gosec // of a segment in memory
		if n := end - from; n <= mostArray {
			at += 2 * n
		} else {
			at += bits
		}
		from = end
	}
	from = 0
	for _, end := range ends {
		if end-from <= mostArray {
			for _, p := range list[from:end] {
				out = binary.LittleEndian.AppendUint16(out, uint16(p.doc)) //nolint:gosec // the lower half
			}
		} else {
			set := len(out)
			out = append(out, make([]byte, bits)...)
			for _, p := range list[from:end] {
				out[set+int(p.doc&0xffff)/8] |= 1 << (p.doc % 8)
			}
		}
		from = end
	}
	return out
}

// chunk is how many postings zapx has in a chunk at most, were the documents
// distributed evenly.
const chunk = 1024

// writeFrequencies writes frequency and norm of postings, in chunks of so many
// documents.
func (b *builder) writeFrequencies(list []posting) uint64 {
	size := uint32(len(b.docs) / (len(list)/chunk + 1)) //nolint:gosec // documents of a batch
	last := uint32(len(b.docs)-1) / size                //nolint:gosec // see above
	b.data = b.data[:0]
	at := b.offset()
	b.uvarint(uint64(last) + 1)
	next := uint32(0) // the chunk that is written
	for _, p := range list {
		for ; next < p.doc/size; next++ {
			b.uvarint(uint64(len(b.data)))
		}
		b.data = binary.AppendUvarint(b.data, uint64(p.freq)<<1) // the lowest bit: has positions
		b.data = binary.AppendUvarint(b.data, uint64(p.norm))
	}
	for ; next <= last; next++ {
		b.uvarint(uint64(len(b.data)))
	}
	b.out = append(b.out, b.data...)
	return at
}
