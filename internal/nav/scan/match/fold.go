package match

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Signs whose simple folding is an ASCII letter. There are no others.
const (
	longS  = "ſ"
	kelvin = "\u212a"
)

// folded is a text in which letters that differ in case only are the same:
// each rune becomes the least of those that fold to each other, ASCII letters
// the lower-case one. Bytes that are not UTF-8 become U+FFFD.
func folded(s string) string {
	return strings.Map(foldRune, s)
}

func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r |= 0x20
		}
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	if 'A' <= least && least <= 'Z' {
		least |= 0x20
	}
	return least
}

// orbit are the runes that fold to r, with r.
func orbit(r rune) []rune {
	all := []rune{r}
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		all = append(all, next)
	}
	return all
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// foldsCase reports whether case does not count in a literal of an expression.
// Classes have all cases written out.
func foldsCase(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(re.Sub, foldsCase)
}
