package match

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// An Extractor finds the trigrams of texts, one at a time.
type Extractor struct {
	seen  []uint64 // one bit for each trigram
	found []uint32
	last  uint32 // the last three bytes
	run   int    // how many bytes of the line were seen, 3 at most
}

// NewExtractor is one that has seen no text.
func NewExtractor() *Extractor { return &Extractor{seen: make([]uint64, 1<<24/64)} }

// trigrams returns those of a text, in no order, each once.
func (e *Extractor) trigrams(text []byte) []uint32 {
	e.last, e.run = 0, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			i += size - 1
			e.rune(foldRune(r))
			continue
		}
		if c == '\n' {
			e.run = 0
			continue
		}
		e.byte(lower(c))
	}
	found := slices.Clone(e.found)
	for _, t := range found {
		e.seen[t>>6] = 0
	}
	e.found = e.found[:0]
	return found
}

func (e *Extractor) rune(r rune) {
	var b [utf8.UTFMax]byte
	for _, c := range b[:utf8.EncodeRune(b[:], r)] {
		e.byte(c)
	}
}

func (e *Extractor) byte(c byte) {
	e.last = (e.last<<8 | uint32(c)) & 0xffffff
	if e.run < 2 {
		e.run++
		return
	}
	if word, bit := e.last>>6, uint64(1)<<(e.last&63); e.seen[word]&bit == 0 {
		e.seen[word] |= bit
		e.found = append(e.found, e.last)
	}
}

// blockBytes is the length from which a block ends with its line.
const blockBytes = 64 << 10

// Blocks are the trigrams of each block of a text, at least one.
func (e *Extractor) Blocks(text []byte) [][]uint32 {
	var all [][]uint32
	for {
		end := len(text)
		if end > blockBytes {
			if i := bytes.IndexByte(text[blockBytes:], '\n'); i >= 0 {
				end = blockBytes + i + 1
			}
		}
		all = append(all, e.trigrams(text[:end]))
		if text = text[end:]; len(text) == 0 {
			return all
		}
	}
}

// trigramsOf are those of a string that is folded and has no newline.
func trigramsOf(s string) []uint32 {
	var all []uint32
	for i := 0; i+3 <= len(s); i++ {
		all = append(all, uint32(s[i])<<16|uint32(s[i+1])<<8|uint32(s[i+2]))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
