package text

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	scorch "github.com/blevesearch/scorch_segment_api/v2"
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
// Documents of a file are neighbours and have words in common, so that runs of
// numbers are often the smallest form.
func appendSet(out []byte, list []posting) []byte {
	const (
		cookie  = 12347 // of sets that may have runs
		offsets = 4     // from so many containers on it says where they are
	)
	var ends []int // of the containers, in list
	for i := range list {
		if i+1 == len(list) || list[i].doc>>16 != list[i+1].doc>>16 {
			ends = append(ends, i+1)
		}
	}
	start := len(out)
	out = binary.LittleEndian.AppendUint32(out, cookie|uint32(len(ends)-1)<<16) //nolint:gosec // at most 1<<16
	forms := len(out)
	out = append(out, make([]byte, (len(ends)+7)/8)...)
	from := 0
	for _, end := range ends {
		out = binary.LittleEndian.AppendUint16(out, uint16(list[from].doc>>16)) //nolint:gosec // the upper half
		out = binary.LittleEndian.AppendUint16(out, uint16(end-from-1))         //nolint:gosec // at most 1<<16 of them
		from = end
	}
	places := len(out)
	if len(ends) >= offsets {
		out = append(out, make([]byte, 4*len(ends))...)
	}
	from = 0
	for i, end := range ends {
		if len(ends) >= offsets {
			binary.LittleEndian.PutUint32(out[places+4*i:], uint32(len(out)-start)) //nolint:gosec // of a segment in memory
		}
		var runs bool
		if out, runs = appendContainer(out, list[from:end]); runs {
			out[forms+i/8] |= 1 << (i % 8)
		}
		from = end
	}
	return out
}

// appendContainer appends the lower halves of the numbers of documents in the
// smallest form: as runs, which it reports, one by one, or as bits.
func appendContainer(out []byte, list []posting) (_ []byte, runs bool) {
	const (
		mostArray = 4096 // numbers; more of them are bits
		bits      = 1 << 16 / 8
	)
	n := 1
	for i := range list[1:] {
		if list[i+1].doc != list[i].doc+1 {
			n++
		}
	}
	switch {
	case 2+4*n < min(2*len(list), bits):
		out = binary.LittleEndian.AppendUint16(out, uint16(n)) //nolint:gosec // at most half of 1<<16
		for first, i := 0, 0; i < len(list); i++ {
			if i+1 == len(list) || list[i+1].doc != list[i].doc+1 {
				out = binary.LittleEndian.AppendUint16(out, uint16(list[first].doc)) //nolint:gosec // the lower half
				out = binary.LittleEndian.AppendUint16(out, uint16(i-first))         //nolint:gosec // in a container
				first = i + 1
			}
		}
		return out, true
	case len(list) <= mostArray:
		for _, p := range list {
			out = binary.LittleEndian.AppendUint16(out, uint16(p.doc)) //nolint:gosec // the lower half
		}
	default:
		set := len(out)
		out = append(out, make([]byte, bits)...)
		for _, p := range list {
			out[set+int(p.doc&0xffff)/8] |= 1 << (p.doc % 8)
		}
	}
	return out, false
}

// chunk is how many postings zapx has in a chunk at most, were the documents
// distributed evenly.
const chunk = 1024

// Frequency is that of a posting in a field other than that of rows. 1 is written
// as 0, after which the format has no norm, in a byte in place of two.
func Frequency(p scorch.Posting) uint64 { return max(p.Frequency(), 1) }

// writeFrequencies writes frequency and norm of postings, in chunks of so many
// documents. It returns where: those that are all 1 are the same for many terms.
func (b *builder) writeFrequencies(list []posting) uint64 {
	size := len(b.docs) / (len(list)/chunk + 1)
	last := (len(b.docs) - 1) / size
	if !slices.ContainsFunc(list, func(p posting) bool { return p.freq != 1 }) {
		return b.writeOnes(size, last)
	}
	b.data = b.data[:0]
	at := b.offset()
	b.uvarint(uint64(last) + 1) //nolint:gosec // not negative
	next := 0                   // the chunk that is written
	for _, p := range list {
		for ; next < int(p.doc)/size; next++ {
			b.uvarint(uint64(len(b.data)))
		}
		if p.freq == 1 {
			b.data = append(b.data, 0)
			continue
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

// writeOnes writes chunks of so many documents, up to number last, with the
// frequency 1 of as many postings as can be in them, unless they are there already.
func (b *builder) writeOnes(size, last int) uint64 {
	at, there := b.ones[size]
	if !there {
		at = b.offset()
		b.ones[size] = at
		most := min(size, chunk*(last+1)) // postings of a term in a chunk
		b.uvarint(uint64(last) + 1)       //nolint:gosec // not negative
		for n := range last + 1 {
			b.uvarint(uint64(most) * uint64(n+1)) //nolint:gosec // not negative
		}
		b.out = append(b.out, make([]byte, most*(last+1))...)
	}
	return at
}
