package embedded

import (
	"encoding/binary"
	"math"

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
	var key []byte
	for _, term := range f.sorted() {
		start := 0
		if term > 0 {
			start = ends[term-1]
		}
		at, err := b.writePostings(join(grouped[start:ends[term]]))
		if err != nil {
			return err
		}
		key = append(key[:0], f.terms[term]...)
		if err := b.dictionary.Insert(key, at); err != nil {
			return err
		}
	}
	return b.dictionary.Close()
}

// writePostings writes the postings of a term. It returns what the dictionary
// says of them: where they are, or what they are.
func (b *builder) writePostings(list []posting) (uint64, error) {
	if len(list) == 1 && list[0].freq == 1 {
		return zap.FSTValEncode1Hit(uint64(list[0].doc), uint64(list[0].norm)), nil
	}
	frequencies := b.writeFrequencies(list)
	b.bitmap.Clear()
	for _, p := range list {
		b.bitmap.Add(p.doc)
	}
	docs, err := b.bitmap.ToBytes()
	if err != nil {
		return 0, err
	}
	at := b.offset()
	b.uvarint(frequencies, 0, uint64(len(docs))) // 0: no positions of words
	b.out = append(b.out, docs...)
	return at, nil
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
