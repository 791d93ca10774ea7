package text

import (
	"sync"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/ragnav/ragnav/internal/fts"
)

// A counter counts terms. It is a hash table by the terms' numbers: a map of
// strings is slow for each word of a text.
type counter struct {
	table []uint32 // 1 + index in terms, or 0; a power of two long, at most half full
	terms []counted
	total int
}

type counted struct {
	term *fts.Token
	n    int
}

// What a counter begins with, and the largest that is kept for the next text.
const (
	counterSlots    = 1 << 10
	maxCounterSlots = 1 << 17
)

var counters = sync.Pool{New: func() any { return &counter{table: make([]uint32, counterSlots)} }}

func takeCounter() *counter { return counters.Get().(*counter) }

// give makes the counter available to the next text.
func (c *counter) give() {
	if len(c.table) > maxCounterSlots {
		return
	}
	c.empty()
	clear(c.terms)
	c.terms, c.total = c.terms[:0], 0
	counters.Put(c)
}

// empty clears the table: of one that was made for a longer text only the runs that
// terms are in.
func (c *counter) empty() {
	if len(c.table) < 16*len(c.terms) {
		clear(c.table)
		return
	}
	mask := uint32(len(c.table) - 1) //nolint:gosec // see slot
	for _, t := range c.terms {
		for i := t.term.Number & mask; c.table[i] > 0; i = (i + 1) & mask {
			c.table[i] = 0
		}
	}
}

func (c *counter) add(term *fts.Token) {
	c.total++
	i := c.slot(term)
	if at := c.table[i]; at > 0 {
		c.terms[at-1].n++
		return
	}
	c.terms = append(c.terms, counted{term, 1})
	c.table[i] = uint32(len(c.terms)) //nolint:gosec // a text has fewer terms
	if 2*len(c.terms) > len(c.table) {
		c.grow()
	}
}

// slot is where in the table the term is or belongs.
func (c *counter) slot(term *fts.Token) uint32 {
	mask := uint32(len(c.table) - 1) //nolint:gosec // see maxCounterSlots and the length of texts
	i := term.Number & mask
	for c.table[i] > 0 && c.terms[c.table[i]-1].term != term {
		i = (i + 1) & mask
	}
	return i
}

func (c *counter) grow() {
	c.table = make([]uint32, 4*len(c.table))
	for at, t := range c.terms {
		c.table[c.slot(t.term)] = uint32(at + 1) //nolint:gosec // as in add
	}
}

// frequencies are counts as bleve takes them. Terms that differ only in their
// number come together here.
func frequencies(terms []counted) index.TokenFrequencies {
	all := make(index.TokenFrequencies, len(terms))
	for _, t := range terms {
		n := t.n
		if before := all[t.term.Text]; before != nil {
			n += before.Frequency()
		}
		all[t.term.Text] = frequency(n)
	}
	return all
}
