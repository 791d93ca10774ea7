package embed

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// Words of at most maxCachedWord bytes are remembered, each in one slot, as
// parts are: see partCache.
const (
	wordSlots     = 1 << 16
	maxCachedWord = maxWordRunes
)

// A wordCache remembers what words add to a sum, because the words of code
// repeat.
type wordCache struct {
	seed  maphash.Seed
	slots []atomic.Pointer[weighed]
}

// weighed is a word and what it adds, in order.
type weighed struct {
	word string
	adds []share
}

// A share is a row of the table and how much of a token it stands for.
type share struct {
	row   int32
	share float32
}

func newWordCache() *wordCache {
	return &wordCache{seed: maphash.MakeSeed(), slots: make([]atomic.Pointer[weighed], wordSlots)}
}

// shares gives what a word adds.
func (m *model) shares(word string) []share {
	if len(word) > maxCachedWord {
		return m.weigh(word)
	}
	slot := &m.words.slots[maphash.String(m.words.seed, word)%wordSlots]
	if w := slot.Load(); w != nil && w.word == word {
		return w.adds
	}
	w := &weighed{strings.Clone(word), m.weigh(word)}
	slot.Store(w)
	return w.adds
}

func (m *model) weigh(word string) []share {
	var adds []share
	parts := splitter{text: word}
	for part := parts.next(); part != nil; part = parts.next() {
		tok := m.parts.token(part)
		for _, row := range tok.rows {
			adds = append(adds, share{row, tok.share})
		}
	}
	return adds
}

// firstWord is the first word of a text, and what follows it. It is empty
// where there is no word.
func firstWord(text string) (word, rest string) {
	start := -1
	for i := 0; i < len(text); {
		size, in := 1, false
		if b := text[i]; b < utf8.RuneSelf {
			in = asciiClass[b] != separator
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(text[i:])
			in = classOf(r) != separator
		}
		switch {
		case in && start < 0:
			start = i
		case !in && start >= 0:
			return text[start:i], text[i:]
		}
		i += size
	}
	if start < 0 {
		return "", ""
	}
	return text[start:], ""
}
