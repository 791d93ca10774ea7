package search

import (
	"fmt"
	"math"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	scorch "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
)

// A segment is what was read of one of scorch's segments. Its documents are
// numbered from 0; deleted ones are among them. Nothing of it points into the
// segment's file, which may be gone while a segment is still in memory.
type segment struct {
	size    int         // document numbers
	docs    vector.Bits // which of them are documents; the others are records
	serials []uint32    // of the document's row
	lengths []uint32    // terms of the document's text
	fields  []uint8     // index in fts.TextFields

	mu       sync.Mutex
	leaves   map[leaf]vector.Bits // documents, deleted or not, by keyword
	postings shelf                // by word
}

// A leaf is a term or a regular expression of a keyword field.
type leaf struct {
	field, term string
	regexp      bool
}

// maxLeaves bounds how many leaves of a segment are remembered.
const maxLeaves = 256

func readSegment(seg scorch.Segment) (*segment, error) {
	n := int(seg.Count())
	s := &segment{
		size: n, docs: vector.NewBits(n),
		serials: make([]uint32, n), lengths: make([]uint32, n), fields: make([]uint8, n),
		leaves: map[leaf]vector.Bits{},
	}
	dict, err := seg.Dictionary(text.FieldRow)
	if err != nil {
		return nil, fmt.Errorf("read the rows of a segment: %w", err)
	}
	for i, field := range fts.TextFields() {
		list, err := dict.PostingsList([]byte(field), nil, nil)
		if err != nil {
			return nil, fmt.Errorf("read the rows of a segment: %w", err)
		}
		if err := s.readRows(list.Iterator(true, true, false, nil), uint8(i)); err != nil {
			return nil, fmt.Errorf("read the rows of a segment: %w", err)
		}
	}
	return s, nil
}

func (s *segment) readRows(postings scorch.PostingsIterator, field uint8) error {
	for {
		p, err := postings.Next()
		if err != nil || p == nil {
			return err
		}
		doc, norm := int(p.Number()), p.Norm()
		s.docs.Set(doc)
		s.serials[doc] = uint32(p.Frequency() - text.RowFreqOffset)
		s.lengths[doc] = uint32(math.Round(1/(norm*norm))) - text.RowLengthOffset // bleve gives 1/√length
		s.fields[doc] = field
	}
}

// documents is the set that find makes of the documents of leaf l, deleted ones
// among them. It is remembered, shared, and must not be changed.
func (s *segment) documents(l leaf, find func(vector.Bits) error) (vector.Bits, error) {
	s.mu.Lock()
	bits, ok := s.leaves[l]
	s.mu.Unlock()
	if ok {
		return bits, nil
	}
	bits = vector.NewBits(s.size)
	if err := find(bits); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.leaves) >= maxLeaves {
		clear(s.leaves)
	}
	s.leaves[l] = bits
	return bits, nil
}

// addPostings adds the documents of a postings list that was read without
// exceptions.
func addPostings(bits vector.Bits, list scorch.PostingsList) error {
	postings := list.Iterator(false, false, false, nil)
	if it, ok := postings.(scorch.OptimizablePostingsIterator); ok {
		if doc, ok := it.DocNum1Hit(); ok {
			bits.Set(int(doc))
			return nil
		}
		if docs := it.ActualBitmap(); docs != nil {
			addBitmap(bits, docs)
			return nil
		}
	}
	for {
		p, err := postings.Next()
		if err != nil || p == nil {
			return err
		}
		bits.Set(int(p.Number()))
	}
}

func addBitmap(bits vector.Bits, docs *roaring.Bitmap) {
	var buf [256]uint32
	it := docs.ManyIterator()
	for n := it.NextMany(buf[:]); n > 0; n = it.NextMany(buf[:]) {
		for _, doc := range buf[:n] {
			bits.Set(int(doc))
		}
	}
}
