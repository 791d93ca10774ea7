package fts

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// Limits of the analyser, in bytes.
const (
	minPart   = 2    // shorter parts say nothing
	maxWhole  = 64   // longer identifiers are not kept whole
	maxWord   = 1024 // longer words are data, not words
	maxDigits = 10   // longer numbers are data, not words

	maxVersion = 4 // longer numbers are not of a name
)

// Analyze gives the terms of a text field, of documents and of queries alike.
//
// A word is a run of letters, marks, digits and underscores. It is split at
// underscores, where the case changes ("camelCase", "HTTPServer" → http,
// server; a plural "URLs" stays one) and between letters and digits. Each part
// is lower-cased, dropped when it is an English stop word, shorter than 2 bytes
// or a number of more than 10 digits, and stemmed by Porter2; irregular forms of
// verbs ("written") count as the verb, British spelling as American. Letters that a
// short number follows are also kept together, for they are one name: "http2"
// of http2Framer. A word of several parts is followed by itself, lower-cased
// and not stemmed: "get_user_by_id", "parserfc3339".
//
// Scripts that put no blanks between words, and Hangul, are parts by themselves. Such a
// part gives each two of its characters that are side by side, for nobody says where in
// it words begin: 用户登录 is 用户, 户登, 登录 and itself.
//
// Characters of several parts, "e" and an accent, count as composed. Words over
// 1024 bytes are dropped, words over 64 bytes are not kept whole,
// and long words that fall into tiny parts (hashes, base64) are not split.
func Analyze(text string) []string {
	var terms []string
	for _, word := range Words(text) {
		terms = appendTerms(terms, word, normalise)
	}
	return terms
}

// Words yields the words of a text, unchanged, and where they begin.
func Words(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		start := -1
		for i := 0; i < len(text); {
			size, in := 1, false
			if b := text[i]; b < utf8.RuneSelf {
				in = asciiClass[b] != classNone
			} else {
				var r rune
				r, size = utf8.DecodeRuneInString(text[i:])
				in = classOf(r) != classNone
			}
			switch {
			case in && start < 0:
				start = i
			case !in && start >= 0:
				if !yield(start, text[start:i]) {
					return
				}
				start = -1
			}
			i += size
		}
		if start >= 0 {
			yield(start, text[start:])
		}
	}
}

// appendTerms appends the terms of one word. It is given normalise, or what
// does the same.
func appendTerms(terms []string, word string, normalise func(part string) string) []string {
	if len(word) > maxWord {
		return terms
	}
	word = composed(word)
	before, parts := len(terms), split(word)
	if !isBlob(word, len(parts)) {
		for i, p := range parts {
			if isUnspaced(p) {
				terms = appendPairs(terms, p)
			} else if t := normalise(p); t != "" {
				terms = append(terms, t)
			}
			if i > 0 && len(parts) > 2 && isVersion(p) && strings.Contains(word, parts[i-1]+p) {
				terms = append(terms, strings.ToLower(parts[i-1]+p))
			}
		}
	}
	if (len(parts) > 1 || len(terms)-before > 1) && len(word) <= maxWhole {
		terms = append(terms, strings.ToLower(strings.Trim(word, "_")))
	}
	return terms
}

// isUnspaced reports whether a part is of a script that puts no blanks between words.
func isUnspaced(part string) bool {
	if part[0] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(part)
	return classOf(r) == classUnspaced
}

// appendPairs appends each two characters of a part that are side by side, and the one of
// a part that has no more.
func appendPairs(terms []string, part string) []string {
	first, second := 0, 0 // where the two characters before begin
	for i := range part {
		if second > first {
			terms = append(terms, part[first:i])
		}
		first, second = second, i
	}
	return append(terms, part[first:])
}

// isVersion reports whether a part is a number short enough to be of a name:
// utf8, http2, sha256, rfc3339.
func isVersion(part string) bool { return len(part) <= maxVersion && part[0] >= '0' && part[0] <= '9' }

// isBlob reports whether a word of that many parts is encoded data: its parts
// are too short to be words.
func isBlob(word string, parts int) bool {
	return len(word) > maxWhole && len(word) < 4*parts || len(word) > 24 && len(word) < 3*parts
}

// normalise turns a part of a word into a term, or "" when it is not worth one.
func normalise(part string) string {
	if len(part) < minPart || len(part) > maxWhole {
		return ""
	}
	if part[0] >= '0' && part[0] <= '9' {
		if len(part) > maxDigits {
			return ""
		}
		return part
	}
	lower := strings.ToLower(part)
	if english.IsStopWord(lower) {
		return ""
	}
	if base := irregular[lower]; base != "" {
		lower = base
	} else {
		lower = american(lower)
	}
	for i := range len(lower) {
		if lower[i] >= utf8.RuneSelf {
			return lower
		}
	}
	if stem := english.Stem(lower, true); len(stem) >= minPart {
		return stem
	}
	return lower
}

// The classes of characters that a word is split by.
const (
	classNone  = iota // not of a word
	classUnder        // separates the parts of a word
	classLower        // and letters without case
	classUpper
	classDigit
	classUnspaced // of a script without blanks between words, or Hangul
)

var asciiClass = func() (t [utf8.RuneSelf]uint8) {
	for b := range t {
		t[b] = runeClass(rune(b))
	}
	return t
}()

func classOf(r rune) uint8 {
	if r < utf8.RuneSelf {
		return asciiClass[r]
	}
	return runeClass(r)
}

func runeClass(r rune) uint8 {
	switch {
	case r == '_':
		return classUnder
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return classUpper
	case unicode.IsLetter(r) || unicode.IsMark(r):
		if unspaced(r) {
			return classUnspaced
		}
		return classLower
	case unicode.IsDigit(r):
		return classDigit
	}
	return classNone
}

// unspaced reports whether a letter is of a script without blanks between words, or of
// Hangul, whose words are compounds with endings.
func unspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF, // Thai, Lao
		0x1000 <= r && r <= 0x109F, // Myanmar
		0x1780 <= r && r <= 0x17FF, // Khmer
		0x3005 <= r && r <= 0x30FF, // Hiragana, Katakana with their signs
		0x3400 <= r && r <= 0x9FFF, // Han
		0xAC00 <= r && r <= 0xD7A3, // Hangul
		0xF900 <= r && r <= 0xFAFF, // Han for compatibility
		0xFF66 <= r && r <= 0xFF9F, // half-width Katakana
		0x20000 <= r && r <= 0x3FFFF:
		return true
	}
	return false
}

// split cuts a word into its parts, without underscores.
func split(word string) []string {
	var parts []string
	start, prev, upper := 0, uint8(classUnder), -1 // upper: start of the last upper-case letter of a run
	cut := func(end int) {
		if end > start {
			parts = append(parts, word[start:end])
		}
		start = end
	}
	for i, r := range word {
		class := classOf(r)
		switch {
		case class == classUnder:
			cut(i)
			start = i + 1
		case prev == classUnder: // a part begins
		case (class == classUnspaced) != (prev == classUnspaced):
			cut(i)
		case class == classUpper && prev == classLower, class == classDigit && prev != classDigit, class != classDigit &&
			prev == classDigit:
			cut(i)
		case class == classLower && prev == classUpper && upper > start && !isPlural(word[i:]):
			cut(upper)
		}
		if class == classUpper {
			upper = i
		}
		prev = class
	}
	cut(len(word))
	return parts
}

// isPlural reports whether what follows a run of upper-case letters is the s
// of a plural: "URLs".
func isPlural(rest string) bool {
	if rest[0] != 's' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest[1:])
	return len(rest) == 1 || classOf(r) != classLower
}
