package embed

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/kljensen/snowball/english"
)

// cacheSlots bounds the part cache. The standard library of Go has about
// 60,000 different parts, most of them rare.
const cacheSlots = 1 << 15

const minPieceBytes = 3

// A token is what becomes of a part: its stem and the rows that stand for it,
// each with the same share.
type token struct {
	part  string
	text  string // "" when the part is dropped
	rows  []int32
	share float32
}

// A partCache makes tokens of parts and remembers them. Each part has one
// slot, given by its hash; the last one to come keeps it. So the cache is
// bounded, needs no lock, and can never answer for another part.
type partCache struct {
	table *table
	seed  maphash.Seed
	slots []atomic.Pointer[token]
}

func newPartCache(t *table) *partCache {
	return &partCache{table: t, seed: maphash.MakeSeed(), slots: make([]atomic.Pointer[token], cacheSlots)}
}

func (c *partCache) token(part []byte) *token {
	slot := &c.slots[maphash.Bytes(c.seed, part)%cacheSlots]
	if tok := slot.Load(); tok != nil && tok.part == string(part) {
		return tok
	}
	tok := c.table.token(string(part))
	slot.Store(tok)
	return tok
}

func (t *table) token(part string) *token {
	tok := &token{part: part}
	if t.dropped(part) {
		return tok
	}
	tok.text = stem(part)
	if row, ok := t.vocab.row(tok.text); ok {
		tok.rows, tok.share = []int32{row}, 1
		return tok
	}
	tok.rows = t.pieces(tok.text)
	if n := len(tok.rows); n > 0 {
		tok.share = 1 / float32(n)
	}
	return tok
}

func (t *table) dropped(part string) bool {
	_, stop := t.stop[part]
	longNumber := len(part) > 4 && '0' <= part[0] && part[0] <= '9'
	return stop || longNumber || len(part) < 2
}

// stem is the English Porter2 stem of a word of at least three letters a to z;
// other parts and the stemmer's own stop words stay as they are.
func stem(part string) string {
	if len(part) < 3 {
		return part
	}
	for i := range len(part) {
		if part[i] < 'a' || part[i] > 'z' {
			return part
		}
	}
	return english.Stem(part, false)
}

// pieces are the rows of a greedy cut into the longest tokens of at least
// minPieceBytes. Bytes that begin none are skipped.
func (t *table) pieces(text string) []int32 {
	var rows []int32
	for i := 0; i+minPieceBytes <= len(text); {
		row, size := t.piece(text[i:])
		if size == 0 {
			i++
			continue
		}
		rows = append(rows, row)
		i += size
	}
	return rows
}

func (t *table) piece(text string) (row int32, size int) {
	for size := min(t.longest, len(text)); size >= minPieceBytes; size-- {
		if row, ok := t.vocab.row(text[:size]); ok {
			return row, size
		}
	}
	return 0, 0
}
