// Package redact masks credentials in text: what is stored, embedded or quoted
// shows asterisks where a secret stood. What counts as a credential is said by
// the one table of rules.
package redact

import (
	"math"
	"strings"
	"unicode/utf8"
)

// A Match is a credential in a text.
type Match struct {
	Rule       string // name in the table
	Start, End int    // bytes
}

// Text replaces the credentials in text by as many asterisks, so that offsets
// and lines stay as they are, and counts them. What it returns has none: what
// one credential has hidden from Find is found in a further pass, which only
// texts with credentials need.
func Text(text string) (string, int) {
	n := 0
	for {
		found := Find(text)
		if len(found) == 0 {
			return text, n
		}
		n += len(found)
		text = blank(text, found)
	}
}

// Find lists the credentials in text, in order and without overlaps.
func Find(text string) []Match {
	t := compiled()
	var found []Match
	for i := 0; i+1 < len(text); i++ {
		group := t.pairs[uint16(text[i])<<8|uint16(text[i+1])]
		if group == 0 {
			continue
		}
		if m, ok := t.groups[group].match(text, i, found); ok {
			found = append(found, m)
			i = max(i, m.End-1)
		}
	}
	return found
}

const defaultWindow = 400

// match holds the rule against the text where one of its starts is, of that length.
func (r *rule) match(text string, at, start int) (Match, bool) {
	from := at - r.back
	if from < 0 || r.word && from > 0 && isWordByte(text[from-1]) || !r.follows(text[at+start:]) {
		return Match{}, false
	}
	rest := text[from:min(len(text), from+max(r.window, defaultWindow))]
	if r.behind {
		from = max(0, at-defaultWindow)
		rest = text[from:at]
	}
	loc := r.pattern().FindStringSubmatchIndex(rest)
	if loc == nil {
		return Match{}, false
	}
	secret := lastGroup(loc)
	switch {
	case !r.plausible(rest[secret[0]:secret[1]]),
		r.names != nil && r.names().MatchString(text[max(0, at-16):at+start]),
		r.line != nil && !r.line().MatchString(lineAround(text, at)):
		return Match{}, false
	}
	return Match{Rule: r.name, Start: from + secret[0], End: from + secret[1]}, true
}

// longestName is how many bytes of a word the start may be followed by, of
// those that rules with after take.
const longestName = 24

// follows tells whether what comes after the word that a start is in is such
// that the pattern may match, at a fraction of its cost.
func (r *rule) follows(rest string) bool {
	if r.after == "" {
		return true
	}
	for i := range min(len(rest), longestName) {
		if b := rest[i]; !isWordByte(b) && b != '-' {
			return strings.IndexByte(r.after, b) >= 0
		}
	}
	return false
}

// lastGroup is the place of the last group that has taken part.
func lastGroup(loc []int) []int {
	for len(loc) > 2 && loc[len(loc)-1] < 0 {
		loc = loc[:len(loc)-2]
	}
	return loc[len(loc)-2:]
}

// plausible tells a secret from a placeholder.
func (r *rule) plausible(secret string) bool {
	switch {
	case r.except != nil && r.except().MatchString(secret):
		return false
	case r.mixed && !isMixed(secret):
		return false
	}
	return r.bits == 0 || entropy(secret) >= r.bits
}

// lineAround is the line that a byte is in, at most 300 bytes of it on each side.
func lineAround(text string, at int) string {
	const most = 300
	before := text[max(0, at-most):at]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after, _, _ := strings.Cut(text[at:min(len(text), at+most)], "\n")
	return before + after
}

func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= utf8.RuneSelf
}

func blank(text string, found []Match) string {
	b := []byte(text)
	for _, m := range found {
		for i := m.Start; i < m.End; i++ {
			if b[i] != '\n' && b[i] != '\r' {
				b[i] = '*'
			}
		}
	}
	return string(b)
}

// isMixed tells a generated secret from words: it has digits and letters.
func isMixed(s string) bool {
	return strings.ContainsAny(s, "0123456789") &&
		strings.ContainsFunc(s, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
}

// entropy is the Shannon entropy of a text in bits a byte. English words in camel
// case have about 3.2, 20 random base-64 characters about 4.1.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
