package web

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ragnav/ragnav/internal/query"
)

// common words are not marked in results.
var common = strings.Fields(`a an and are as at be by can code do does file files for from function functions how i if in into is it its my of on or
	that the this to used using was we what when where which who why with`)

// wordsOf are the words of a query to be marked in lines, in lower case,
// without the ending of the plural.
func wordsOf(text string) []string {
	if q, err := query.Parse(text); err == nil {
		text = q.Words
	}
	var words []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		if len(w) > 4 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
			w = w[:len(w)-1]
		}
		if len(w) > 1 && !slices.Contains(common, w) && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// A place is a part of a text, from a byte to before another.
type place struct{ from, to int }

// places are where words stand in a text, in order and apart. A short word
// counts only where a word begins.
func places(text string, words []string) []place {
	lower := strings.ToLower(text)
	if len(lower) != len(text) { // a letter whose lower case is longer
		return nil
	}
	var found []place
	for _, w := range words {
		for from := 0; ; {
			i := strings.Index(lower[from:], w)
			if i < 0 {
				break
			}
			at := from + i
			from = at + len(w)
			if len(w) > 3 || begins(text, at) {
				found = append(found, place{at, from})
			}
		}
	}
	slices.SortFunc(found, func(a, b place) int { return a.from - b.from })
	apart := found[:0]
	for _, p := range found {
		if n := len(apart); n > 0 && p.from <= apart[n-1].to {
			apart[n-1].to = max(apart[n-1].to, p.to)
			continue
		}
		apart = append(apart, p)
	}
	return apart
}

// begins reports whether a word, or a part of one in camel case, begins at i.
func begins(text string, i int) bool {
	if i == 0 {
		return true
	}
	before, here := rune(text[i-1]), rune(text[i])
	return !unicode.IsLetter(before) || unicode.IsLower(before) && unicode.IsUpper(here)
}

// within tells whether a byte is in one of some places, and how many bytes on
// that changes.
func within(marks []place, at int) (marked bool, n int) {
	for _, m := range marks {
		if at < m.from {
			return false, m.from - at
		}
		if at < m.to {
			return true, m.to - at
		}
	}
	return false, int(^uint(0) >> 1)
}
