package treesitter

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// Limits of what is given to a grammar. Of real files 0.3% are above one of
// them: minified, generated or data.
const (
	maxBytes   = 2 << 20
	maxDepth   = 200 // of brackets
	maxAverage = 300 // bytes of a line
	// of numbers with commas between them that no bracket is around, as in a file that is
	// included within one: errors of C's grammar take time by the square of them.
	maxNumbers = 2000
)

// Guard says why a text is not for a grammar, or nothing. Brackets in comments and
// longer strings count too while nothing around them is closed: it need not be exact.
func Guard(text string) string {
	if len(text) > maxBytes {
		return fmt.Sprintf("more than %d bytes", maxBytes)
	}
	if lines := parse.Lines(text); lines > 0 && len(text)/lines > maxAverage {
		return fmt.Sprintf("lines of more than %d bytes on average", maxAverage)
	}
	if strings.IndexByte(text, 0) >= 0 {
		return "a NUL in the text"
	}
	if deeper(text, maxDepth) && deeper(withoutStrings(text), maxDepth) {
		return fmt.Sprintf("brackets more than %d deep", maxDepth)
	}
	if strings.Count(text, ",") > maxNumbers && numbers(text) > maxNumbers {
		return fmt.Sprintf("more than %d numbers outside of brackets", maxNumbers)
	}
	return ""
}

// numbers is how many numbers follow on one another outside of brackets, at most.
func numbers(text string) (most int) {
	open, commas := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(' || c == '[' || c == '{':
			open, commas = open+1, 0
		case c == ')' || c == ']' || c == '}':
			open, commas = max(open-1, 0), 0
		case c == ',' && open == 0:
			commas++
			most = max(most, commas)
		case !ofNumber[c]:
			commas = 0
		}
	}
	return most
}

// ofNumber has what numbers are made of, and what may be between them.
var ofNumber = func() (set [256]bool) {
	for _, c := range []byte("0123456789abcdefABCDEFxXuUlL.+- \t\r\n,") {
		set[c] = true
	}
	return set
}()

// opens has the opening bracket of each bracket.
var opens = [256]byte{'(': '(', '[': '[', '{': '{', ')': '(', ']': '[', '}': '{'}

// deeper reports whether a text opens brackets deeper than limit. A bracket closes what
// was opened within it, as one in a string was: "\x1b[1m".
func deeper(text string, limit int) bool {
	if strings.Count(text, "(")+strings.Count(text, "[")+strings.Count(text, "{") <= limit {
		return false
	}
	var open []byte
	for i := range len(text) {
		switch opening := opens[text[i]]; opening {
		case 0:
		case text[i]:
			if open = append(open, opening); len(open) > limit {
				return true
			}
		default:
			if at := bytes.LastIndexByte(open, opening); at >= 0 {
				open = open[:at]
			}
		}
	}
	return false
}

// withoutStrings is a text without what is between two quotes of a line, as in tests of
// parsers.
func withoutStrings(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		from, quotes := 0, "\"'`"
		for i := 0; i < len(line); i++ {
			if !strings.Contains(quotes, line[i:i+1]) {
				continue
			}
			end := closing(line[i+1:], line[i])
			if end < 0 {
				quotes = strings.ReplaceAll(quotes, line[i:i+1], "") // nor is a later one closed
				continue
			}
			out.WriteString(line[from:i])
			i += end + 1
			from = i + 1
		}
		out.WriteString(line[from:])
	}
	return out.String()
}

// closing is where a string ends that begins a text, -1 if it does not.
func closing(text string, quote byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}
