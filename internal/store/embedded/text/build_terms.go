package text

import (
	"slices"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fts"
)

// A posting is a term in a document.
type posting struct {
	term uint32 // its number in the field
	doc  uint32
	freq uint32
	norm uint32 // what zapx keeps of the length of the field
}

// A fieldTerms gathers the terms of one field, numbered as they come.
type fieldTerms struct {
	name     string
	options  index.FieldIndexingOptions
	address  uint64 // once written
	terms    []string
	numbers  map[string]uint32 // of the terms
	tokens   tokenTable        // the same, for terms of texts
	postings []posting         // documents ascending

	last   *keywordField // what was added last
	lastAt []uint32      // the numbers of its terms
}

func newFieldTerms(name string) *fieldTerms {
	f := &fieldTerms{name: name, options: index.IndexField, numbers: map[string]uint32{}}
	switch name {
	case FieldID:
		f.options = index.IndexField | index.StoreField
	case FieldValue:
		f.options = index.StoreField
	}
	return f
}

func (f *fieldTerms) number(term string) uint32 {
	n, ok := f.numbers[term]
	if !ok {
		n = uint32(len(f.terms)) //nolint:gosec // a batch has fewer terms
		f.terms = append(f.terms, term)
		f.numbers[term] = n
	}
	return n
}

// reset makes room for the terms of other documents.
func (f *fieldTerms) reset() {
	clear(f.terms)
	clear(f.numbers)
	f.tokens.clear()
	f.terms, f.postings, f.last, f.lastAt = f.terms[:0], f.postings[:0], nil, f.lastAt[:0]
}

func (f *fieldTerms) add(doc uint32, term string, freq, norm int) {
	f.postings = append(f.postings,
		posting{f.number(term), doc, uint32(freq), uint32(norm)}) //nolint:gosec // serials and lengths, see rowField
}

// addText adds the terms of a text. Two of them may be the same text: see join.
func (f *fieldTerms) addText(doc uint32, terms []counted) {
	for _, t := range terms {
		slot := f.tokens.slot(t.term)
		if slot.token == nil { // another token may have the same text, see same
			slot.token, slot.number = t.term, uint32(len(f.terms)) //nolint:gosec // as in number
			f.terms = append(f.terms, t.term.Text)
			slot = f.tokens.grown(slot)
		}
		f.postings = append(f.postings, posting{slot.number, doc, uint32(t.n), 1}) //nolint:gosec // words of a text
	}
}

// addKeywords adds the terms of a keyword field, which are often those of the
// document before.
func (f *fieldTerms) addKeywords(doc uint32, k *keywordField) {
	if f.last != k {
		f.last, f.lastAt = k, f.lastAt[:0]
		for _, term := range k.terms {
			if n := f.number(term); !slices.Contains(f.lastAt, n) {
				f.lastAt = append(f.lastAt, n)
			}
		}
	}
	for _, n := range f.lastAt {
		f.postings = append(f.postings, posting{n, doc, 1, 1})
	}
}

// group puts the postings in the order of their terms into buf. It returns them,
// and for each term where its own end.
func (f *fieldTerms) group(buf []posting) (grouped []posting, ends []int) {
	ends = make([]int, len(f.terms))
	for _, p := range f.postings {
		ends[p.term]++
	}
	at := 0
	for i, n := range ends {
		ends[i], at = at, at+n
	}
	grouped = slices.Grow(buf[:0], len(f.postings))[:len(f.postings)]
	for _, p := range f.postings {
		grouped[ends[p.term]] = p
		ends[p.term]++
	}
	return grouped, ends
}

// same is how many of the numbers at the start of order are of one term.
func (f *fieldTerms) same(order []uint32) int {
	n := 1
	for n < len(order) && f.terms[order[n]] == f.terms[order[0]] {
		n++
	}
	return n
}

// sorted are the numbers of the terms in the order of the terms.
func (f *fieldTerms) sorted() []uint32 {
	order := make([]uint32, len(f.terms))
	for i := range order {
		order[i] = uint32(i) //nolint:gosec // as in number
	}
	slices.SortFunc(order, func(a, b uint32) int {
		switch {
		case f.terms[a] < f.terms[b]:
			return -1
		case f.terms[a] > f.terms[b]:
			return 1
		}
		return 0
	})
	return order
}

// join makes one of the postings of a term in the same document.
func join(list []posting) []posting {
	kept := 0
	for _, p := range list[1:] {
		if p.doc == list[kept].doc {
			list[kept].freq += p.freq
			continue
		}
		kept++
		list[kept] = p
	}
	return list[:kept+1]
}

// A tokenTable is the numbers of terms by the numbers of their tokens: a hash
// table, of which at most half is in use.
type tokenTable struct {
	slots []tokenSlot
	used  int
}

type tokenSlot struct {
	token  *fts.Token
	number uint32
}

// slot is where a token is or belongs.
func (t *tokenTable) slot(token *fts.Token) *tokenSlot {
	if t.slots == nil {
		t.slots = make([]tokenSlot, 1<<12)
	}
	mask := uint32(len(t.slots) - 1) //nolint:gosec // far smaller
	i := token.Number & mask
	for t.slots[i].token != nil && t.slots[i].token != token {
		i = (i + 1) & mask
	}
	return &t.slots[i]
}

// clear makes the table empty, and keeps its size.
func (t *tokenTable) clear() {
	clear(t.slots)
	t.used = 0
}

// grown counts a slot that was filled, and returns where it is afterwards.
func (t *tokenTable) grown(filled *tokenSlot) *tokenSlot {
	if t.used++; 2*t.used <= len(t.slots) {
		return filled
	}
	token, old := filled.token, t.slots
	t.slots = make([]tokenSlot, 4*len(old))
	for _, s := range old {
		if s.token != nil {
			*t.slot(s.token) = s
		}
	}
	return t.slot(token)
}
