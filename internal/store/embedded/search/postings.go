package search

import (
	"fmt"
	"iter"
	"math"
	"slices"

	scorch "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/ragnav/ragnav/internal/store/embedded/text"
	"github.com/ragnav/ragnav/internal/vector"
)

// Postings are the documents of a segment that have a term, deleted ones among
// them, with the term's frequency in each.
type postings struct {
	docs  []uint32 // ascending
	freqs []uint16 // at most 65,535
}

// maxPostings bounds what a segment remembers, in postings per document. One
// takes 6 bytes.
const maxPostings = 16

const wordTakes = 16 // what a word itself takes, in postings

// A shelf is the postings of words that were asked for, of the last ones at least half
// of what it may hold. The zero value is empty.
type shelf struct {
	young, old map[leaf]postings
	held       int // about how many postings are young
}

// get is also a reason to keep them, with room for so many.
func (h *shelf) get(l leaf, room int) (postings, bool) {
	p, ok := h.young[l]
	if !ok {
		if p, ok = h.old[l]; ok {
			delete(h.old, l)
			h.put(l, p, room)
		}
	}
	return p, ok
}

func (h *shelf) put(l leaf, p postings, room int) {
	takes := len(p.docs) + wordTakes
	if h.young == nil || h.held+takes > room/2 {
		h.young, h.old, h.held = map[leaf]postings{}, h.young, 0
	}
	h.young[l] = p
	h.held += takes
}

// words finds the postings of each word in a text field. They are remembered,
// because decoding them takes ten times as long as scoring them, and must not
// be changed.
func (s *segment) words(seg scorch.Segment, field string, words []string) ([]postings, error) {
	found := make([]postings, len(words))
	room := maxPostings * (s.size + wordTakes)
	var dict scorch.TermDictionary
	for i, w := range words {
		l := leaf{field: field, term: w}
		s.mu.Lock()
		p, ok := s.postings.get(l, room)
		s.mu.Unlock()
		if !ok {
			var err error
			if dict == nil {
				dict, err = seg.Dictionary(field)
			}
			if err == nil {
				p, err = readPostings(dict, w)
			}
			if err != nil {
				return nil, fmt.Errorf("read the postings of a word: %w", err)
			}
			s.mu.Lock()
			s.postings.put(l, p, room)
			s.mu.Unlock()
		}
		found[i] = p
	}
	return found, nil
}

func readPostings(dict scorch.TermDictionary, term string) (postings, error) {
	list, err := dict.PostingsList([]byte(term), nil, nil)
	if err != nil {
		return postings{}, err
	}
	n := int(list.Count())
	p := postings{docs: make([]uint32, 0, n), freqs: make([]uint16, 0, n)}
	for it := list.Iterator(true, false, false, nil); ; {
		next, err := it.Next()
		if err != nil || next == nil {
			return p, err
		}
		p.docs = append(p.docs, uint32(next.Number()))
		p.freqs = append(p.freqs, uint16(min(text.Frequency(next), math.MaxUint16)))
	}
}

// count is how many of the documents are in a set.
func (p postings) count(set vector.Bits) int {
	n := 0
	for _, doc := range p.docs {
		n += int(set[doc/64] >> (doc % 64) & 1)
	}
	return n
}

func (p postings) addTo(set vector.Bits) {
	for _, doc := range p.docs {
		set[doc/64] |= 1 << (doc % 64)
	}
}

// allOf yields the documents that all of some postings have, ascending.
func allOf(all []postings) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if len(all) == 0 {
			return
		}
		fewest := slices.MinFunc(all, func(a, b postings) int { return len(a.docs) - len(b.docs) })
		rest := make([][]uint32, len(all))
		for i, p := range all {
			rest[i] = p.docs
		}
	next:
		for _, doc := range fewest.docs {
			for i, docs := range rest {
				at := reach(docs, doc)
				if rest[i] = docs[at:]; at == len(docs) {
					return
				}
				if docs[at] != doc {
					continue next
				}
			}
			if !yield(doc) {
				return
			}
		}
	}
}

// reach is where the first of ascending numbers is that is not below n. It looks near
// the beginning first.
func reach(docs []uint32, n uint32) int {
	step := 1
	for step < len(docs) && docs[step] < n {
		step *= 2
	}
	from := step / 2
	at, _ := slices.BinarySearch(docs[from:min(step+1, len(docs))], n)
	return from + at
}

// intersect is the members of both sets, which have the same room.
func intersect(a, b vector.Bits) vector.Bits {
	out := make(vector.Bits, len(a))
	for i := range out {
		out[i] = a[i] & b[i]
	}
	return out
}
