package plain

import (
	"slices"
	"strings"
)

// A token is a name, a number, a string or a sign of C.
type token struct {
	text       string
	start, end int
	name       bool
	quoted     bool // a string
}

var longSigns = []string{"::", "->", "&&", "##", "==", "!=", "<=", ">=", "||", "+=", "-="}

// tokensOf are those of a text, without comments and directives.
func tokensOf(text string) (all []token) {
	bare := true // nothing but spaces on this line yet
	for i := 0; i < len(text); {
		rest, c := text[i:], text[i]
		switch {
		case c == '\n':
			bare = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\\':
			i++
			continue
		case c == '#' && bare:
			i = directiveEnd(text, i)
			continue
		case strings.HasPrefix(rest, "//"):
			i += lineLength(rest)
			continue
		case strings.HasPrefix(rest, "/*"):
			i += 2 + len(untilEnd(rest[2:], "*/"))
			continue
		}
		bare = false
		t := token{start: i}
		switch {
		case c == '"' || c == '\'':
			t.end, t.quoted = i+literalLength(rest), c == '"'
		case strings.HasPrefix(rest, `R"`):
			t.end, t.quoted = i+rawLength(rest), true
		case isNamePart(c):
			for t.end = i; t.end < len(text) && (isNamePart(text[t.end]) || c <= '9' && text[t.end] == '.'); t.end++ {
			}
			t.name = c > '9'
		default:
			t.end = i + 1
			for _, sign := range longSigns {
				if strings.HasPrefix(rest, sign) {
					t.end = i + len(sign)
				}
			}
		}
		t.text = text[t.start:t.end]
		all = append(all, t)
		i = t.end
	}
	return all
}

// directiveEnd is where a directive ends that begins at an offset.
func directiveEnd(text string, from int) int {
	for {
		start, end := commentOf(text, from)
		if start == end {
			return max(end, from)
		}
		from = end
	}
}

// untilEnd is a text up to the end of the first end in it, or all of it.
func untilEnd(text, end string) string {
	before, _, found := strings.Cut(text, end)
	if !found {
		return text
	}
	return text[:len(before)+len(end)]
}

// rawLength is the length of the raw string that a text begins with.
func rawLength(text string) int {
	open := strings.IndexByte(text, '(')
	if open < 0 || open > len(`R"`)+16 {
		return 2
	}
	return open + len(untilEnd(text[open:], ")"+text[2:open]+`"`))
}

// pairsOf are for each bracket the one that closes or opens it; -1 of other tokens and of
// brackets that none does.
func pairsOf(tokens []token) []int {
	pairs := make([]int, len(tokens))
	var open []int
	for i, t := range tokens {
		pairs[i] = -1
		if t.quoted || len(t.text) != 1 {
			continue
		}
		switch t.text[0] {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			for n, at := range slices.Backward(open) {
				o := tokens[at].text[0]
				if o == opening(t.text[0]) {
					pairs[i], pairs[at] = at, i
					open = open[:n]
					break
				}
				if o == '{' {
					break
				}
			}
		}
	}
	return pairs
}

// opening is the bracket that another one closes.
func opening(c byte) byte {
	if c == ')' {
		return '('
	}
	return c - 2
}

// isMacroName reports whether a name is in upper case, as macros are written.
func isMacroName(name string) bool {
	if len(name) < 3 || name[0] != '_' && (name[0] < 'A' || name[0] > 'Z') {
		return false
	}
	letters := 0
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			letters++
		case c != '_' && (c < '0' || c > '9'):
			return false
		}
	}
	return letters > 1
}
