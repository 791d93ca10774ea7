package embed

import (
	"unicode"
	"unicode/utf8"
)

// maxWordRunes of a word count; what follows them is dropped.
const maxWordRunes = 64

// A class is what decides where words and parts end.
type class uint8

const (
	separator class = iota
	underscore
	digit  // Nd
	lower  // a lower-case letter
	upper  // an upper-case letter
	letter // any other letter
)

// A splitter yields the parts of the words of text, lower-case.
//
// A word is a maximal run of letters, decimal digits and "_". Parts end at "_",
// between a digit and a letter, between lower and upper case, and before the
// last capital of several that a lower-case letter follows: HTTPServer2 has
// the parts http, server, 2.
type splitter struct {
	text string // what follows the word
	word word
}

// next is the next part, or nil at the end. It is valid until the next call.
func (s *splitter) next() []byte {
	for {
		if part := s.word.next(); part != nil {
			return part
		}
		if s.text == "" {
			return nil
		}
		s.fill()
	}
}

// fill reads up to the end of a word or of the text.
func (s *splitter) fill() {
	s.word.n, s.word.at = 0, 0
	for i := 0; i < len(s.text); {
		r, size := rune(s.text[i]), 1
		var c class
		if r < utf8.RuneSelf {
			c = asciiClass[r]
		} else {
			r, size = utf8.DecodeRuneInString(s.text[i:])
			c = classOf(r)
		}
		i += size
		if c != separator {
			s.word.add(r, c)
		} else if s.word.n > 0 {
			s.text = s.text[i:]
			return
		}
	}
	s.text = ""
}

type word struct {
	n, at   int // runes there, and already yielded
	runes   [maxWordRunes]rune
	classes [maxWordRunes]class
	part    [maxWordRunes * utf8.UTFMax]byte
}

func (w *word) add(r rune, c class) {
	if w.n < maxWordRunes {
		w.runes[w.n], w.classes[w.n] = r, c
		w.n++
	}
}

func (w *word) next() []byte {
	part := w.part[:0]
	for w.at < w.n {
		i := w.at
		w.at++
		if w.classes[i] != underscore {
			part = appendLower(part, w.runes[i], w.classes[i])
		}
		if len(part) > 0 && w.ends(i) {
			return part
		}
	}
	return nil
}

// ends reports whether a part ends after rune i.
func (w *word) ends(i int) bool {
	if i+1 == w.n {
		return true
	}
	a, b := w.classes[i], w.classes[i+1]
	switch {
	case a == underscore || b == underscore:
		return true
	case (a == digit) != (b == digit):
		return true
	case a == lower && b == upper:
		return true
	}
	return a == upper && b == upper && i+2 < w.n && w.classes[i+2] == lower
}

func appendLower(part []byte, r rune, c class) []byte {
	if r < utf8.RuneSelf {
		if c == upper {
			r += 'a' - 'A'
		}
		return append(part, byte(r))
	}
	return utf8.AppendRune(part, unicode.ToLower(r))
}

func classOf(r rune) class {
	switch {
	case r == '_':
		return underscore
	case unicode.IsDigit(r):
		return digit
	case unicode.IsLower(r):
		return lower
	case unicode.IsUpper(r):
		return upper
	case unicode.IsLetter(r):
		return letter
	}
	return separator
}

var asciiClass = func() (classes [utf8.RuneSelf]class) {
	for r := range rune(utf8.RuneSelf) {
		classes[r] = classOf(r)
	}
	return classes
}()
