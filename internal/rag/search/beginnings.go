package search

import "unicode/utf8"

// beginnings are the first two letters of some terms, by which most words are told
// to have none of them without being analysed.
type beginnings struct {
	of  [1 << 16 / 64]uint64 // a bit for each pair of bytes
	odd bool                 // a term begins with other characters than ASCII's
}

// add takes a term. Stemming leaves the first two letters of a word as they are, but
// for an y that becomes an i: dying, die.
func (b *beginnings) add(term string) {
	if len(term) < 2 || term[0] >= utf8.RuneSelf || term[1] >= utf8.RuneSelf {
		b.odd = true
		return
	}
	b.set(term[0], term[1])
	if term[1] == 'i' {
		b.set(term[0], 'y')
	}
}

func (b *beginnings) set(first, second byte) {
	pair := int(first)<<8 | int(second)
	b.of[pair/64] |= 1 << (pair % 64)
}

// in is false for a text that has no part with one of the terms, nor with one that
// begins like one of them: no part, nor what may be one, has the first two letters of
// one. A part does not begin with a small letter behind another letter.
func (b *beginnings) in(text string) bool {
	if b.odd {
		return true
	}
	letter := false // before the first of a pair
	var first byte  // in lower case; 0 for none
	for i := range len(text) {
		c := text[i]
		small := 'a' <= c && c <= 'z'
		large := 'A' <= c && c <= 'Z'
		if large {
			c += 'a' - 'A'
		}
		if first != 0 {
			if pair := int(first)<<8 | int(c); b.of[pair/64]&(1<<(pair%64)) != 0 {
				return true
			}
		}
		if c >= utf8.RuneSelf { // there are such that are letters of ASCII in lower case
			return true
		}
		if first = c; small && letter {
			first = 0
		}
		letter = small || large
	}
	return false
}
