package plain

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// What the grammar of PHP does not know: constants of enums, what makes only
// the setter private, and hooks of properties.
var (
	phpEnum  = pattern.NewLazy(`(?im)^[ \t]*enum\s+\w+[^;{()]*\{`)
	phpConst = pattern.NewLazy(
		`(?:\b(?:final|public|protected|private)\s+)*\bconst\b(?:\s+[?\w\\|]+)?(\s+\w+\s*=)((?:[^;'"]|'[^']*'|"[^"]*")*);`)
	phpSetter = pattern.NewLazy(`(?i)\b(?:public|protected|private)\(set\)`)
	phpHooks  = pattern.NewLazy(
		`(?im)(?:^|[;{}])[ \t]*(?:(?:public|protected|private|final|abstract|readonly|static|var)\s+)+[?\w\\|&() ` +
			`\t]*\$\w+(\s*=(?:[^;{}()'"<]|'[^'\\]*'|"[^"\\]*")+)?\s*\{`)
)

// PHP writes such code as the grammar reads it, with the same names in
// the same places.
func PHP(text string) string {
	var out []byte
	if hasFold(text, "(set)") {
		for _, m := range phpSetter().FindAllStringIndex(text, -1) {
			out = writable(out, text)
			blank(out[m[0]:m[1]])
		}
	}
	var hooks [][]int
	if mayHook(text) {
		hooks = phpHooks().FindAllStringSubmatchIndex(text, -1)
	}
	for _, m := range hooks {
		if end := closingBrace(text, m[1], `'"`, phpComment); end >= m[1]+len("[]") {
			out = writable(out, text)
			from := m[1] - 1
			if m[2] >= 0 {
				from = m[2]
			}
			blank(out[from : end+1])
			copy(out[m[1]-1:], "=[]") // a body
			out[end] = ';'
		}
	}
	if !strings.Contains(text, "const") || !hasFold(text, "enum") {
		return written(out, text)
	}
	for _, m := range phpEnum().FindAllStringIndex(text, -1) {
		end := closingBrace(text, m[1], `'"`, phpComment)
		if end < 0 {
			continue
		}
		for _, c := range phpConst().FindAllStringSubmatchIndex(text[m[1]:end], -1) {
			if c[4] == c[5] {
				continue
			}
			out = writable(out, text)
			blank(out[m[1]+c[0] : m[1]+c[2]])
			copy(out[m[1]+c[0]:], "case")
			blank(out[m[1]+c[4] : m[1]+c[5]])
			out[m[1]+c[4]] = '1' // cases are literals
		}
	}
	return written(out, text)
}

// mayHook reports whether a brace opens behind a variable that a word makes a
// property, or behind what that is at first: few files have that, and looking for
// it costs as much as parsing.
func mayHook(text string) bool {
	from := 0 // of what the brace is behind
	for i := range len(text) {
		switch text[i] {
		case '{':
			if before, _, ok := strings.Cut(text[from:i], "$"); ok &&
				slices.ContainsFunc(phpModifiers, func(word string) bool { return hasFold(before, word) }) {
				return true
			}
			from = i + 1
		case ';', '}', '(', ')':
			from = i + 1
		}
	}
	return false
}

var phpModifiers = []string{"public", "protected", "private", "final", "abstract", "readonly", "static", "var"}

// hasFold reports whether a text has another one in it, which is ASCII and in
// lower case, in any case.
func hasFold(text, lower string) bool {
	first := lower[:1] + strings.ToUpper(lower[:1])
	for {
		i := strings.IndexAny(text, first)
		if i < 0 || len(text)-i < len(lower) {
			return false
		}
		if strings.EqualFold(text[i:i+len(lower)], lower) {
			return true
		}
		text = text[i+1:]
	}
}

func writable(out []byte, text string) []byte {
	if out == nil {
		return []byte(text)
	}
	return out
}

func written(out []byte, text string) string {
	if out == nil {
		return text
	}
	return string(out)
}

// phpComment reports that a comment begins which ends with the line.
func phpComment(rest string) bool {
	return rest[0] == '#' && !strings.HasPrefix(rest, "#[") || strings.HasPrefix(rest, "//")
}

// closingBrace is where the brace is that closes the one before from, or -1.
// Braces in strings, of these quotes, and in comments don't count.
func closingBrace(text string, from int, quotes string, lineComment func(rest string) bool) int {
	depth := 1
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i
			}
		case strings.IndexByte(quotes, c) >= 0:
			i = closingQuote(text, i)
		case lineComment != nil && lineComment(text[i:]):
			i += len(beforeLineEnd(text[i:]))
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return -1
			}
			i += end + len("/**/") - 1
		}
	}
	return -1
}

// closingQuote is where the quote is that closes the one at i, or the end.
func closingQuote(text string, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != quote; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

func beforeLineEnd(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
