package parse

import (
	"strings"
	"unicode/utf8"
)

// windows1252 are the characters of the bytes 0x80 to 0x9f in that encoding
// (https://encoding.spec.whatwg.org/index-windows-1252.txt); 0 where it has
// none. Those from 0xa0 on are those of Unicode.
var windows1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// isWindows1252 reports whether text that is not valid UTF-8 seems to be in
// Windows-1252: it has all its bytes in that, more of them are no UTF-8 than
// are, and few are in runs of three or more as words of other scripts are. What
// is cut off inside its last character is UTF-8.
func isWindows1252(b []byte) bool {
	invalid, valid, inRuns, run := 0, 0, 0, 0
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			run = 0
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		switch {
		case r != utf8.RuneError || size > 1:
			valid, run = valid+1, 0
			i += size
			continue
		case !utf8.FullRune(b[i:]):
			return invalid > valid && inRuns*4 <= invalid
		case b[i] < 0xa0 && windows1252[b[i]-0x80] == 0:
			return false
		}
		invalid++
		if run++; run == 3 {
			inRuns += 3
		} else if run > 3 {
			inRuns++
		}
		i++
	}
	return invalid > valid && inRuns*4 <= invalid
}

func fromWindows1252(b []byte) string {
	var s strings.Builder
	s.Grow(len(b) + len(b)/8)
	for _, c := range b {
		r := rune(c)
		if c >= 0x80 && c < 0xa0 {
			if r = windows1252[c-0x80]; r == 0 {
				r = utf8.RuneError
			}
		}
		s.WriteRune(r)
	}
	return s.String()
}
