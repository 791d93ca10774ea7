package fts

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// An Analyser is Analyze for large amounts of text: it remembers the terms of
// the words it has seen, because the words of code repeat, and the stems of
// their parts, because most new words are made of old parts. The memory is
// bounded (some 30 MB). Its methods may be called concurrently.
type Analyser struct {
	seed  maphash.Seed
	last  atomic.Uint32 // number that a term was given
	words cache[wordTerms]
	parts cache[stemOf]
	terms cache[Token]
}

// A Token is a term with a number. The same term often is the same *Token, but
// need not be; terms of different numbers may have the same text.
type Token struct {
	Text   string
	Number uint32 // small and dense, for tables
}

// wordTerms is what Analyze makes of one word.
type wordTerms struct {
	word  string
	terms []*Token
}

// stemOf is what normalise makes of a part.
type stemOf struct{ part, term string }

// What is remembered, as powers of two. The standard library of Go has some
// 200,000 words, of 30,000 parts.
const (
	wordSlots = 1 << 17
	partSlots = 1 << 16
	termSlots = 1 << 17

	firstSlots = 1 << 10 // of what has seen few: a search sees some thousand words
	growSlots  = 1 << 3  // by how much a cache grows, when so many were stored as it has

	cachedWord = 64 // bytes of the longest word that is remembered
)

// NewAnalyser returns an analyser that remembers nothing yet.
func NewAnalyser() *Analyser {
	a := &Analyser{seed: maphash.MakeSeed()}
	a.words.most, a.parts.most, a.terms.most = wordSlots, partSlots, termSlots
	return a
}

// Each calls emit for each term of text, in the order of Analyze. Terms are
// shared and do not keep text alive.
func (a *Analyser) Each(text string, emit func(term *Token)) {
	for _, word := range Words(text) {
		for _, term := range a.Word(word) {
			emit(term)
		}
	}
}

// Word is the terms of one of the Words of a text. They are shared, and must not
// be changed.
func (a *Analyser) Word(word string) []*Token {
	if len(word) > cachedWord {
		return a.analyse(strings.Clone(word))
	}
	hash := maphash.String(a.seed, word)
	slot, second := a.words.slots(hash)
	first := slot.Load()
	if first != nil && first.word == word {
		return first.terms
	}
	if w := second.Load(); w != nil && w.word == word {
		return w.terms
	}
	word = strings.Clone(word)
	terms := a.analyse(word)
	if first != nil { // two words that come all the time don't drive each other out
		second.Store(first)
	}
	slot.Store(&wordTerms{word, terms})
	a.words.stored()
	return terms
}

func (a *Analyser) analyse(word string) []*Token {
	texts := appendTerms(nil, word, a.normalise)
	terms := make([]*Token, len(texts))
	for i, text := range texts {
		slot, _ := a.terms.slots(maphash.String(a.seed, text))
		term := slot.Load()
		if term == nil || term.Text != text {
			term = &Token{text, a.last.Add(1)}
			slot.Store(term)
			a.terms.stored()
		}
		terms[i] = term
	}
	return terms
}

// normalise is the function normalise, remembered.
func (a *Analyser) normalise(part string) string {
	if len(part) > cachedWord {
		return normalise(part)
	}
	slot, _ := a.parts.slots(maphash.String(a.seed, part))
	if s := slot.Load(); s != nil && s.part == part {
		return s.term
	}
	part = strings.Clone(part) // of a word that is kept otherwise
	term := normalise(part)
	slot.Store(&stemOf{part, term})
	a.parts.stored()
	return term
}

// A cache has one slot for each value, by its hash, or two; the last one to come
// keeps it. So it is bounded and needs no lock. It begins small, since each page of
// memory that is touched for the first time costs as much as several words.
type cache[T any] struct {
	most  int // slots, a power of two, as all lengths are
	table atomic.Pointer[[]atomic.Pointer[T]]
	count atomic.Int64 // stored in this table
}

// slots are the two for a hash.
func (c *cache[T]) slots(hash uint64) (first, second *atomic.Pointer[T]) {
	t := c.table.Load()
	if t == nil {
		t = c.grow(nil, firstSlots)
	}
	mask := uint64(len(*t) - 1)
	return &(*t)[hash&mask], &(*t)[(hash^1)&mask]
}

// stored counts what was stored, and has a larger table begin, which is empty, when that
// is as much as there are slots.
func (c *cache[T]) stored() {
	t := c.table.Load()
	if n := len(*t); n < c.most && c.count.Add(1) > int64(n) {
		c.grow(t, min(n*growSlots, c.most))
	}
}

// grow puts a table in the place of an old one, unless another goroutine has.
func (c *cache[T]) grow(old *[]atomic.Pointer[T], slots int) *[]atomic.Pointer[T] {
	made := make([]atomic.Pointer[T], slots)
	if c.table.CompareAndSwap(old, &made) {
		c.count.Store(0)
	}
	return c.table.Load()
}
