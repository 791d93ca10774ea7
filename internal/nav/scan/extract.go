package scan

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// An extractor finds the trigrams of texts, one at a time.
type extractor struct {
	seen  []uint64 // one bit for each trigram
	found []uint32
	last  uint32 // the last three bytes
	run   int    // how many bytes of the line were seen, 3 at most
}

func newExtractor() *extractor { return &extractor{seen: make([]uint64, 1<<24/64)} }

// trigrams returns those of a text, in no order, each once.
func (e *extractor) trigrams(text []byte) []uint32 {
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

func (e *extractor) rune(r rune) {
	var b [utf8.UTFMax]byte
	for _, c := range b[:utf8.EncodeRune(b[:], r)] {
		e.byte(c)
	}
}

func (e *extractor) byte(c byte) {
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

// blocks are the trigrams of each block of a text, at least one.
func (e *extractor) blocks(text []byte) [][]uint32 {
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
